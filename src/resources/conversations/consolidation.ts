import { consolidate } from '../../analysis/consolidate.ts';
import { representativePoints } from '../../analysis/describe-cluster.ts';
import type { JobContext } from '../../core/jobs.ts';
import { findOneOf } from './representative-issues.ts';
import { stateAfter, type KeptState } from './kept-state.ts';
import { newCluster } from './new-cluster.ts';
import { clusters } from '../conversation-issues/rows.ts';

/** Works out the clusters anew, outside of any transaction; its moves are carried out afterwards. */
export async function consolidateAll({ job, read, now, newId }: JobContext, state: KeptState): Promise<void> {
  const { writes, baseVersion, created, removed, changed } = await consolidate(state, {
    newId: () => newId('clu'),
    pause: state.breathe,
  });
  const { organization } = job;
  const titles = new Map<string, string>();
  for (const cluster of created) {
    const [point] = await representativePoints(stateAfter(state, writes), cluster, 1);
    const issue =
      point === undefined ? undefined : await read((view) => findOneOf(view, organization, point));
    titles.set(cluster, issue?.title ?? 'Conversations');
  }
  const todo = new Map([
    ['todo.changed', [...new Set([...(await state.list('todo.changed')), ...changed])]],
    ['todo.vanished', [...(await state.list('todo.vanished')), ...removed]],
  ]);
  await state.write(baseVersion, new Map([...writes, ...todo]), async (tx) => {
    for (const [cluster, title] of titles)
      await tx.insert(clusters, newCluster({ organization, title }, cluster, now()));
  });
}
