import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { run } from '../../src/cli/program.ts';
import type { Runtime, Sink } from '../../src/cli/runtime.ts';

export interface Ran {
  readonly exit: number;
  readonly stdout: string;
  /** The bytes of standard output, because a file need not be text. */
  readonly bytes: Buffer;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Standard output is a terminal. */
  readonly tty?: boolean;
  /** All streams are a terminal, for commands that ask questions. Nothing can be typed. */
  readonly attended?: boolean;
  /** The width of the terminal (default 100). */
  readonly columns?: number;
  /** The height of the terminal. Without it, no pager is used. */
  readonly rows?: number;
  /** Stops the command like SIGTERM. */
  readonly signal?: AbortSignal;
}

/** Runs a command line inside this process, without a terminal, and returns its output. */
export async function docsctl(argv: readonly string[], options: CliOptions): Promise<Ran> {
  const { runtime, out, err } = runtimeOf(argv, options);
  const exit = await run(runtime);
  return { exit, stdout: out.bytes().toString(), bytes: out.bytes(), stderr: err.bytes().toString() };
}

/** The inputs of docsctl from its environment, and its outputs. */
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

/** Splits a command line like a shell, for the quoting that transcripts use. */
export function splitWords(line: string): string[] {
  return [...line.matchAll(/(?:[^\s"']|"(?:[^"\\]|\\.)*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_, double?: string, single?: string) =>
      double === undefined ? single! : double.replace(/\\(.)/g, '$1'),
    ),
  );
}
