import { getOwned, type ReadTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { shapeLabel } from './shape.ts';
import { clusters, type ClusterRow } from '../conversation-issues/rows.ts';

/** Returns a cluster of an organization. @throws Problem(not-found) */
export function clusterOf(view: ReadTransaction, organization: string, id: string): Promise<ClusterRow> {
  return getOwned(view, clusters, id, { organization }, 'cluster');
}

/** Checks that change requests may be created for a cluster. @throws Problem(conflict) if it is muted */
export function checkNotMuted({ id, label: stored, muted }: ClusterRow): void {
  if (!muted) return;
  const label = shapeLabel(stored);
  throw new Problem('conflict', `The cluster "${label}" is muted: no change requests are made for it.`, {
    hint: `Unmute it with \`docsctl conversations clusters update ${id} --no-muted\`.`,
  });
}
