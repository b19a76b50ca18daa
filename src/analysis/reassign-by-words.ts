import type { CommunityMember } from './communities.ts';
import type { Linked } from './neighbors.ts';
import type { PointText } from './state.ts';

const rounds = 3;
/** A word counts at most this often in one point. */
const maxCount = 2;
/** Each community is assumed to contain this many additional words, distributed like those of all texts. */
const priorWords = 50;
/** The weight of the share of neighbors, compared with the mean of the words. */
const neighborWeight = 4;

type WordedPoint = Linked & CommunityMember & Pick<PointText, 'stems' | 'others'>;

/** The number of occurrences of each word in a point or in all of them. */
interface WordCounts {
  readonly counts: Map<string, number>;
  total: number;
}

interface CommunityWords extends WordCounts {
  points: number;
}

/**
 * Moves each point to the most suitable of its neighbors' communities. Suitability combines the share of the neighbors in the
 * community with a naive Bayes classifier of its words (with a Dirichlet prior), which learns from all other points. A point
 * without neighbors is not moved.
 */
export function reassignByWords<T extends WordedPoint>(points: readonly T[]): T[] {
  const words = points.map(countWords);
  const all = emptyCounts();
  for (const each of words) addWords(all, each);
  let current = [...points];
  for (let round = 0; round < rounds; round++) {
    const before = current;
    const communities = wordsByCommunity(before, words);
    current = before.map((point, at) => {
      let best = point.community;
      let highest = Number.NEGATIVE_INFINITY;
      for (const [community, share] of neighborShares(point, before)) {
        const isOwn = community === point.community;
        const likelihood = meanLikelihood(words[at]!, communities.get(community)!, all, isOwn);
        const score = likelihood + neighborWeight * share;
        if (score > highest) [best, highest] = [community, score];
      }
      return { ...point, community: best };
    });
  }
  return current;
}

function emptyCounts(): WordCounts {
  return { counts: new Map(), total: 0 };
}

function countWords({ stems, others = [] }: WordedPoint): WordCounts {
  const words = emptyCounts();
  for (const stem of [stems, ...others].flat())
    if (words.counts.get(stem) !== maxCount) addWords(words, { counts: new Map([[stem, 1]]), total: 1 });
  return words;
}

function addWords(sum: WordCounts, { counts, total }: WordCounts): void {
  for (const [word, count] of counts) sum.counts.set(word, (sum.counts.get(word) ?? 0) + count);
  sum.total += total;
}

function wordsByCommunity(
  points: readonly CommunityMember[],
  words: readonly WordCounts[],
): Map<number, CommunityWords> {
  const communities = new Map<number, CommunityWords>();
  for (const [at, { community }] of points.entries()) {
    const sum = communities.get(community) ?? { ...emptyCounts(), points: 0 };
    communities.set(community, sum);
    addWords(sum, words[at]!);
    sum.points++;
  }
  return communities;
}

/** Returns the share of the neighbors in each community, by their similarity; the point's own community is the first. */
function neighborShares(
  { neighbors, community: own }: WordedPoint,
  points: readonly CommunityMember[],
): Map<number, number> {
  const all = neighbors.reduce((sum, { similarity }) => sum + similarity, 0);
  const shares = new Map([[own, 0]]);
  for (const { index, similarity } of neighbors) {
    const { community } = points[index]!;
    shares.set(community, (shares.get(community) ?? 0) + similarity / all);
  }
  return shares;
}

/**
 * Returns the mean over the words of a point of the logarithm of how much likelier they are in a community than in all texts. If
 * the point is in the community, it is excluded from the counts.
 */
function meanLikelihood(
  { counts, total }: WordCounts,
  community: CommunityWords,
  all: WordCounts,
  isMember: boolean,
): number {
  const points = community.points - (isMember ? 1 : 0);
  if (points === 0) return Number.NEGATIVE_INFINITY;
  if (total === 0) return 0;
  const otherWords = community.total - (isMember ? total : 0);
  let sum = Math.log(points) - total * Math.log1p(otherWords / priorWords);
  for (const [word, count] of counts) {
    const times = (community.counts.get(word) ?? 0) - (isMember ? count : 0);
    sum += count * Math.log1p((times * all.total) / (priorWords * all.counts.get(word)!));
  }
  return sum / total;
}
