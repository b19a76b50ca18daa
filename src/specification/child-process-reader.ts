import { spawn } from 'node:child_process';
import { execPath } from 'node:process';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Problem } from '../errors/problem.ts';
import type { Analysis, AnalysisRequest } from './read-specification.ts';

declare const DOCSCTL_VERSION: string | undefined;

/** Only the build defines the version. */
const isBuilt = typeof DOCSCTL_VERSION !== 'undefined';

export interface ReadOptions extends Omit<AnalysisRequest, 'text'> {
  readonly signal: AbortSignal;
  /** Whether to start a child process (default: only in dist, so that tests of the sources are fast). */
  readonly useChildProcess?: boolean;
  /** Milliseconds (default 30,000). */
  readonly timeout?: number;
  /** Memory limit of the child process, in MiB (default 384). */
  readonly maxMegabytes?: number;
}

/**
 * Reads and checks a specification in a child process, so that a malicious one blocks nothing and causes only an error for
 * itself. A thread is not enough, because one that runs out of memory ends the whole program.
 *
 * @throws Problem(interrupted) if the signal is aborted
 */
export async function readInChildProcess(
  text: string,
  { signal, useChildProcess = isBuilt, timeout = 30_000, maxMegabytes = 384, ...asked }: ReadOptions,
): Promise<Analysis> {
  const request: AnalysisRequest = { text, ...asked };
  if (signal.aborted) throw interrupted();
  if (!useChildProcess) return (await import('./read-specification.ts')).analyzeSpecification(request);
  const reader = spawn(execPath, [`--max-old-space-size=${maxMegabytes}`, ...programArguments()], {
    env: {},
    // No data is sent through the last pipe. It closes when this process ends for any reason, and then the reader ends too.
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    windowsHide: true,
  });
  const { stdin, stdout } = reader;
  if (stdin === null || stdout === null) throw new Error('the reader of specifications has no pipes');
  const kill = () => void reader.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    kill();
  }, timeout);
  try {
    const closed = new Promise<{ code: number | null; killedBy: string | null }>((resolve, reject) => {
      reader.once('error', reject);
      reader.once('close', (code, killedBy) => resolve({ code, killedBy }));
    });
    // A reader that has ended does not read the rest of its input. Its exit says more than the error of the pipe.
    for (const pipe of [stdin, reader.stdio[3]]) pipe?.on('error', () => {});
    stdin.end(JSON.stringify(request));
    const [answer, { code, killedBy }] = await Promise.all([textOf(stdout), closed]);
    if (signal.aborted) throw interrupted();
    if (isLate) return tooCostly(`takes longer than ${timeout / 1000} s to read`);
    if (code === 0) return JSON.parse(answer) as Analysis;
    if (killedBy === null && code === 1) throw new Error('the reader of specifications ended in an error');
    return tooCostly(`takes more than ${maxMegabytes} MiB of memory to read`);
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener('abort', kill);
  }
}

function interrupted(): Problem {
  return new Problem('interrupted', 'Interrupted while reading the specification.');
}

function tooCostly(cost: string): Analysis {
  const message = `the specification ${cost}; split it, or use fewer references`;
  return { errors: [{ code: 'TOO_COSTLY', message, at: { line: 1, column: 1 }, pointer: '' }] };
}

/** Returns the Node.js arguments for the reader: in dist it is a part of main.js; from the sources, a script runs it. */
function programArguments(): string[] {
  const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));
  return isBuilt
    ? ['-e', "require(require('node:process').argv[1]).readSpecificationApart()", path('main.js')]
    : [path('../../.scripts/run-source.js'), path('reader-process.ts')];
}
