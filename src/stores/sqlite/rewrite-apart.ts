import { spawn } from 'node:child_process';
import { statfs, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { execPath } from 'node:process';
import type { ScrubResult } from '../../core/store.ts';
import { bindingPath } from './binding.ts';

interface RewriteOptions {
  readonly signal: AbortSignal;
  /** Receives a function that ends the rewriting if it is not committed yet, so that a write need not wait for it. */
  readonly onStart?: ((giveWay: () => void) => void) | undefined;
  /** Milliseconds after which it ends. Until then it waits for writes of other processes (default: it waits for none). */
  readonly maxTime?: number | undefined;
}

/** The bytes that a rewriting needs, by the bytes of the file: a copy, and the log of the changes. */
const neededSpace = 2.5;

/**
 * The program of the process. It first rewrites the file in one transaction, which is rolled back when the process is killed.
 * Then it moves the log into the file, which stops nobody from reading and writing. It exits with 5 if the file is locked.
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
 * Rewrites a SQLite file in a process of its own, so that this process can read and write meanwhile. A write ends it, and the
 * file is as before. `large`: there is no space for it.
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
  // It may have been killed just after its commit, which leaves a large log. This process would stop while it moves that.
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
      // Temporary files are as safe as the store, and there is space for them.
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
