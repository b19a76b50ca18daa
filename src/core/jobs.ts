import type { Problem } from '../errors/problem.ts';
import type { NewId } from './ids.ts';
import type { Outgoing } from './outgoing.ts';
import { jobId, jobs, type JobRow } from './rows/jobs.ts';
import type { Vault } from './secrets.ts';
import type { ReadTransaction, WriteTransaction } from './store.ts';

export interface JobRequest {
  readonly kind: string;
  readonly organization: string;
  readonly subject: string;
  /** Replaces the payload of an earlier request. */
  readonly payload?: unknown;
  /** Default: now. */
  readonly dueAt?: string;
}

/** Requests a job, in the transaction that makes it necessary. A waiting job is not added twice; a running one runs once more afterwards. */
export async function enqueue(
  tx: WriteTransaction,
  now: string,
  { kind, organization, subject, payload, dueAt = now }: JobRequest,
): Promise<void> {
  const id = jobId(kind, subject);
  const known = await tx.get(jobs, id);
  const more = payload === undefined ? {} : { payload };
  if (known === undefined)
    return tx.insert(jobs, {
      id,
      kind,
      organization,
      subject,
      queue: 'open',
      dueAt,
      owner: null,
      attempts: 0,
      again: false,
      createdAt: now,
      ...more,
    });
  if (known.owner !== null) await tx.update(jobs, id, { again: true, ...more });
  else
    await tx.update(jobs, id, {
      queue: 'open',
      dueAt: known.queue === 'open' && known.attempts === 0 && known.dueAt < dueAt ? known.dueAt : dueAt,
      attempts: 0,
      problem: undefined,
      ...more,
    });
}

/** Removes a job that is no longer needed. A process that is running it fails at its next write. */
export async function dequeue(tx: WriteTransaction, kind: string, subject: string): Promise<void> {
  await tx.remove(jobs, jobId(kind, subject));
}

/** What an engine may use. It reads and writes in short transactions and works between them. */
export interface JobContext {
  readonly job: JobRow;
  readonly read: <T>(work: (view: ReadTransaction) => Promise<T>) => Promise<T>;
  /** Throws when another process has claimed the job, so that nothing is done twice. */
  readonly write: <T>(work: (tx: WriteTransaction) => Promise<T>) => Promise<T>;
  readonly outgoing: Outgoing;
  readonly vault: Vault;
  readonly now: () => string;
  readonly newId: NewId;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly url: (path: string) => string;
  /** Settings of the operator: addresses and keys of services. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the process stops. Work that was not written is repeated later. */
  readonly signal: AbortSignal;
  /** Reports the progress in a few words. */
  readonly progress: (text: string) => void;
}

/** The result of a job. */
export interface JobOutcome {
  /** Last writes, in the transaction that removes or reschedules the job. */
  write?(tx: WriteTransaction): Promise<void>;
  /** When to repeat it. Absent: only when it is requested again. */
  readonly repeatAt?: string;
  /** A problem of the subject in one sentence, although the job itself is done. */
  readonly warning?: string;
}

/** Does the jobs of one kind. */
export interface Engine {
  /** Throws a Problem when the job fails. Transient reasons (unreachable, timed-out, rate-limited, store-busy) are retried later. */
  run(context: JobContext): Promise<JobOutcome | void>;
  /** Marks the subject as failed, after the last attempt. */
  failed?(tx: WriteTransaction, job: JobRow, problem: Problem, now: string): Promise<void>;
}
