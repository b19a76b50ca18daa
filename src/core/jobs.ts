import type { WorkShare } from '../contract/api.ts';
import type { Problem } from '../errors/problem.ts';
import type { Services } from './handler.ts';
import { jobId, jobs, unclaimed, type JobRow } from './rows/jobs.ts';
import type { ScrubResult, WriteTransaction } from './store.ts';

/** A request for a job. There is at most one job for a kind and subject. */
export interface JobRequest {
  readonly kind: string;
  readonly organization: string;
  readonly subject: string;
  readonly payload?: unknown;
  /** ISO time from which the job may run (default now). */
  readonly dueAt?: string;
}

/**
 * Requests a job, in the transaction that makes it necessary. If the same job is already waiting, the requests are merged;
 * if it is running, it runs once more afterwards.
 */
export async function enqueue(
  tx: WriteTransaction,
  now: string,
  { kind, organization, subject, payload, dueAt = now }: JobRequest,
): Promise<void> {
  const id = jobId(kind, subject);
  const existing = await tx.get(jobs, id);
  const newPayload = payload === undefined ? {} : { payload };
  if (existing === undefined)
    return tx.insert(jobs, {
      id,
      kind,
      organization,
      subject,
      queue: 'open',
      ...unclaimed(kind, dueAt, now),
      attempts: 0,
      again: false,
      createdAt: now,
      ...newPayload,
    });
  if (existing.owner !== null) return void (await tx.update(jobs, id, { again: true, ...newPayload }));
  const keepsTime = existing.queue === 'open' && existing.attempts === 0 && existing.dueAt < dueAt;
  await tx.update(jobs, id, {
    queue: 'open',
    ...unclaimed(kind, keepsTime ? existing.dueAt : dueAt, now),
    attempts: 0,
    problem: undefined,
    ...newPayload,
  });
}

/** Removes a job that is no longer needed. A process that is running it fails at its next write. */
export async function dequeue(tx: WriteTransaction, kind: string, subject: string): Promise<void> {
  await tx.remove(jobs, jobId(kind, subject));
}

/** What an engine may use. Engines read and write in short transactions, and do the long work between them. */
export interface JobContext extends Services {
  readonly job: JobRow;
  /** Runs a write transaction. It throws if another process has claimed the job, so that nothing is done twice. */
  readonly write: <T>(work: (tx: WriteTransaction) => Promise<T>) => Promise<T>;
  /** Environment variables of the operator, with addresses and keys of services. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the process stops. Work that was not written is repeated later. */
  readonly signal: AbortSignal;
  /**
   * Erases the traces of removed rows in the files of the store, see `Store.scrub`. On a server, it gives up when there are
   * writes; with `goesAhead`, writes wait instead, for at most `maxHold`.
   */
  readonly scrub: (goesAhead?: boolean) => Promise<ScrubResult>;
  /** Reports the progress in a few words. */
  readonly progress: (text: string, share?: WorkShare) => void;
}

export interface JobOutcome {
  /** Last writes, in the transaction that removes or reschedules the job. */
  write?(tx: WriteTransaction): Promise<void>;
  /** When to repeat it. Absent: only when it is requested again. */
  readonly repeatAt?: string;
  /** ISO time since which each run has found the store busy. The next run gets it. */
  readonly busySince?: string | undefined;
  /** One sentence about a problem of the subject. The job itself has succeeded. */
  readonly warning?: string;
}

export interface Engine {
  /**
   * Does the job.
   *
   * @throws Problem if the job fails. It is retried later for the reasons unreachable, timed-out, rate-limited and store-busy.
   */
  run(context: JobContext): Promise<JobOutcome | void>;
  /** Marks the subject as failed, after the last attempt. */
  failed?(tx: WriteTransaction, job: JobRow, problem: Problem, now: string): Promise<void>;
}
