import { spawn } from 'node:child_process';
import { statfs, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { execPath } from 'node:process';
import type { ScrubResult } from '../../core/store.ts';
import { bindingPath } from './binding.ts';

interface RewriteOptions {
  readonly signal: AbortSignal;
  /** Receives a function that aborts the rewriting if it is not committed yet, so that a write need not wait for it. */
  readonly onStart?: ((giveWay: () => void) => void) | undefined;
  /**
   * Maximum milliseconds of the rewriting. It then also waits for writes of other processes (default: no limit, and no waiting).
   */
  readonly maxTime?: number | undefined;
}

/** The space that a rewriting needs, as a multiple of the size of the file: for a copy and the log of the changes. */
const neededSpace = 2.5;

/**
 * The program of the process. It first rewrites the file in one transaction, which is rolled back when the process is killed.
 * Then it moves the log into the file, while others can read and write. It exits with 5 if the file is locked.
 */
const program = `
const self = require('node:process');
const [binding, path, task, timeout] = self.argv.slice(1);
const { DatabaseSync } = require(binding);
const database = new DatabaseSync(path, { timeout: Number(timeout) });
try {
  database.exec('PRAGMA temp_store = FILE; PRAGMA secure_delete = ON; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0');
  if (task === 'rewrite') {
    database.exec('VACUUM');
    require('node:fs').writeSync(1, 'rewritten');
  }
  database.exec('PRAGMA wal_checkpoint(PASSIVE)');
} catch (error) {
  self.exitCode = (error.errcode & 255) === 5 ? 5 : 1;
}
`;

/**
 * Rewrites a SQLite file in another process, so that this process can continue. `busy`: it was aborted, and the file is
 * unchanged, or the file was locked. `large`: there is not enough space, or it failed.
 */
export async function rewriteApart(
  path: string,
  { signal, onStart = () => {}, maxTime }: RewriteOptions,
): Promise<ScrubResult> {
  const folder = dirname(path);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < (await stat(path)).size * neededSpace) return 'large';
  let isCommitted = false;
  let isEnded = false;
  const exit = await runProgram(path, ['rewrite', String(maxTime ?? 0)], (child, output) => {
    output.once('data', () => (isCommitted = true));
    const end = (): void => {
      if (isCommitted) return;
      isEnded = true;
      child.kill('SIGKILL');
    };
    signal.addEventListener('abort', end, { once: true });
    onStart(end);
    const timer = maxTime === undefined ? undefined : setTimeout(end, maxTime);
    if (signal.aborted) end();
    return () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    };
  });
  onStart(() => {});
  if (exit === 0) return 'done';
  // If the process was killed just after its commit, the log is large. Another process moves it into the file, because that would
  // block this one.
  if (isEnded && !signal.aborted) await runProgram(path, ['checkpoint', '0'], () => () => {});
  return isEnded || exit === 5 ? 'busy' : 'large';
}

/** Runs the program and returns its exit code; null if it was killed. */
function runProgram(
  path: string,
  task: readonly [name: 'rewrite' | 'checkpoint', timeout: string],
  watch: (child: { kill(signal: 'SIGKILL'): boolean }, output: NodeJS.ReadableStream) => () => void,
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(execPath, ['-e', program, bindingPath(), path, ...task], {
      // Temporary files go to the folder of the store, which has enough space and is equally protected.
      env: { SQLITE_TMPDIR: dirname(path) },
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const stop = watch(child, child.stdout);
    child.once('error', reject);
    child.once('close', (code) => {
      stop();
      resolve(code);
    });
  });
}
