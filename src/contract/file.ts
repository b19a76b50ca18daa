import { custom } from './schema.ts';
import { isRecord } from './values.ts';

export interface FileAnswer {
  /** The name that was given when the file was made. It may contain anything, even path separators and line breaks. */
  readonly name: string;
  /** The value of a Content-Type header, with the charset of a text. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** The hash of a file that is stored. Clients of a server can request parts of it. */
  readonly hash?: string | undefined;
}

/** How the caller that waits for a file takes part in making it. */
export interface FileWaiter {
  /** Aborted when the caller no longer waits. */
  readonly signal?: AbortSignal | undefined;
  /** Gets the progress; never from a remote server. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** A file as a handler returns it. `bytes` may be a function, which runs after the transaction, for files that take long to make. */
export interface HandlerFile extends Omit<FileAnswer, 'bytes'> {
  readonly bytes: Uint8Array | ((waiting: FileWaiter) => Promise<Uint8Array>);
}

/** Checks the answer that callers get, and describes its bytes in the OpenAPI document. */
export const FileSchema = custom<FileAnswer>(
  'File',
  { type: 'string', format: 'binary' },
  (value) =>
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    typeof value['contentType'] === 'string' &&
    value['bytes'] instanceof Uint8Array,
);
