import { spaces } from '../../core/rows/spaces.ts';
import { dequeue } from '../../core/jobs.ts';
import { removeRows, type WriteTransaction } from '../../core/store.ts';
import { gitRuns, gitSyncJobKind, gitSyncs } from './rows.ts';

/** Removes the repository of a space with its credentials and runs. The repository itself is not changed. */
export async function removeGitSync(tx: WriteTransaction, spaceId: string): Promise<void> {
  if ((await tx.get(gitSyncs, spaceId)) === undefined) return;
  await dequeue(tx, gitSyncJobKind, spaceId);
  await removeRows(tx, gitRuns, 'bySpace', [spaceId]);
  await tx.remove(gitSyncs, spaceId);
  await tx.update(spaces, spaceId, { gitSync: undefined });
}
