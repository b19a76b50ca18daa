import { Readable } from 'node:stream';
import type { Sink, Terminal } from '../../../src/cli/runtime.ts';

export interface FakeSink extends Sink {
  text: string;
  closed: boolean;
}

/** A terminal that remembers what was written to it. */
export interface FakeTerminal extends Terminal {
  readonly stdout: FakeSink;
  readonly stderr: FakeSink;
}

function fakeSink(): FakeSink {
  return {
    text: '',
    closed: false,
    write(text) {
      if (!this.closed) this.text += text;
    },
    flush: async () => {},
  };
}

export function fakeTerminal(
  settings: Partial<Pick<Terminal, 'columns' | 'color'>> & { tty?: boolean } = {},
): FakeTerminal {
  const { tty = false, columns = 80, color = false } = settings;
  return {
    stdout: fakeSink(),
    stderr: fakeSink(),
    stdin: Readable.from([]),
    stdoutIsTTY: tty,
    stderrIsTTY: tty,
    stdinIsTTY: tty,
    columns,
    color,
  };
}
