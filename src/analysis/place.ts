import { nameOf } from './hash.ts';
import { knowledgeOf } from './known-words.ts';
import { nearest } from './neighbours.ts';
import { pack } from './pack.ts';
import { type AnalysisState, Draft, type PointText, type StoredPoint, type Writes } from './state.ts';
import { measured, vectorOf } from './vector.ts';
import { stemsOf } from './words.ts';

/** Points at which the state is full: from here an issue joins the point that is most like it, where that is like it enough. */
export const fullAt = 4000;
/** Texts that a point keeps beside its own, so that words are learnt from more texts than there are points. */
export const mostOthers = 3;
const clustersLookedAt = 4;
const voters = 5;
/** An issue less alike to everything known starts a cluster of its own. */
const strange = 0.35;
const usuallyAlike = 0.8;

export interface Placement {
  readonly point: string;
  readonly cluster: string;
  /** The cluster began with this issue. */
  readonly began: boolean;
}

export interface Placed {
  readonly placements: readonly Placement[];
  readonly writes: Writes;
  /** The version of the model that this was worked out from. */
  readonly since: number;
}

/**
 * Finds the cluster of each text as it comes, by its most alike points: reads a handful of rows for each, however many
 * are known. What comes first decides what clusters there are until the next consolidation.
 */
export async function place(
  state: AnalysisState,
  texts: readonly string[],
  { newId, full = fullAt }: { newId: () => string; full?: number },
): Promise<Placed> {
  const draft = new Draft(state);
  const before = await draft.model();
  const all = texts.map(stemsOf);
  const knowledge = await knowledgeOf(draft, before, all.flat());
  const placements: Placement[] = [];
  const { alike = usuallyAlike } = before;
  let { points } = before;
  const isFull = before.alike !== undefined || points >= full;
  for (const stems of all) {
    const id = nameOf(stems.join(' '));
    const same = await draft.get<PointText>(`point.${id}`);
    if (same !== undefined) {
      await resize(draft, same.cluster, id, 1);
      placements.push({ point: id, cluster: same.cluster, began: false });
      continue;
    }
    const values = vectorOf(stems, knowledge);
    const vector = measured(values);
    const centres = nearest(
      vector,
      await draft.centres(),
      (centre) => draft.unpacked.of(centre),
      clustersLookedAt,
    );
    const seen: { cluster: string; point: StoredPoint }[] = [];
    for (const { one } of centres)
      for (const point of await draft.points(one.cluster)) seen.push({ cluster: one.cluster, point });
    const near = nearest(vector, seen, ({ point }) => draft.unpacked.of(point), voters);
    const best = near[0];
    if (best !== undefined && isFull && best.likeness >= alike) {
      await join(draft, best.one.cluster, best.one.point.id, stems);
      placements.push({ point: best.one.point.id, cluster: best.one.cluster, began: false });
      continue;
    }
    const began = best === undefined || best.likeness < strange;
    const cluster = began
      ? newId()
      : elect(near.map(({ one, likeness }) => ({ cluster: one.cluster, likeness })));
    const packed = pack(values);
    if (began) draft.put('centres', [...(await draft.centres()), { cluster, vector: packed }]);
    draft.put(`cluster.${cluster}`, [
      ...(await draft.points(cluster)),
      { id, size: 1, vector: packed } satisfies StoredPoint,
    ]);
    draft.put(`point.${id}`, { cluster, stems } satisfies PointText);
    points++;
    placements.push({ point: id, cluster, began });
  }
  const { issues, fresh, version } = before;
  draft.put('model', {
    ...before,
    version: version + 1,
    issues: issues + texts.length,
    fresh: fresh + texts.length,
    points,
  });
  return { placements, writes: draft.writes, since: version };
}

/** The cluster whose points are most alike, taken together. */
function elect(votes: readonly { cluster: string; likeness: number }[]): string {
  const sums = new Map<string, number>();
  for (const { cluster, likeness } of votes)
    sums.set(cluster, (sums.get(cluster) ?? 0) + Math.max(0, likeness) ** 3);
  return [...sums].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

/** An issue that says what a point says in other words: the first few of such words are kept. */
async function join(draft: Draft, cluster: string, id: string, stems: readonly string[]): Promise<void> {
  await resize(draft, cluster, id, 1);
  const text = (await draft.get<PointText>(`point.${id}`))!;
  const { others = [] } = text;
  if (others.length < mostOthers)
    draft.put(`point.${id}`, { ...text, others: [...others, stems] } satisfies PointText);
}

async function resize(draft: Draft, cluster: string, id: string, by: number): Promise<void> {
  const points = [...(await draft.points(cluster))];
  const at = points.findIndex((point) => point.id === id);
  if (at !== -1) points[at] = { ...points[at]!, size: points[at]!.size + by };
  draft.put(`cluster.${cluster}`, points);
}
