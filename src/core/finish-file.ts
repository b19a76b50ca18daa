import { isUtf8 } from 'node:buffer';
import type { FileAnswer, HandlerFile, FileWaiter } from '../contract/file.ts';

/** One media type with parameters that a header can carry. */
const mediaType = /^[\w.+-]+\/[\w.+-]+([ \t]*;[ \t]*[\w.+-]+=([\w.+-]+|"[ !#-[\]-~]*"))*$/;

/** The file as callers get it, here and over HTTP: with its bytes, and a content type that a header can carry. */
export async function finishFile(
  { name, contentType, bytes: given }: HandlerFile,
  waiting: FileWaiter = {},
): Promise<FileAnswer> {
  const bytes = typeof given === 'function' ? await given(waiting) : given;
  return { name: name.toWellFormed(), contentType: safeContentType(contentType, bytes), bytes };
}

/** A type that is none is that of any bytes; a text says that it is UTF-8, where it is. */
function safeContentType(declared: string, bytes: Uint8Array): string {
  if (!mediaType.test(declared)) return 'application/octet-stream';
  return /^text\//i.test(declared) && !/;\s*charset=/i.test(declared) && isUtf8(bytes)
    ? `${declared}; charset=utf-8`
    : declared;
}
