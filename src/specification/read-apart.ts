import { spawn } from 'node:child_process';
import { execPath } from 'node:process';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Problem } from '../errors/problem.ts';
import type { ReaderAnswer, ReaderRequest } from './answer-reader.ts';

declare const DOCSCTL_VERSION: string | undefined;

/** The build says the version; the sources, run as they are, have none. */
const isBuilt = typeof DOCSCTL_VERSION !== 'undefined';
/** What reading one specification may take. */
const most = { milliseconds: 30_000, megabytes: 384 };

export interface ReadingOptions extends Omit<ReaderRequest, 'text'> {
  readonly signal: AbortSignal;
  /** Whether a process is started for it: always where docsctl is built; from its sources, in tests, only where it is what is tested. */
  readonly isApart?: boolean;
  readonly milliseconds?: number;
  readonly megabytes?: number;
}

/**
 * Reads and checks a specification in a process of its own, so that a hostile one holds up nothing, takes no more than
 * it may, and is an error of that specification whatever comes of it. No thread: one that runs out of memory takes the
 * process with it. Throws `interrupted` when the signal says so.
 */
export async function readApart(
  text: string,
  {
    signal,
    isJson,
    pagesFor,
    isApart = isBuilt,
    milliseconds = most.milliseconds,
    megabytes = most.megabytes,
  }: ReadingOptions,
): Promise<ReaderAnswer> {
  const interrupted = (): Problem => new Problem('interrupted', 'Reading the specification was given up.');
  if (signal.aborted) throw interrupted();
  // Said as it is, not by isBuilt: so the build leaves the reader out of what loads this file.
  if (typeof DOCSCTL_VERSION === 'undefined' && !isApart)
    return (await import('./answer-reader.ts')).answerReader({ text, isJson, pagesFor });
  // Nothing is sent through the last: it ends with this process, and the reader with it, whatever this one dies of.
  const reader = spawn(execPath, [`--max-old-space-size=${megabytes}`, ...program()], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    windowsHide: true,
  });
  const { stdin, stdout } = reader;
  if (stdin === null || stdout === null) throw new Error('the reader of specifications has no pipes');
  const end = (): void => void reader.kill('SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    end();
  }, milliseconds);
  try {
    const closed = new Promise<{ readonly code: number | null; readonly by: string | null }>(
      (resolve, reject) => {
        reader.once('error', reject);
        reader.once('close', (code, by) => resolve({ code, by }));
      },
    );
    // Where it came to its end, what it was not told is of no interest.
    for (const pipe of [stdin, reader.stdio[3]]) pipe?.on('error', () => {});
    stdin.end(JSON.stringify({ text, isJson, pagesFor } satisfies ReaderRequest));
    const [answer, { code, by }] = await Promise.all([textOf(stdout), closed]);
    if (signal.aborted) throw interrupted();
    if (isLate) return tooCostly(`takes longer than ${milliseconds / 1000} s to read`);
    if (code === 0) return JSON.parse(answer) as ReaderAnswer;
    if (by === null && code === 1) throw new Error('the reader of specifications ended in an error');
    return tooCostly(`takes more than ${megabytes} MiB of memory to read`);
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener('abort', end);
  }
}

function tooCostly(what: string): ReaderAnswer {
  return {
    errors: [
      {
        code: 'TOO_COSTLY',
        message: `it ${what}; split it, or refer to less from more places`,
        at: { line: 1, column: 1 },
        pointer: '',
      },
    ],
  };
}

/** The file that a process runs as a reader: bundled in dist; the sources have a script for that. */
function program(): string[] {
  const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  return isBuilt
    ? [file('specification-reader.js')]
    : [file('../../.scripts/run-source.js'), file('reader.ts')];
}
