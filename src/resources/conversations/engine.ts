import { isConsolidationDue, consolidate } from '../../analysis/consolidate.ts';
import type { Engine, JobContext } from '../../core/jobs.ts';
import { describeClusters } from './describe-clusters.ts';
import { KeptState, Outdated, stateAfter } from './kept-state.ts';
import { carryMoves } from './moves.ts';
import { analyseSlice } from './slice.ts';
import { namerOf, type Namer } from './words.ts';
import { analysisBatches } from './rows.ts';
import { representativePoints } from '../../analysis/describe-cluster.ts';
import { findOneOf } from './representative-issues.ts';
import { newCluster } from './new-cluster.ts';
import { clusters } from '../conversation-issues/rows.ts';

/**
 * Finds the issues in conversations that were taken in and sorts them into clusters. Every step is one transaction that
 * says in the store what is left to do, so that it goes on where it was, whenever it was stopped.
 */
export const engine: Engine = {
  async run(context) {
    const name = await namerOf(context);
    const state = new KeptState(context);
    for (const done = { conversations: 0 }; ;) {
      await state.breathe();
      try {
        if (!(await step(context, state, name, done))) return;
      } catch (error) {
        if (!(error instanceof Outdated)) throw error;
        state.forget();
      }
    }
  },
};

/** Does the next thing that is to be done; false when there is nothing. */
async function step(
  context: JobContext,
  state: KeptState,
  name: Namer,
  done: { conversations: number },
): Promise<boolean> {
  if ((await carryMoves(context, state)) > 0) await describeClusters(context, state, name);
  const waiting = await context.read((view) =>
    view.count(analysisBatches, 'byOrganization', [context.job.organization]),
  );
  // Asked before each slice, so that it is asked at the same places however often the work was stopped.
  if (isConsolidationDue(await state.model(), waiting > 0)) {
    context.progress('works out the clusters anew');
    await consolidateAll(context, state);
    return true;
  }
  const analysed = await analyseSlice(context, state);
  if (analysed === undefined) {
    await describeClusters(context, state, name);
    return false;
  }
  done.conversations += analysed;
  context.progress(
    `${done.conversations.toLocaleString('en')} conversations analysed${waiting > 1 ? `, ${waiting - 1} batches to go` : ''}`,
  );
  return true;
}

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
