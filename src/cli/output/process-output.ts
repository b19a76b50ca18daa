import { closeSync, constants, fstatSync, openSync, statSync, writeSync, type Stats } from 'node:fs';
import type { WriteStream } from 'node:tty';
import type { Sink } from '../runtime.ts';
import { failureOf, readerLeft, streamSink } from './stream-sink.ts';

/** Standard output or standard error of a process. */
interface ProcessOutput {
  readonly sink: Sink;
  readonly isTTY: boolean;
}

/**
 * Opens the output of a process at a descriptor. Loading a stream takes longer than many commands, so files and pipes are written
 * directly as long as this does not block; `streamOf` opens the stream for everything else. Without a name, failures are ignored,
 * as in `streamSink`.
 */
export function processOutput(
  fd: number,
  streamOf: () => WriteStream,
  platform: NodeJS.Platform,
  name?: string,
): ProcessOutput {
  const direct = platform === 'win32' ? undefined : openDirect(fd);
  let opened: Sink | undefined;
  const stream = (): Sink => (opened ??= streamSink(streamOf(), name));
  return {
    // Files, pipes and sockets are not terminals.
    isTTY: direct === undefined && streamOf().isTTY === true,
    sink: direct === undefined ? stream() : directSink(direct, stream, name),
  };
}

/** Whether a descriptor may be a terminal. Only its stream can tell for sure. */
export function mayBeTerminal(fd: number, platform: NodeJS.Platform): boolean {
  try {
    return platform === 'win32' || isDevice(fstatSync(fd));
  } catch {
    return true;
  }
}

function isDevice(stats: Stats): boolean {
  return stats.isCharacterDevice() && stats.rdev !== statSync('/dev/null').rdev;
}

/** Returns a descriptor on which writing never blocks; undefined if there is none. */
function openDirect(fd: number): number | undefined {
  try {
    const stats = fstatSync(fd);
    if (stats.isFile()) return fd;
    if (stats.isCharacterDevice()) return isDevice(stats) ? undefined : fd;
    // On Linux, this opens the same pipe again. Other programs that share the first descriptor still write in blocking mode.
    return stats.isFIFO()
      ? openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Writes to a descriptor, and to the stream after a pipe was full for the first time. */
function directSink(fd: number, stream: () => Sink, name: string | undefined): Sink {
  let rest: Sink | undefined;
  let isClosed = false;
  let failure: Error | undefined;
  const fail = (error: NodeJS.ErrnoException): void => {
    isClosed = true;
    if (name !== undefined && !readerLeft(error)) failure = failureOf(name, error);
  };
  /** Returns the bytes that could not be written because the pipe is full. */
  const write = (bytes: Uint8Array): Uint8Array | undefined => {
    for (let at = 0; at < bytes.length;) {
      try {
        at += writeSync(fd, bytes, at);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return bytes.subarray(at);
        fail(error as NodeJS.ErrnoException);
        return undefined;
      }
    }
    return undefined;
  };
  const settle = (): void => {
    if (failure !== undefined) throw failure;
  };
  return {
    get closed() {
      return rest?.closed ?? isClosed;
    },
    write(text) {
      if (rest !== undefined) return rest.write(text);
      settle();
      if (isClosed) return;
      const left = write(typeof text === 'string' ? Buffer.from(text) : text);
      if (left === undefined) return;
      if (fd > 2) closeSync(fd);
      rest = stream();
      return rest.write(left);
    },
    async flush() {
      if (rest !== undefined) return rest.flush();
      settle();
    },
  };
}
