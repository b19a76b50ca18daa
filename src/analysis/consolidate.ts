import { communitiesOf } from './communities.ts';
import { condense } from './condense.ts';
import { learn, learntSize } from './dictionary.ts';
import { keepNames } from './keep-names.ts';
import { keepWords } from './known-words.ts';
import { linksOf, standForMany } from './links.ts';
import { neighboursOf } from './neighbours.ts';
import { pack } from './pack.ts';
import { fullAt, mostOthers } from './place.ts';
import { settle } from './settle.ts';
import {
  type AnalysisState,
  Draft,
  type Model,
  type Move,
  type PointText,
  type StoredPoint,
  type Writes,
} from './state.ts';
import { companyOf, middleOf, vectorOf } from './vector.ts';

/** Of points that stand for one text each, and for several: as many texts are near with fewer points. */
const neighbourCount = { plain: 10, joined: 6 };
const movesOnPage = 100;
/** Once full, joining leaves this share, so that new topics find room. */
const leftShare = 0.75;
/** What is less alike never counts as the same. */
const leastAlike = 0.6;

export interface Consolidated {
  readonly writes: Writes;
  readonly since: number;
  /** Clusters that there are now and were not before, and the other way round. */
  readonly began: readonly string[];
  readonly vanished: readonly string[];
  /** Clusters with other members than before, `began` among them. */
  readonly changed: readonly string[];
}

export interface ConsolidateOptions {
  readonly newId: () => string;
  /** Awaited every few milliseconds of work: for others to have their turn; it may throw to give up. */
  readonly breathe?: () => Promise<void>;
  readonly seed?: number;
  readonly full?: number;
}

interface Point extends PointText {
  readonly id: string;
  readonly size: number;
}

/**
 * Whether enough is new that clusters should be worked out anew: a fifth more than last time, or four times as many
 * while more is `waiting` to be placed; never before the moves of the last time are carried out.
 */
export function isDue(
  { fresh, issuesThen, points, pointsThen, movesFirst, movesEnd }: Model,
  waiting: boolean,
): boolean {
  if (movesFirst < movesEnd) return false;
  return (
    fresh >= Math.max(25, waiting ? Math.min(issuesThen * 3, 50_000) : Math.min(issuesThen / 5, 10_000)) ||
    (points > fullAt && points - pointsThen >= 1000)
  );
}

/**
 * Learns the words anew and clusters all points anew. Until the state is full this depends on nothing but the set of
 * texts (bar the names of clusters): not on their order or on how they were divided. The work is bounded by the number
 * of points, not of issues; done again after an interruption it gives the same.
 */
export async function consolidate(state: AnalysisState, options: ConsolidateOptions): Promise<Consolidated> {
  const { newId, breathe = async () => {}, seed = 1, full = fullAt } = options;
  const draft = new Draft(state);
  const before = await draft.model();
  const points = await readPoints(draft);
  const old = (await draft.centres()).map(({ cluster }) => cluster);
  await breathe();
  const sizes = points.map(({ size }) => size);
  const isMany = standForMany(sizes, before.alike !== undefined);
  const meanings = learn(
    // Twice, as a word that was heard once is not learnt.
    points.flatMap(({ stems, others = [] }, at) => [
      stems,
      ...(isMany[at]! && others.length === 0 ? [stems] : others),
    ]),
    seed,
  );
  await breathe();
  const meaning = meanings.get.bind(meanings);
  const mean = new Float32Array(learntSize);
  for (const { stems } of points)
    companyOf(stems, { meaning }).forEach((value, at) => (mean[at]! += value / points.length));
  const vectors = points.map(({ stems, others = [] }) => {
    const own = vectorOf(stems, { meaning, mean });
    return others.length === 0
      ? own
      : middleOf(
          [own, ...others.map((each) => vectorOf(each, { meaning, mean }))].map((vector) => ({
            vector,
            weight: 1,
          })),
        );
  });
  const neighbours = linksOf(
    await neighboursOf(
      vectors,
      before.alike === undefined ? neighbourCount.plain : neighbourCount.joined,
      breathe,
    ),
    isMany,
  );
  const community = settle(neighbours, communitiesOf(neighbours, seed), vectors, sizes);
  const names = keepNames(
    points.map(({ cluster, size }, at) => ({ cluster, size, community: community[at]! })),
    newId,
  );
  const isFull = points.length > full;
  const { stand, alike: last } = isFull
    ? condense(neighbours, community, sizes, Math.floor(full * leftShare))
    : { stand: points.map((_, at) => at), alike: 1 };
  // Each time it is full again, more is taken for the same, so that it takes longer and longer.
  const alike = isFull ? Math.max(leastAlike, Math.min(last, (before.alike ?? 1) * 0.93)) : before.alike;

  const members = new Map<string, { point: StoredPoint; vector: Float32Array }[]>(
    [...names.values()].map((name) => [name, []]),
  );
  const sums = new Float64Array(points.length);
  stand.forEach((other, at) => (sums[other]! += sizes[at]!));
  const moves: Move[] = [];
  const changed = new Set<string>();
  const others = othersOf(points, stand);
  points.forEach(({ id, stems, cluster: was }, at) => {
    const cluster = names.get(community[at]!)!;
    const joined = stand[at] !== at;
    if (joined || was !== cluster)
      moves.push({ point: id, cluster, ...(joined ? { into: points[stand[at]!]!.id } : {}) });
    if (was !== cluster) changed.add(was).add(cluster);
    if (joined) return draft.put(`point.${id}`, undefined);
    if (was !== cluster || others.get(at) !== points[at]!.others)
      draft.put(`point.${id}`, {
        cluster,
        stems,
        ...(others.has(at) ? { others: others.get(at)! } : {}),
      } satisfies PointText);
    members
      .get(cluster)!
      .push({ point: { id, size: sums[at]!, vector: pack(vectors[at]!) }, vector: vectors[at]! });
  });

  for (const cluster of old) if (!members.has(cluster)) draft.put(`cluster.${cluster}`, undefined);
  for (const [cluster, its] of members)
    draft.put(
      `cluster.${cluster}`,
      its.map(({ point }) => point),
    );
  const centres = [...members].map(([cluster, its]) => ({
    cluster,
    vector: pack(middleOf(its.map(({ vector, point }) => ({ vector, weight: point.size })))),
  }));
  draft.put('centres', centres);
  keepWords(draft, meanings);
  let page = before.movesEnd;
  for (let start = 0; start < moves.length; start += movesOnPage)
    draft.put(`moves.${page++}`, moves.slice(start, start + movesOnPage));
  const count = centres.reduce((sum, { cluster }) => sum + members.get(cluster)!.length, 0);
  const then = {
    issuesThen: before.issues,
    pointsThen: count,
    fresh: 0,
    ...(alike === undefined ? {} : { alike }),
  };
  draft.put('model', {
    ...before,
    ...then,
    version: before.version + 1,
    points: count,
    movesEnd: page,
    mean: pack(mean),
  } satisfies Model);
  const known = new Set(old);
  return {
    writes: draft.writes,
    since: before.version,
    began: [...members.keys()].filter((cluster) => !known.has(cluster)),
    vanished: old.filter((cluster) => !members.has(cluster)),
    changed: [...changed].filter((cluster) => members.has(cluster)),
  };
}

/** The other texts that each point keeps when those that it stands for have joined it. */
function othersOf(
  points: readonly Point[],
  stand: readonly number[],
): Map<number, readonly (readonly string[])[]> {
  const gathered = new Map(
    points.flatMap(({ others }, at) => (others === undefined ? [] : [[at, others] as const])),
  );
  stand.forEach((other, at) => {
    if (other === at) return;
    const all = [...(gathered.get(other) ?? []), points[at]!.stems, ...(points[at]!.others ?? [])];
    gathered.set(other, all.slice(0, mostOthers));
  });
  return gathered;
}

/** All points by id, so that nothing depends on who came first. */
async function readPoints(draft: Draft): Promise<Point[]> {
  const points: Point[] = [];
  for (const { cluster } of await draft.centres())
    for (const { id, size } of await draft.points(cluster))
      points.push({ ...(await draft.get<PointText>(`point.${id}`))!, id, size, cluster });
  return points.sort((one, other) => (one.id < other.id ? -1 : 1));
}
