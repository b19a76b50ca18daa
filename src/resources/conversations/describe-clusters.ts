import { describeCluster, redactLabel } from '../../analysis/describe-cluster.ts';
import { mapDocumentTexts } from '../../analysis/map-document-texts.ts';
import { defined } from '../../contract/values.ts';
import type { JobContext } from '../../core/jobs.ts';
import type { Center } from '../../analysis/state.ts';
import type { StoredAnalysisState } from './stored-state.ts';
import { readSample } from './representative-issues.ts';
import { prependParagraph, type ClusterNamer } from './cluster-namer.ts';
import { clusters, type ClusterRow } from '../conversation-issues/rows.ts';

const clustersPerTransaction = 25;

/** Names and summarizes the clusters whose issues have changed. */
export async function describeClusters(
  context: JobContext,
  state: StoredAnalysisState,
  name: ClusterNamer,
): Promise<void> {
  for (
    let changed = await state.list('todo.changed');
    changed.length > 0;
    changed = await state.list('todo.changed')
  ) {
    const descriptions = new Map<string, Partial<ClusterRow>>();
    const labels = await readLabels(state);
    for (const id of changed.slice(0, clustersPerTransaction)) {
      await state.pause();
      const row = await context.read((view) => view.get(clusters, id));
      if (row === undefined) continue;
      labels.delete(id);
      const taken = new Set([...labels.values()].map((label) => label.toLowerCase()));
      const description = await describe(context, state, row, { name, taken });
      labels.set(id, description.label);
      descriptions.set(id, description);
    }
    const left = changed.slice(clustersPerTransaction);
    await state.write(
      (await state.model()).version,
      new Map<string, unknown>([
        ['todo.changed', left.length === 0 ? undefined : left],
        ['labels', [...labels]],
      ]),
      async (tx) => {
        for (const [id, description] of descriptions) await tx.update(clusters, id, description);
      },
    );
    if (left.length > 0) context.progress(`names clusters, ${left.length} to go`);
  }
}

/** Returns the labels of all existing clusters, so that labels stay unique. */
async function readLabels(state: StoredAnalysisState): Promise<Map<string, string>> {
  const centers = ((await state.get('centres')) as readonly Center[] | undefined) ?? [];
  const existing = new Set(centers.map(({ cluster }) => cluster));
  const labels = ((await state.get('labels')) as readonly (readonly [string, string])[] | undefined) ?? [];
  return new Map(labels.filter(([id]) => existing.has(id)));
}

async function describe(
  { read }: JobContext,
  state: StoredAnalysisState,
  row: ClusterRow,
  /** `taken`: the labels of other clusters, in lower case. */
  { name, taken }: { name: ClusterNamer; taken: ReadonlySet<string> },
): Promise<Partial<ClusterRow> & Pick<ClusterRow, 'label'>> {
  const { issues, redactText } = await readSample(state, read, row.organization, row.id);
  const { label, icon, summary, impact } = await describeCluster(state, issues, row, taken);
  const words = await name(row, issues);
  const named =
    words === undefined
      ? { label, summary }
      : { ...words, summary: prependParagraph(summary, words.summary) };
  return {
    label: redactLabel(named.label, redactText),
    icon,
    summary: mapDocumentTexts(named.summary, redactText),
    impact,
    ...defined({ words }),
  };
}
