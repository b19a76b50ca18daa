import { type Impact, clusterImpact } from '../../analysis/impact.ts';
import { sparklineWeeks, weekOf } from '../../analysis/sparkline.ts';
import type { WriteTransaction } from '../../core/store.ts';
import { clusters, type ClusterRow, type IssueRow } from '../conversation-issues/rows.ts';

/** Number of weeks ahead that are counted. Later dates must be wrong. */
const weeksAhead = 52;
/**
 * Number of weeks up to the newest issue that are stored. A sparkline shows half of them, so that it stays correct if the newest
 * issues are removed.
 */
const weeksKept = 2 * sparklineWeeks;

interface Delta {
  issues: number;
  conversations: number;
  readonly sources: Map<string, number>;
  readonly weeks: Map<string, number>;
  readonly impacts: Map<Impact, number>;
}

/** Collects the changes of a transaction to the counters of clusters, so that each row is written once. */
export class Tally {
  readonly #deltas = new Map<string, Delta>();

  /** Counts an issue that was added (1) or removed (-1). */
  countIssue(
    cluster: string,
    { source, impact, createdAt }: Pick<IssueRow, 'source' | 'impact' | 'createdAt'>,
    by: 1 | -1,
  ): void {
    const delta = this.#of(cluster);
    delta.issues += by;
    count(delta.sources, source, by);
    count(delta.impacts, impact, by);
    count(delta.weeks, String(weekOf(createdAt)), by);
  }

  /** Counts a conversation that got its first issue in a cluster (1) or lost its last one (-1). */
  countConversation(cluster: string, by: 1 | -1): void {
    this.#of(cluster).conversations += by;
  }

  /** Writes the counters of the clusters that still exist. */
  async save(tx: WriteTransaction, now: string): Promise<void> {
    for (const [id, delta] of this.#deltas) {
      const row = await tx.get(clusters, id);
      if (row !== undefined)
        await tx.update(clusters, id, { ...applyDelta(row, delta, now), updatedAt: now });
    }
  }

  #of(cluster: string): Delta {
    const known = this.#deltas.get(cluster);
    if (known !== undefined) return known;
    const delta = {
      issues: 0,
      conversations: 0,
      sources: new Map(),
      weeks: new Map(),
      impacts: new Map(),
    };
    this.#deltas.set(cluster, delta);
    return delta;
  }
}

function count<K>(counts: Map<K, number>, key: K, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

type Counters = Pick<ClusterRow, 'issues' | 'conversations' | 'sources' | 'weeks' | 'impacts' | 'impact'>;

function applyDelta(row: ClusterRow, delta: Delta, now: string): Counters {
  const thisWeek = weekOf(now);
  const weeks = addCounts(row.weeks, delta.weeks, (week) => Number(week) <= thisWeek + weeksAhead);
  const newest = Math.min(thisWeek, Math.max(...Object.keys(weeks).map(Number)));
  const impacts = { low: 0, medium: 0, high: 0, ...addCounts(row.impacts, delta.impacts) };
  return {
    issues: row.issues + delta.issues,
    conversations: row.conversations + delta.conversations,
    sources: addCounts(row.sources, delta.sources),
    weeks: Object.fromEntries(Object.entries(weeks).filter(([week]) => Number(week) > newest - weeksKept)),
    impacts,
    impact: clusterImpact(impacts),
  };
}

/** Adds changes to counts. Leaves out counts of 0, and keys that `isKept` rejects. */
function addCounts(
  before: Readonly<Record<string, number>>,
  changes: ReadonlyMap<string, number>,
  isKept: (key: string) => boolean = () => true,
): Record<string, number> {
  const counts = new Map(Object.entries(before));
  for (const [key, by] of changes) count(counts, key, by);
  return Object.fromEntries([...counts].filter(([key, number]) => number > 0 && isKept(key)));
}
