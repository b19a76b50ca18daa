import { constants, createReadStream, fstatSync, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';

/** Opens a file for reading. That of a named pipe does not wait for its other end. @throws the error of the file system */
export function openReadable(path: string): number {
  return openSync(path, constants.O_RDONLY | (statSync(path).isFIFO() ? constants.O_NONBLOCK : 0));
}

/** Returns a stream of an open file. Reading a pipe holds no thread, so that waiting for its text can be interrupted. */
export function streamOf(descriptor: number, signal: AbortSignal, start?: number): Readable {
  return fstatSync(descriptor).isFIFO()
    ? addAbortSignal(signal, new Socket({ fd: descriptor, readable: true }))
    : createReadStream('', { fd: descriptor, highWaterMark: 64 * 1024, signal, ...(start && { start }) });
}
