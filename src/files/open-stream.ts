import { constants, createReadStream, fstatSync, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';

/**
 * Opens a file for reading. Opening a named pipe does not wait for its writer.
 *
 * @throws the error of the file system
 */
export function openReadable(path: string): number {
  return openSync(path, constants.O_RDONLY | (statSync(path).isFIFO() ? constants.O_NONBLOCK : 0));
}

/** Returns a stream of an open file. Reading a pipe does not block a thread, so that it can be interrupted. */
export function streamOf(descriptor: number, signal: AbortSignal, start?: number): Readable {
  return fstatSync(descriptor).isFIFO()
    ? addAbortSignal(signal, new Socket({ fd: descriptor, readable: true }))
    : createReadStream('', { fd: descriptor, highWaterMark: 64 * 1024, signal, ...(start && { start }) });
}
