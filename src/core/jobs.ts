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
  /** Takes the place of what was asked before. */
  readonly payload?: unknown;
  /** Default: now. */
  readonly dueAt?: string;
}

/** Asks for work, in the transaction that makes it necessary. What waits already is not asked for twice; what runs is done once more. */
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

/** Takes work back that is not wanted any more; who works on it finds out when writing. */
export async function dequeue(tx: WriteTransaction, kind: string, subject: string): Promise<void> {
  await tx.remove(jobs, jobId(kind, subject));
}

/** What an engine may use. It reads and writes in short transactions, and does what takes long between them. */
export interface JobContext {
  readonly job: JobRow;
  readonly read: <T>(work: (view: ReadTransaction) => Promise<T>) => Promise<T>;
  /** Throws when the job is somebody else's by now: nothing is done twice. */
  readonly write: <T>(work: (tx: WriteTransaction) => Promise<T>) => Promise<T>;
  readonly outgoing: Outgoing;
  readonly vault: Vault;
  readonly now: () => string;
  readonly newId: NewId;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly url: (path: string) => string;
  /** Settings of whoever runs docsctl: addresses and keys of services. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the process is to stop; what is not written then is done again later. */
  readonly signal: AbortSignal;
  /** Tells how far it is, in a few words, to who waits for it. */
  readonly progress: (text: string) => void;
}

/** How work ends. */
export interface JobOutcome {
  /** Its last words, in the transaction that ends the job. */
  write?(tx: WriteTransaction): Promise<void>;
  /** When to do it again. Absent: not before somebody asks. */
  readonly repeatAt?: string;
  /** What it found wrong with what it was done for, in a sentence: the job is done, its subject is not well. */
  readonly warning?: string;
}

/** What does the jobs of one kind. */
export interface Engine {
  /** Throws a Problem where it cannot be done; one that may pass (unreachable, timed out, rate limited) is tried again later. */
  run(context: JobContext): Promise<JobOutcome | void>;
  /** Says on the resource that it failed for good. */
  failed?(tx: WriteTransaction, job: JobRow, problem: Problem, now: string): Promise<void>;
}
