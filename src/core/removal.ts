import { addTime, hour } from './clock.ts';
import { enqueue } from './jobs.ts';
import type { WriteTransaction } from './store.ts';

/** The job that permanently removes deleted data. Each store has one; it belongs to no organization. */
const removalJob = { kind: 'removal', organization: '', subject: 'store' } as const;

/** Milliseconds after a deletion until its traces are removed, so that several deletions are one job. */
const delay = hour;

/** Requests the job that permanently removes deleted data, to run in an hour or at an ISO time. */
export function requestRemoval(
  tx: WriteTransaction,
  now: string,
  dueAt: string = addTime(now, delay),
): Promise<void> {
  return enqueue(tx, now, { ...removalJob, dueAt });
}
