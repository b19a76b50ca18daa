import { isUtf8 } from 'node:buffer';
import { defined } from '../contract/values.ts';
import type { FileAnswer, FileWaiter, HandlerFile } from '../contract/file.ts';

/** Matches a media type with parameters that is safe in a header. */
const mediaType = /^[\w.+-]+\/[\w.+-]+([ \t]*;[ \t]*[\w.+-]+=([\w.+-]+|"[ !#-[\]-~]*"))*$/;

/**
 * Turns the file of a handler into an answer: makes its bytes if they are not made yet, and checks its content type.
 */
export async function finishFile(
  { name, contentType, bytes: source, hash }: HandlerFile,
  waiter: FileWaiter,
): Promise<FileAnswer> {
  const bytes = typeof source === 'function' ? await source(waiter) : source;
  return {
    name: name.toWellFormed(),
    contentType: safeContentType(contentType, bytes),
    bytes,
    ...defined({ hash }),
  };
}

/**
 * Returns the content type of a file: application/octet-stream for an invalid one, and with a charset for texts in
 * UTF-8.
 */
function safeContentType(declared: string, bytes: Uint8Array): string {
  if (!mediaType.test(declared)) return 'application/octet-stream';
  return /^text\//i.test(declared) && !/;\s*charset=/i.test(declared) && isUtf8(bytes)
    ? `${declared}; charset=utf-8`
    : declared;
}
