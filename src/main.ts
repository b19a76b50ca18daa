import { randomBytes } from 'node:crypto';
import { homedir, userInfo } from 'node:os';
import type * as Output from './cli/output/process-output.ts';
import type { Terminal } from './cli/runtime.ts';

declare const DOCSCTL_VERSION: string;

/** Runs the process that checks a store for a server (stores/check/check-apart.ts). */
export async function checkStoreApart(process: NodeJS.Process): Promise<void> {
  (await import('./stores/check/check-process.ts')).runCheckProcess(process);
}

/** Runs the process that reads a specification (specification/child-process-reader.ts). */
export async function readSpecificationApart(): Promise<void> {
  await import('./specification/reader-process.ts');
}

/** Runs docsctl for a process. Only this function reads the process. */
export async function start(process: NodeJS.Process): Promise<void> {
  const argv = process.argv.slice(2);
  const stop = new AbortController();
  let signals = 0;
  let held = 0;
  for (const [name, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(name, () => {
      if (held > 0 && name === 'SIGINT') return;
      if (++signals > 1) {
        process.stderr.write(
          'error: Interrupted twice. The command ended before it could say what it had changed.\n',
        );
        process.exit(code);
      }
      stop.abort(name);
    });
  }
  const [{ run }, output] = await Promise.all([
    import('./cli/program.ts'),
    import('./cli/output/process-output.ts'),
  ]);
  const terminal = terminalOf(process, output);
  let exitCode = await run({
    argv,
    env: process.env,
    cwd: workingFolder(process),
    get home() {
      return homeFolder(process, homedir);
    },
    version: DOCSCTL_VERSION,
    terminal,
    get promptOutput() {
      return process.stderr;
    },
    clock: Date.now,
    randomBytes: (count) => randomBytes(count),
    osUser: userName,
    isServerProcess: process.connected && process.env['DOCSCTL_SERVER_PROCESS'] !== undefined,
    signal: stop.signal,
    onHangup: (listener) => {
      process.on('SIGHUP', listener);
      return () => void process.off('SIGHUP', listener);
    },
    holdInterrupts: () => {
      held++;
      return () => void held--;
    },
    wiring: () => import('./wiring.ts'),
  });
  for (const sink of [terminal.stdout, terminal.stderr])
    await sink.flush().catch((error: Error) => {
      // A failed command has already printed its error, which may be this one.
      if (exitCode === 0) void terminal.stderr.write(`error: ${error.message}\n`);
      exitCode ||= 1;
    });
  process.exitCode = exitCode === 130 && stop.signal.reason === 'SIGTERM' ? 143 : exitCode;
}

/** Runs a thread of `serve`. */
export async function startThread({ env }: NodeJS.Process): Promise<void> {
  (await import('./thread.ts')).runThread(env);
}

/** A user of a container may have no name. */
function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/** Returns the home folder; the root if the user has none, as in a container without HOME. `ask` is `homedir` of node:os. */
export function homeFolder(
  { env, platform }: Pick<NodeJS.Process, 'env' | 'platform'>,
  ask: () => string,
): string {
  try {
    // node:os would return the same, but takes long to load.
    return (platform !== 'win32' && env['HOME']) || ask() || '/';
  } catch {
    return '/';
  }
}

/** Returns the working folder. If it was deleted, no files are found in it or above it. */
function workingFolder(process: NodeJS.Process): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

function terminalOf(process: NodeJS.Process, { processOutput, mayBeTerminal }: typeof Output): Terminal {
  const { env, platform } = process;
  const forced = env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0';
  const stdout = processOutput(1, () => process.stdout, platform, 'standard output');
  const stderr = processOutput(2, () => process.stderr, platform);
  return {
    stdout: stdout.sink,
    stderr: stderr.sink,
    // Opening stdin takes 1 to 2 ms, and most commands never read it.
    get stdin() {
      return process.stdin;
    },
    stdoutIsTTY: stdout.isTTY,
    stderrIsTTY: stderr.isTTY,
    get stdinIsTTY() {
      return mayBeTerminal(0, platform) && process.stdin.isTTY === true;
    },
    columns: (stdout.isTTY && process.stdout.columns) || (stderr.isTTY && process.stderr.columns) || 80,
    rows: stdout.isTTY ? process.stdout.rows : undefined,
    color: (env['NO_COLOR'] ?? '') === '' && (forced || env['TERM'] !== 'dumb'),
  };
}
