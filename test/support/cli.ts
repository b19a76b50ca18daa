import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { run } from '../../src/cli/program.ts';
import type { Sink } from '../../src/cli/terminal.ts';

export interface Ran {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs a command line inside this process, without a terminal, and gives what it printed. */
export async function docsctl(argv: readonly string[], options: CliOptions): Promise<Ran> {
  const out = textSink();
  const err = textSink();
  const exit = await run({
    argv,
    env: { ...options.env },
    cwd: options.cwd ?? options.home,
    home: options.home,
    version: '0.0.0-test',
    terminal: {
      stdout: out,
      stderr: err,
      stdin: Readable.from(options.input === undefined ? [] : [Buffer.from(options.input)]),
      stdoutIsTTY: false,
      stderrIsTTY: false,
      stdinIsTTY: false,
      columns: 100,
      colour: false,
    },
    promptOutput: process.stderr,
    clock: Date.now,
    randomBytes: (count) => randomBytes(count),
    signal: new AbortController().signal,
  });
  return { exit, stdout: out.text(), stderr: err.text() };
}

function textSink(): Sink & { text(): string } {
  let text = '';
  return { write: (more) => void (text += more), flush: async () => {}, closed: false, text: () => text };
}

/** Splits a command line as a shell would, for the quoting that transcripts use. */
export function splitWords(line: string): string[] {
  return [...line.matchAll(/(?:[^\s"']|"(?:[^"\\]|\\.)*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_, double?: string, single?: string) => (double === undefined ? single! : double.replace(/\\(.)/g, '$1'))),
  );
}
