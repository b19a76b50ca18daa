import type { Problem } from '../errors/problem.ts';
import type { RawAnswer, RawRequest, StreamedAnswer } from './exchange.ts';
import type { InputOf, Operation, OutputOf } from './operation.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Receives the progress of long work in this process, such as creating a file or updating an index. */
  readonly onProgress?: OnProgress;
  /** The purpose of the call, shown while it runs for long (default: the summary of the operation). */
  readonly activity?: string;
  /** If a write is repeated with the same key, it is done only once. */
  readonly idempotencyKey?: string;
  /** The change is made only if the resource still has this entity tag: see `tagOf`. */
  readonly ifMatch?: string;
  /** The change is made only if the resource has none of these entity tags; `*`: only if it does not exist. */
  readonly ifNoneMatch?: string;
}

/** Receives the number of finished items, and their total (0 if unknown). `what` names the activity, such as "indexing". */
export type OnProgress = (done: number, total: number, what?: string) => void;

/** Selects the jobs to do: those that match all given fields. */
export interface WorkRequest {
  readonly kind?: string | undefined;
  readonly subject?: string | undefined;
  readonly organization?: string | undefined;
  readonly signal: AbortSignal;
  /** Whether to run the removal of deleted data even if it is not due yet. */
  readonly isRequested?: boolean;
  /** Whether to skip work that blocks other processes for long, and not to wait for jobs that others have claimed. */
  readonly isBrief?: boolean;
  readonly onEvent?: (event: WorkEvent) => void;
}

/** How many items of a job are done, of how many. */
export interface WorkShare {
  readonly done: number;
  readonly total: number;
}

export interface WorkEvent {
  readonly kind: string;
  readonly subject: string;
  /** The progress in a few words; absent when the job has ended. */
  readonly progress?: string;
  readonly share?: WorkShare;
  /**
   * The end of the job. `again`: it is repeated, now or at a set time; `later`: it failed and is retried; `held`: another process
   * runs it.
   */
  readonly end?: 'done' | 'again' | 'later' | 'failed' | 'lost' | 'stopped' | 'held';
  readonly problem?: Problem;
  /** A problem of the subject, even though the job itself succeeded. */
  readonly trouble?: string;
}

/** Runs operations: the embedded core, or a remote server. */
export interface Api {
  call<O extends Operation>(operation: O, input: InputOf<O>, options?: CallOptions): Promise<OutputOf<O>>;
  /** The URL of the store or server: `sqlite:/data/docs.db`, `https://docs.example.com`. */
  readonly place: string;
  close(): Promise<void>;
  /** Does the due jobs in this process, and returns when none is left. Absent for a server, which has its own workers. */
  work?(request: WorkRequest): Promise<void>;
  /** Sends a request unchanged. Absent for an embedded store. */
  send?(request: RawRequest): Promise<RawAnswer>;
  /** Sends a request whose answer may be of any size. Absent for an embedded store. */
  stream?(request: RawRequest): Promise<StreamedAnswer>;
}
