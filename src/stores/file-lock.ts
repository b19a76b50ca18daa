import { isFile, createFile } from './files.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import { Database } from './sqlite/connection.ts';

/**
 * Takes the lock that goes with a file and gives the way to let it go. It is a lock of the operating system on an
 * empty `PATH.lock`, so it dies with its owner; SQLite is only the portable way to ask for it.
 */
export async function lockFile(path: string, timeout: number): Promise<() => void> {
  const lock = `${path}.lock`;
  let database: Database | undefined;
  try {
    await retryWhileBusy(path, timeout, () => {
      if (!isFile(lock)) createFile(lock);
      database ??= new Database(lock);
      // Without a journal nothing is ever written, so nothing can be left over.
      database.exec('PRAGMA journal_mode=OFF; BEGIN EXCLUSIVE');
    });
  } catch (error) {
    database?.close();
    throw error;
  }
  return () => database?.close();
}
