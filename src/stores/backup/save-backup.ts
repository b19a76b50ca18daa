import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { whyUnwritable } from '../../files/unreadable-file.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { isBackup } from '../failures.ts';
import { syncParentFolder } from '../files.ts';

/** Checks that a backup can be written to a path. @throws Problem(invalid-input), Problem(guard-refused) */
export function checkBackupPath(path: string, force: boolean): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isFile())
    throw new Problem('invalid-input', `${path} is not a file.`, {
      hint: 'Name a new file, such as backup.ndjson.gz.',
    });
  if (stats.size > 0 && !path.endsWith('.gz') && !isBackup(path))
    throw new Problem('guard-refused', `${path} exists and is not a backup, so it is not replaced.`, {
      hint: 'Name a new file, such as backup.ndjson.gz.',
    });
  if (!force)
    throw new Problem('guard-refused', `${path} already exists.`, { hint: 'To replace it, add --force.' });
}

/**
 * Writes the lines of a backup to a file with the permissions 0600, compressed if its name ends in .gz. The file appears at the
 * path when it is complete and on the disk. Returns its size in bytes.
 *
 * @throws Problem(invalid-input) if it cannot be written; the errors of `lines`
 */
export async function saveBackup(
  path: string,
  lines: AsyncIterable<string | Uint8Array>,
  force: boolean,
): Promise<number> {
  const part = `${path}.${randomUUID()}.part`;
  // If a write fails, the pipeline reports only that it was aborted, so the original error is kept here.
  let failure: unknown;
  let failedSource: unknown;
  const read = async function* (): AsyncGenerator<string | Uint8Array> {
    try {
      yield* lines;
    } catch (error) {
      failedSource = error;
      throw error;
    }
  };
  try {
    const file = await open(part, 'wx', 0o600);
    try {
      await file.chmod(0o600);
      const source = Readable.from(read(), { objectMode: true });
      const write = async (chunks: AsyncIterable<string | Uint8Array>): Promise<void> => {
        for await (const chunk of chunks)
          await file.appendFile(chunk).catch((error: unknown) => {
            failure = error;
            throw error;
          });
      };
      await (path.endsWith('.gz') ? pipeline(source, createGzip(), write) : write(source));
      await file.sync();
    } finally {
      await file.close();
    }
    if (!force && existsSync(path)) checkBackupPath(path, force);
    await rename(part, path);
    syncParentFolder(path);
    return (await stat(path)).size;
  } catch (thrown) {
    const error = failure ?? thrown;
    await rm(part, { force: true }).catch(() => {});
    if (error === failedSource || isProblem(error) || !(error instanceof Error) || !('code' in error))
      throw error;
    throw new Problem('invalid-input', `${path} cannot be written: ${whyUnwritable(path, error)}.`, {
      hint: 'Check that the folder exists, that you may write there, and that the disk has room.',
      cause: error,
    });
  }
}
