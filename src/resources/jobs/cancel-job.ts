import type { JobRow } from '../../core/rows/jobs.ts';
import type { WriteTransaction } from '../../core/store.ts';
import { cancelRuns } from '../git-sync/request-run.ts';
import { translations } from '../translations/rows.ts';

const reason = 'interrupted';

/**
 * How to cancel the work of a job, by kind. Other kinds cannot be canceled, because they keep the data of the store consistent.
 */
const cancels: Readonly<
  Record<string, (tx: WriteTransaction, job: JobRow, now: string) => Promise<unknown>>
> = {
  // The next analysis also reads the conversations of this one.
  conversations: () => Promise.resolve(),
  'git-sync': (tx, { subject }, now) =>
    cancelRuns(tx, subject, now, { reason, message: 'The run was canceled.' }),
  translation: async (tx, { subject }, at) =>
    (await tx.get(translations, subject)) &&
    tx.update(translations, subject, {
      status: 'pending',
      problem: { reason, message: 'The run was canceled.', at },
    }),
};

/** The kinds of jobs that can be canceled. */
export const cancelableKinds: readonly string[] = Object.keys(cancels);

/** Marks the work of a queued job as canceled. */
export async function cancelWork(tx: WriteTransaction, job: JobRow, now: string): Promise<void> {
  await cancels[job.kind]?.(tx, job, now);
}
