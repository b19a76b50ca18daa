import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { expect, it, onTestFinished } from 'vitest';
import { mayBeTerminal, processOutput } from '../../../src/cli/output/process-output.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Opens a file, and closes it at the end of the test. */
function opened(path: string, flags: number): number {
  const fd = openSync(path, flags);
  onTestFinished(() => closeSync(fd));
  return fd;
}

/** Returns a stream that collects the written chunks. */
function collecting(isTTY = false) {
  const chunks: Buffer[] = [];
  const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => done(void chunks.push(chunk)) });
  return { stream: Object.assign(stream, { isTTY }) as unknown as WriteStream, chunks };
}

const none = (): WriteStream => {
  throw new Error('No stream is needed.');
};

/** A pipe without writers, open for reading. */
function pipe(): { readonly path: string; readonly reader: number } {
  const path = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  return { path, reader: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK) };
}

it('processOutput writes texts and bytes to a file without a stream', async () => {
  const path = join(temporaryFolder(), 'out');
  const fd = opened(path, constants.O_WRONLY | constants.O_CREAT);
  const { sink, isTTY } = processOutput(fd, none, 'linux', 'standard output');
  await sink.write('é\n');
  await sink.write(Uint8Array.of(0, 255));
  await sink.write('');
  await sink.flush();
  expect(isTTY).toBe(false);
  expect(readFileSync(path)).toEqual(Buffer.from([0xc3, 0xa9, 10, 0, 255]));
});

it('processOutput writes to /dev/null without a stream, and to other devices with one', async () => {
  const { sink, isTTY } = processOutput(opened('/dev/null', constants.O_WRONLY), none, 'linux');
  await sink.write('x');
  expect(isTTY).toBe(false);
  const { stream, chunks } = collecting(true);
  const zero = processOutput(opened('/dev/zero', constants.O_WRONLY), () => stream, 'linux');
  await zero.sink.write('x');
  await zero.sink.flush();
  expect([zero.isTTY, Buffer.concat(chunks).toString()]).toEqual([true, 'x']);
});

it('processOutput writes with a stream on Windows, or if the descriptor is closed', async () => {
  for (const [fd, platform] of [
    [opened('/dev/null', constants.O_WRONLY), 'win32'],
    [2 ** 30, 'linux'],
  ] as const) {
    const { stream, chunks } = collecting();
    const { sink, isTTY } = processOutput(fd, () => stream, platform);
    await sink.write('x');
    await sink.flush();
    expect([isTTY, Buffer.concat(chunks).toString()]).toEqual([false, 'x']);
  }
});

it.skipIf(process.platform !== 'linux')(
  'processOutput writes to a pipe until it is full, and then with a stream',
  async () => {
    const { path, reader } = pipe();
    onTestFinished(() => closeSync(reader));
    const { stream, chunks } = collecting();
    const { sink } = processOutput(opened(path, constants.O_WRONLY), () => stream, 'linux');
    const text = 'abc'.repeat(100_000);
    await sink.write(text);
    await sink.write('end');
    await sink.flush();
    const piped = Buffer.alloc(text.length);
    const size = readSync(reader, piped);
    expect(size).toBeGreaterThan(0);
    expect(piped.subarray(0, size).toString() + Buffer.concat(chunks).toString()).toBe(`${text}end`);
  },
);

it.skipIf(process.platform !== 'linux')(
  'processOutput stops without an error when the reader of a pipe has exited',
  async () => {
    const { path, reader } = pipe();
    const { sink } = processOutput(opened(path, constants.O_WRONLY), none, 'linux', 'standard output');
    closeSync(reader);
    await sink.write('x');
    expect(sink.closed).toBe(true);
    await sink.write('y');
    await sink.flush();
  },
);

it('processOutput reports why a file cannot be written, unless the output has no name', async () => {
  const path = join(temporaryFolder(), 'out');
  const fd = opened(path, constants.O_RDONLY | constants.O_CREAT);
  const named = processOutput(fd, none, 'linux', 'standard output');
  await named.sink.write('x');
  expect(named.sink.closed).toBe(true);
  await expect(named.sink.flush()).rejects.toThrow('Writing to standard output failed: EBADF.');
  expect(() => named.sink.write('y')).toThrow('EBADF');
  const unnamed = processOutput(fd, none, 'linux');
  await unnamed.sink.write('x');
  await unnamed.sink.flush();
  expect(unnamed.sink.closed).toBe(true);
});

it('mayBeTerminal returns true only for devices, and always on Windows', () => {
  const file = opened(join(temporaryFolder(), 'in'), constants.O_RDWR | constants.O_CREAT);
  const none = opened('/dev/null', constants.O_RDONLY);
  const zero = opened('/dev/zero', constants.O_RDONLY);
  expect([file, none, zero, 2 ** 30].map((fd) => mayBeTerminal(fd, 'linux'))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(mayBeTerminal(file, 'win32')).toBe(true);
});
