import type { ReadTransaction } from '../../core/store.ts';
import { notFound, Problem } from '../../errors/problem.ts';
import { clusters, type ClusterRow } from '../conversation-issues/rows.ts';

/** The cluster of an organization; one of another is as absent as none. */
export async function clusterOf(
  view: ReadTransaction,
  organization: string,
  id: string,
): Promise<ClusterRow> {
  const row = await view.get(clusters, id);
  if (row?.organization !== organization) throw notFound('cluster', id);
  return row;
}

/** Refuses a change request for a cluster that is muted: that is what muting is for. */
export function checkNotMuted({ id, label, muted }: ClusterRow): void {
  if (!muted) return;
  throw new Problem('conflict', `The cluster "${label}" is muted: no change requests are made for it.`, {
    hint: `Unmute it with \`docsctl conversations clusters update ${id} --no-muted\`.`,
  });
}
