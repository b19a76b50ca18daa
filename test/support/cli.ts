import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { run } from '../../src/cli/program.ts';
import type { Runtime, Sink } from '../../src/cli/runtime.ts';

export interface Ran {
  readonly exit: number;
  readonly stdout: string;
  /** Standard output as it is: a file may be no text. */
  readonly bytes: Buffer;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Says that standard output is a terminal. */
  readonly tty?: boolean;
  /** Says that everything is a terminal, for what asks a person; nothing can be typed. */
  readonly attended?: boolean;
  /** Width of the terminal, 100 by default. */
  readonly columns?: number;
  /** Height of the terminal; without it nothing goes to a pager. */
  readonly rows?: number;
  /** Stops the command as SIGTERM does. */
  readonly signal?: AbortSignal;
}

/** Runs a command line inside this process, without a terminal, and gives what it printed. */
export async function docsctl(argv: readonly string[], options: CliOptions): Promise<Ran> {
  const { runtime, out, err } = runtimeOf(argv, options);
  const exit = await run(runtime);
  return { exit, stdout: out.bytes().toString(), bytes: out.bytes(), stderr: err.bytes().toString() };
}

/** What docsctl takes from the outside, and where it prints. */
export function runtimeOf(argv: readonly string[], options: CliOptions) {
  const out = memorySink();
  const err = memorySink();
  const runtime: Runtime = {
    argv,
    env: { ...options.env },
    cwd: options.cwd ?? options.home,
    home: options.home,
    version: '0.0.0-test',
    terminal: {
      stdout: out,
      stderr: err,
      stdin: Readable.from(options.input === undefined ? [] : [Buffer.from(options.input)]),
      stdoutIsTTY: options.tty === true,
      stderrIsTTY: options.attended === true,
      stdinIsTTY: options.attended === true,
      columns: options.columns ?? 100,
      rows: options.rows,
      color: false,
    },
    promptOutput: process.stderr,
    clock: Date.now,
    randomBytes: (count) => randomBytes(count),
    signal: options.signal ?? new AbortController().signal,
    holdInterrupts: () => () => {},
    wiring: () => import('../../src/wiring.ts'),
  };
  return { runtime, out, err };
}

function memorySink(): Sink & { bytes(): Buffer } {
  const written: Buffer[] = [];
  return {
    write: (more) => void written.push(Buffer.from(more as string)),
    flush: async () => {},
    closed: false,
    bytes: () => Buffer.concat(written),
  };
}

/** Splits a command line as a shell would, for the quoting that transcripts use. */
export function splitWords(line: string): string[] {
  return [...line.matchAll(/(?:[^\s"']|"(?:[^"\\]|\\.)*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_, double?: string, single?: string) =>
      double === undefined ? single! : double.replace(/\\(.)/g, '$1'),
    ),
  );
}
