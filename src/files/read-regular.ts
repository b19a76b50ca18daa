import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';

/** A text, or the reason why it could not be read, as half a sentence. */
type ReadText = { readonly text: string; readonly bytes: number } | { readonly refused: string };

/**
 * Reads a regular file as UTF-8. No symbolic link is followed in any part of the path, which must be real and
 * absolute.
 */
export function readRegular(path: string, limit: number): ReadText {
  const read = readRegularBytes(path, limit);
  if ('refused' in read) return read;
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(read.bytes), bytes: read.bytes.length };
  } catch (error) {
    return { refused: reasonOf(error) };
  }
}

/** Like `readRegular`, for a file that need not be a text. */
export function readRegularBytes(
  path: string,
  limit: number,
): { readonly bytes: Buffer } | { readonly refused: string } {
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK, opening a pipe would wait for its writer. Windows has only O_RDONLY.
    descriptor = openSync(
      path,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY,
    );
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) return { refused: 'is a folder, not a file' };
    if (!stat.isFile()) return { refused: 'is not a regular file' };
    // Checked after opening, so that the checked file is the one that is read.
    if (realpathSync(path) !== path || statSync(path).ino !== stat.ino) return { refused: symlinkRefused };
    const bytes = stat.size > limit ? undefined : readAll(descriptor, stat.size, limit);
    if (bytes === undefined) return { refused: `is larger than ${sizeOf(limit)}` };
    return { bytes };
  } catch (error) {
    return { refused: reasonOf(error) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * Reads all bytes. The expected size may be wrong, because the file can grow, and files in /proc have size 0. Returns undefined
 * above the limit.
 */
function readAll(descriptor: number, expected: number, limit: number): Buffer | undefined {
  const parts: Buffer[] = [];
  let size = 0;
  for (;;) {
    const part = Buffer.allocUnsafe(Math.min(expected, limit) - size + 1);
    const read = readSync(descriptor, part, 0, part.length, null);
    if (read === 0) return Buffer.concat(parts, size);
    size += read;
    if (size > limit) return undefined;
    parts.push(part.subarray(0, read));
    expected = Math.max(expected, size + 64 * 1024);
  }
}

const symlinkRefused = 'is a symbolic link or is inside one; links are not followed';

/** Describes an error of the file system: half a sentence. */
export function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
  if (code === 'EACCES' || code === 'EPERM') return 'cannot be read: permission denied';
  if (code === 'ELOOP' || code === 'EMLINK') return symlinkRefused;
  if (code === 'ENXIO') return 'is not a regular file';
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'is not UTF-8 text';
  if (code === undefined) throw error;
  return `cannot be read (${code})`;
}

function sizeOf(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.ceil(bytes / (1024 * 1024))} MiB` : `${bytes} bytes`;
}
