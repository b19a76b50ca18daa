import { type Impact, clusterImpact } from '../../analysis/impact.ts';
import { sparklineWeeks, weekOf } from '../../analysis/sparkline.ts';
import type { WriteTransaction } from '../../core/store.ts';
import { clusters, type ClusterRow, type IssueRow } from '../conversation-issues/rows.ts';

/** Weeks ahead that are counted: what is dated later has a date that nobody should trust. */
const weeksAhead = 52;

interface Delta {
  issues: number;
  conversations: number;
  readonly sources: Map<string, number>;
  readonly weeks: Map<string, number>;
  readonly impacts: Map<Impact, number>;
}

/** What a transaction changes in the counters of clusters, gathered so that each row is written once. */
export class Tally {
  readonly #deltas = new Map<string, Delta>();

  /** An issue came (by = 1) or went (by = -1). */
  issue(
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

  /** A conversation has an issue in a cluster and had none, or the other way round. */
  conversation(cluster: string, by: 1 | -1): void {
    this.#of(cluster).conversations += by;
  }

  /** Writes the counters; a cluster that is not there any more is passed over. */
  async save(tx: WriteTransaction, now: string): Promise<void> {
    for (const [id, delta] of this.#deltas) {
      const row = await tx.get(clusters, id);
      if (row !== undefined)
        await tx.update(clusters, id, { ...countersOf(row, delta, now), updatedAt: now });
    }
  }

  #of(cluster: string): Delta {
    let delta = this.#deltas.get(cluster);
    if (delta === undefined)
      this.#deltas.set(
        cluster,
        (delta = { issues: 0, conversations: 0, sources: new Map(), weeks: new Map(), impacts: new Map() }),
      );
    return delta;
  }
}

function count<K>(counts: Map<K, number>, key: K, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

type Counters = Pick<ClusterRow, 'issues' | 'conversations' | 'sources' | 'weeks' | 'impacts' | 'impact'>;

function countersOf(row: ClusterRow, delta: Delta, now: string): Counters {
  const first = weekOf(now) - sparklineWeeks + 1;
  const isCounted = (week: string): boolean =>
    Number(week) >= first && Number(week) <= weekOf(now) + weeksAhead;
  const impacts = { low: 0, medium: 0, high: 0, ...added(row.impacts, delta.impacts) };
  return {
    issues: row.issues + delta.issues,
    conversations: row.conversations + delta.conversations,
    sources: added(row.sources, delta.sources),
    weeks: added(row.weeks, delta.weeks, isCounted),
    impacts,
    impact: clusterImpact(impacts),
  };
}

/** Counts with their changes; what comes to nothing is left out, and so is what need not be kept. */
function added(
  before: Readonly<Record<string, number>>,
  changes: ReadonlyMap<string, number>,
  isKept: (key: string) => boolean = () => true,
): Record<string, number> {
  const counts = new Map(Object.entries(before));
  for (const [key, by] of changes) count(counts, key, by);
  return Object.fromEntries([...counts].filter(([key, number]) => number > 0 && isKept(key)));
}
