import type { InputOf, Operation, OutputOf } from './operation.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Is told how far the making of a file is, where it is made here. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Repeat a write with the same key and it is done once. */
  readonly idempotencyKey?: string;
}

/** Anything that can run operations: the embedded core, or a server far away. */
export interface Api {
  call<O extends Operation>(operation: O, input: InputOf<O>, options?: CallOptions): Promise<OutputOf<O>>;
  /** How a person would name the place: `sqlite:/data/docs.db`, `https://docs.example.com`. */
  readonly place: string;
  close(): Promise<void>;
}
