import { describeCluster } from '../../analysis/describe-cluster.ts';
import type { JobContext } from '../../core/jobs.ts';
import type { Center } from '../../analysis/state.ts';
import type { KeptState } from './kept-state.ts';
import { sampleOf } from './representative-issues.ts';
import { withWords, type Namer } from './words.ts';
import { clusters, type ClusterRow } from '../conversation-issues/rows.ts';

/** Clusters that one transaction describes. */
const atOnce = 25;

/** Names, summarizes and shows anew the clusters whose issues have changed. */
export async function describeClusters(context: JobContext, state: KeptState, name: Namer): Promise<void> {
  for (
    let changed = await state.list('todo.changed');
    changed.length > 0;
    changed = await state.list('todo.changed')
  ) {
    const described = new Map<string, Partial<ClusterRow>>();
    const labels = await labelsNow(state);
    for (const id of changed.slice(0, atOnce)) {
      await state.breathe();
      const row = await context.read((view) => view.get(clusters, id));
      if (row === undefined) continue;
      labels.delete(id);
      const { label, ...description } = await descriptionOf(context, state, row, {
        name,
        taken: new Set([...labels.values()].map((one) => one.toLowerCase())),
      });
      labels.set(id, label);
      described.set(id, { label, ...description });
    }
    const left = changed.slice(atOnce);
    await state.write(
      (await state.model()).version,
      new Map<string, unknown>([
        ['todo.changed', left.length === 0 ? undefined : left],
        ['labels', [...labels]],
      ]),
      async (tx) => {
        for (const [id, description] of described) await tx.update(clusters, id, description);
      },
    );
    if (left.length > 0) context.progress(`names clusters, ${left.length} to go`);
  }
}

/** The labels of all clusters there are, so that no two have the same. */
async function labelsNow(state: KeptState): Promise<Map<string, string>> {
  const known = new Set(
    (((await state.get('centres')) as readonly Center[] | undefined) ?? []).map(({ cluster }) => cluster),
  );
  return new Map(
    (((await state.get('labels')) as readonly (readonly [string, string])[] | undefined) ?? []).filter(
      ([id]) => known.has(id),
    ),
  );
}

interface Naming {
  readonly name: Namer;
  /** Labels of other clusters, in lower case. */
  readonly taken: ReadonlySet<string>;
}

async function descriptionOf(
  { read }: JobContext,
  state: KeptState,
  row: ClusterRow,
  { name, taken }: Naming,
): Promise<Partial<ClusterRow> & Pick<ClusterRow, 'label'>> {
  const sample = await sampleOf(state, read, row.organization, row.id);
  const { label, icon, summary, impact } = await describeCluster(state, sample, row, taken);
  const words = await name(row, sample);
  return words === undefined
    ? { label, icon, summary, impact }
    : { label: words.label, icon, summary: withWords(summary, words.summary), impact, words };
}
