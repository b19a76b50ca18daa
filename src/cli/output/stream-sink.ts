import { Problem } from '../../errors/problem.ts';
import type { Sink } from '../runtime.ts';

/** The part of Node's Writable that is used here. */
export interface TextStream {
  write(text: string | Uint8Array, done?: (error?: Error | null) => void): boolean;
  on(event: 'drain' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/**
 * Creates a Sink on a stream: it waits if a pipe is full, ends quietly if the reader has closed the pipe, and throws a Problem
 * with the stream's name for other failures. Without a name failures are ignored: if stderr fails, nobody can be informed.
 */
export function streamSink(stream: TextStream, name?: string): Sink {
  let closed = false;
  let failure: Problem | undefined;
  let waiting: (() => void)[] = [];
  const wake = () => {
    const woken = waiting;
    waiting = [];
    for (const go of woken) go();
  };
  const stop = (error?: NodeJS.ErrnoException | null) => {
    closed = true;
    if (error && name !== undefined && !readerLeft(error)) failure ??= failureOf(name, error);
    wake();
  };
  stream.on('drain', wake);
  stream.on('close', () => stop());
  stream.on('error', stop);
  const settle = () => {
    if (failure) throw failure;
  };
  return {
    get closed() {
      return closed;
    },
    write(text) {
      settle();
      if (closed || text === '' || stream.write(text)) return;
      return new Promise<void>((resolve) => (closed ? resolve() : waiting.push(resolve))).then(settle);
    },
    async flush() {
      settle();
      if (closed) return;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        stream.write('', (error) => (error ? stop(error) : resolve()));
      });
      settle();
    },
  };
}

/** Creates a Sink that keeps everything in memory. */
export function memorySink(): Sink & { text: () => string } {
  const written: Buffer[] = [];
  return {
    write: (more) => void written.push(Buffer.from(more as string)),
    flush: async () => {},
    closed: false,
    text: () => Buffer.concat(written).toString(),
  };
}

/** Returns the Problem for a failed write to an output with a name. */
export function failureOf(name: string, error: NodeJS.ErrnoException): Problem {
  return new Problem(
    'unexpected',
    `Writing to ${name} failed: ${error.code === 'ENOSPC' ? 'the disk is full' : (error.code ?? error.message)}.`,
    {
      hint: 'Check the disk or the program that reads the output. To see what commands changed, run `docsctl history`.',
      cause: error,
    },
  );
}

/** Whether the reader has closed the output. */
export function readerLeft(error: NodeJS.ErrnoException): boolean {
  return (
    error.code === 'EPIPE' ||
    error.code === 'ERR_STREAM_DESTROYED' ||
    error.code === 'ECONNRESET' ||
    error.code === 'ERR_STREAM_WRITE_AFTER_END'
  );
}
