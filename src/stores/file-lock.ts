import { isFile, createFile } from './files.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import { Database } from './sqlite/connection.ts';

/**
 * Locks a file and returns the function that unlocks it. It is a lock of the operating system on an empty file `PATH.lock`, so it
 * ends when the process dies. SQLite takes the lock, because it can do so on every platform.
 *
 * @param timeout milliseconds to wait for another process
 * @throws Problem(store-busy), Problem(store-failed)
 */
export async function lockFile(path: string, timeout: number): Promise<() => void> {
  const lock = `${path}.lock`;
  let database: Database | undefined;
  try {
    await retryWhileBusy(path, timeout, () => {
      if (!isFile(lock)) createFile(lock);
      database ??= new Database(lock);
      // Without a journal SQLite creates no other file, so a killed process leaves nothing behind.
      database.exec('PRAGMA journal_mode=OFF; BEGIN EXCLUSIVE');
    });
  } catch (error) {
    database?.close();
    throw error;
  }
  return () => database?.close();
}
