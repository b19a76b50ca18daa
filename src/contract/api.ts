import type { Problem } from '../errors/problem.ts';
import type { RawAnswer, RawRequest, StreamedAnswer } from './exchange.ts';
import type { InputOf, Operation, OutputOf } from './operation.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Gets the progress of what takes long in this process: a file that is made, an index that is brought up to date. */
  readonly onProgress?: OnProgress;
  /** What the call is for, shown while it takes long (default: the summary of the operation). */
  readonly activity?: string;
  /** A write that is repeated with the same key is done once. */
  readonly idempotencyKey?: string;
  /** The change is made only if what it changes still has this entity tag: see `tagOf`. */
  readonly ifMatch?: string;
}

/**
 * Receives the number of things that are done, and their total (0 if it is not known). `what` names the activity,
 * such as "indexing".
 */
export type OnProgress = (done: number, total: number, what?: string) => void;

/** Which jobs to do: those that match every field that is given. */
export interface WorkRequest {
  readonly kind?: string | undefined;
  readonly subject?: string | undefined;
  readonly organization?: string | undefined;
  readonly signal: AbortSignal;
  /** Whether the removal of what was deleted runs also if it is not due yet. */
  readonly isRequested?: boolean;
  /** Whether work that blocks other processes for long is left out. */
  readonly isBrief?: boolean;
  readonly onEvent?: (event: WorkEvent) => void;
}

export interface WorkEvent {
  readonly kind: string;
  readonly subject: string;
  /** The progress in a few words; absent when the job has ended. */
  readonly progress?: string;
  /**
   * `again`: it is repeated, now or at a set time; `later`: it failed and is retried; `held`: another process has
   * claimed it.
   */
  readonly end?: 'done' | 'again' | 'later' | 'failed' | 'lost' | 'stopped' | 'held';
  /** For a job that is held: when the claim ends unless its process renews it. */
  readonly until?: string;
  readonly problem?: Problem;
  /** A problem of the subject, although the job itself is done. */
  readonly trouble?: string;
}

/** Anything that can run operations: the embedded core, or a remote server. */
export interface Api {
  call<O extends Operation>(operation: O, input: InputOf<O>, options?: CallOptions): Promise<OutputOf<O>>;
  /** The URL of the store or server: `sqlite:/data/docs.db`, `https://docs.example.com`. */
  readonly place: string;
  close(): Promise<void>;
  /**
   * Does the jobs that are due in this process; returns when none is left. Absent for a server, which has its own
   * workers.
   */
  work?(request: WorkRequest): Promise<void>;
  /** Sends a request unchanged. Absent for an embedded store. */
  send?(request: RawRequest): Promise<RawAnswer>;
  /** Sends a request whose answer may be of any size. Absent for an embedded store. */
  stream?(request: RawRequest): Promise<StreamedAnswer>;
}
