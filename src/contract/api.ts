import type { Problem } from '../errors/problem.ts';
import type { InputOf, Operation, OutputOf } from './operation.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Is told how far the making of a file is, where it is made here. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Repeat a write with the same key and it is done once. */
  readonly idempotencyKey?: string;
}

/** Which jobs to do; each field narrows it down. */
export interface WorkRequest {
  readonly kind?: string | undefined;
  readonly subject?: string | undefined;
  readonly organization?: string | undefined;
  readonly signal: AbortSignal;
  readonly onEvent?: (event: WorkEvent) => void;
}

export interface WorkEvent {
  readonly kind: string;
  readonly subject: string;
  /** How far it is; absent at its end. */
  readonly progress?: string;
  /** `again`: it is to be done once more, now or at a set time; `later`: it failed and is tried again; `held`: somebody else does it, or was killed with it. */
  readonly end?: 'done' | 'again' | 'later' | 'failed' | 'lost' | 'stopped' | 'held';
  /** Of one that is held: when it is taken from who does not give a sign of life until then. */
  readonly until?: string;
  readonly problem?: Problem;
  /** What it found wrong with its subject, though the job is done. */
  readonly trouble?: string;
}

/** Anything that can run operations: the embedded core, or a server far away. */
export interface Api {
  call<O extends Operation>(operation: O, input: InputOf<O>, options?: CallOptions): Promise<OutputOf<O>>;
  /** How a person would name the place: `sqlite:/data/docs.db`, `https://docs.example.com`. */
  readonly place: string;
  close(): Promise<void>;
  /** Does the jobs that are due, here; returns when none of them is left. Absent on a server: its own workers do them. */
  work?(request: WorkRequest): Promise<void>;
}
