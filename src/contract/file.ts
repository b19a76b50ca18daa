import { custom } from './schema.ts';
import { isRecord } from './values.ts';

export interface FileAnswer {
  /** The name from the person who added the file. It may contain anything, even path separators and line breaks. */
  readonly name: string;
  /** The value of a Content-Type header, with the charset of a text. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** The hash of a stored file. With it, clients of a server can request parts of the file. */
  readonly hash?: string | undefined;
}

/** The signal and the progress callback of a caller that waits for a file. */
export interface FileWaiter {
  /** Aborted when the caller stops waiting. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the progress; never called for a remote server. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * A file that a handler returns. `bytes` may be a function, which runs after the transaction, for files that take long to create.
 */
export interface HandlerFile extends Omit<FileAnswer, 'bytes'> {
  readonly bytes: Uint8Array | ((waiting: FileWaiter) => Promise<Uint8Array>);
}

/** Checks the file answer of a caller, and describes its bytes in the OpenAPI document. */
export const FileSchema = custom<FileAnswer>(
  'File',
  { type: 'string', format: 'binary' },
  (value) =>
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    typeof value['contentType'] === 'string' &&
    value['bytes'] instanceof Uint8Array,
);
