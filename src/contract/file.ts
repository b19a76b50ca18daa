import { custom } from './schema.ts';
import { isRecord } from './values.ts';

/** A file as the answer of an operation. */
export interface FileAnswer {
  /** As it was given when the file was made: it may hold anything, path parts and line ends too. */
  readonly name: string;
  /** As in a Content-Type header, with the charset of a text. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** What whoever waits for a file has for whoever makes it. */
export interface FileWaiter {
  /** Ends the work when nobody waits any more. */
  readonly signal?: AbortSignal | undefined;
  /** Is told how far it is; never by a server far away. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** A file as a handler gives it; `bytes` as a function is run after the transaction, for what takes long to make. */
export interface HandlerFile extends Omit<FileAnswer, 'bytes'> {
  readonly bytes: Uint8Array | ((waiting: FileWaiter) => Promise<Uint8Array>);
}

/** Checks the answer as callers get it, and stands for its bytes in the description of the API. */
export const FileSchema = custom<FileAnswer>(
  'File',
  { type: 'string', format: 'binary' },
  (value) =>
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    typeof value['contentType'] === 'string' &&
    value['bytes'] instanceof Uint8Array,
);
