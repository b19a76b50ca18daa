import type { NewId } from '../../core/ids.ts';
import { enqueue } from '../../core/jobs.ts';
import type { WriteTransaction } from '../../core/store.ts';
import { analysisBatches } from './rows.ts';

/** The kind of the jobs that analyse conversations; the subject is the organization. */
export const jobKind = 'conversations';

/** Has conversations analysed that were taken in, outside of this transaction. One row for all of them: no index on conversations is paid for by each. */
export async function queueAnalysis(
  {
    tx,
    organization,
    now,
    newId,
  }: {
    readonly tx: WriteTransaction;
    readonly organization: string;
    readonly now: string;
    readonly newId: NewId;
  },
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx.insert(analysisBatches, { id: newId('batch'), organization, conversations: ids });
  await enqueue(tx, now, { kind: jobKind, organization, subject: organization });
}
