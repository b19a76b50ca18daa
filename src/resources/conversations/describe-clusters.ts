import { describe } from '../../analysis/describe.ts';
import type { JobContext } from '../../core/jobs.ts';
import { clusters, type ClusterRow } from '../../core/rows/conversation-issues.ts';
import type { KeptState } from './kept-state.ts';
import { sampleOf } from './representative-issues.ts';
import { withWords, type Namer } from './words.ts';

/** Clusters that one transaction describes. */
const atOnce = 25;

/** Names, summarizes and shows anew the clusters whose issues have changed. */
export async function describeClusters(context: JobContext, state: KeptState, name: Namer): Promise<void> {
  for (let changed = await state.list('todo.changed'); changed.length > 0; changed = await state.list('todo.changed')) {
    const described = new Map<string, Partial<ClusterRow>>();
    for (const id of changed.slice(0, atOnce)) {
      await state.breathe();
      const row = await context.read((view) => view.get(clusters, id));
      if (row !== undefined) described.set(id, await descriptionOf(context, state, row, name));
    }
    const left = changed.slice(atOnce);
    await state.write((await state.model()).version, new Map([['todo.changed', left.length === 0 ? undefined : left]]), async (tx) => {
      for (const [id, description] of described) await tx.update(clusters, id, description);
    });
    if (left.length > 0) context.progress(`names clusters, ${left.length} to go`);
  }
}

async function descriptionOf({ read }: JobContext, state: KeptState, row: ClusterRow, name: Namer): Promise<Partial<ClusterRow>> {
  const sample = await sampleOf(state, read, row.organization, row.id);
  const { label, icon, summary, impact } = await describe(state, sample, row.impacts);
  const words = await name(row, sample);
  return words === undefined ? { label, icon, summary, impact } : { label: words.label, icon, summary: withWords(summary, words.summary), impact, words };
}
