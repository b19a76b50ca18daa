import { streamSink } from './cli/output/stream-sink.ts';
import type { Terminal } from './cli/terminal.ts';

declare const DOCSCTL_VERSION: string;

/** Runs docsctl for a process: the only place that reads it. */
export async function start(process: NodeJS.Process): Promise<void> {
  const argv = process.argv.slice(2);
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${DOCSCTL_VERSION}\n`);
    return;
  }
  const stop = new AbortController();
  let signals = 0;
  for (const [name, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(name, () => {
      if (++signals > 1) process.exit(code);
      stop.abort(name);
    });
  }
  const { run } = await import('./cli/program.ts');
  const { randomBytes } = await import('node:crypto');
  const { homedir } = await import('node:os');
  const terminal = terminalOf(process);
  let exitCode = await run({
    argv,
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    version: DOCSCTL_VERSION,
    terminal,
    promptOutput: process.stderr,
    clock: Date.now,
    randomBytes,
    signal: stop.signal,
  });
  for (const sink of [terminal.stdout, terminal.stderr]) await sink.flush().catch(() => void (exitCode ||= 1));
  process.exitCode = exitCode === 130 && stop.signal.reason === 'SIGTERM' ? 143 : exitCode;
}

function terminalOf({ stdout, stderr, stdin, env }: NodeJS.Process): Terminal {
  const forced = env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0';
  return {
    stdout: streamSink(stdout, 'standard output'),
    stderr: streamSink(stderr, 'standard error'),
    stdin,
    stdoutIsTTY: stdout.isTTY === true,
    stderrIsTTY: stderr.isTTY === true,
    stdinIsTTY: stdin.isTTY === true,
    columns: stdout.columns ?? stderr.columns ?? 80,
    colour: (env['NO_COLOR'] ?? '') === '' && (forced || (stdout.isTTY === true && env['TERM'] !== 'dumb')),
  };
}
