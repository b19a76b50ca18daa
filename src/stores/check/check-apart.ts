import { spawn } from 'node:child_process';
import { execPath } from 'node:process';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { interruptedProblem } from '../../contract/event-loop.ts';
import type { Reason } from '../../errors/catalog.ts';
import { Problem, type ProblemBody } from '../../errors/problem.ts';
import type { StoreTarget } from '../backup/restore.ts';
import type { CheckResult } from './check-store.ts';

declare const DOCSCTL_VERSION: string | undefined;

/** The build defines the version; the sources have none. */
const isBuilt = typeof DOCSCTL_VERSION !== 'undefined';

/** A request to the process, as one line of JSON. */
export interface CheckRequest {
  readonly url: string;
  readonly cwd: string;
  readonly quick: boolean;
}

/** The program of the process. Its argument is the path of main.js in dist. */
const program = "const self = require('node:process'); require(self.argv[1]).checkStoreApart(self)";

/**
 * Checks a store in another process, because SQLite checks a whole file in one step, which would block this process. When the
 * program runs from its sources, it checks in this process.
 *
 * @throws Problem(interrupted) when the signal is aborted, and the problems of `checkStore`
 */
export async function checkApart(
  target: StoreTarget,
  { quick, signal }: { quick: boolean; signal: AbortSignal },
): Promise<CheckResult> {
  if (!isBuilt) return (await import('./check-store.ts')).checkStore(target, { quick });
  const request: CheckRequest = { url: target.url, cwd: target.cwd, quick };
  const child = spawn(execPath, ['-e', program, fileURLToPath(new URL('main.js', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  try {
    const closed = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    // Ignored, because the exit of the process says more than an error of its pipe.
    child.stdin.on('error', () => {});
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const [answer, exit] = await Promise.all([textOf(child.stdout), closed]);
    if (signal.aborted) throw interruptedProblem();
    if (exit !== 0) throw new Error(`The process that checks the store ended with ${exit ?? 'a signal'}.`);
    const result = JSON.parse(answer) as CheckResult | ProblemBody;
    if ('error' in result) throw asProblem(result);
    return result;
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

function asProblem({ error: { reason, message, hint } }: ProblemBody): Problem {
  return new Problem(reason as Reason, message, { hint });
}
