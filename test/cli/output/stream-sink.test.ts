import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { streamSink, type TextStream } from '../../../src/cli/output/stream-sink.ts';

/** A full stream, whose events are emitted by the test. */
class Full extends EventEmitter implements TextStream {
  readonly written: string[] = [];
  write(text: string): boolean {
    this.written.push(text);
    return false;
  }
}

const failing = (code: string) =>
  new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${code}`), { code })),
  });

describe('streamSink', () => {
  it('waits for a full pipe to drain', async () => {
    const stream = new Full();
    let went = false;
    const writing = Promise.resolve(streamSink(stream, 'stdout').write('x')).then(() => (went = true));
    await Promise.resolve();
    expect(went).toBe(false);
    stream.emit('drain');
    await writing;
    expect(stream.written).toEqual(['x']);
  });

  it('passes bytes on unchanged', async () => {
    const written: Buffer[] = [];
    const sink = streamSink(
      new Writable({
        write: (chunk: Buffer, _encoding, done) => done(void written.push(chunk)),
      }),
      'stdout',
    );
    await sink.write(Uint8Array.of(0, 255, 13));
    await sink.write(new Uint8Array());
    await sink.flush();
    expect(Buffer.concat(written)).toEqual(Buffer.from([0, 255, 13]));
  });

  it('stops waiting without an error when the reader exits', async () => {
    const stream = new Full();
    const sink = streamSink(stream, 'stdout');
    const writing = sink.write('x');
    stream.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await writing;
    expect(sink.closed).toBe(true);
    await sink.write('y');
    await sink.flush();
    expect(stream.written).toEqual(['x']);
  });

  it('ends without an error on a real stream whose pipe is broken', async () => {
    const sink = streamSink(failing('EPIPE'), 'stdout');
    await sink.write('x');
    await sink.flush();
    expect(sink.closed).toBe(true);
  });

  it('throws a Problem if the disk is full, at the latest in flush', async () => {
    const sink = streamSink(failing('ENOSPC'), 'stdout');
    const print = async () => {
      await sink.write('x');
      await sink.flush();
    };
    await expect(print()).rejects.toMatchObject({
      reason: 'unexpected',
      message: 'Writing to stdout failed: the disk is full.',
    });
    expect(() => sink.write('y')).toThrow('the disk is full');
  });

  it('ignores errors if stderr itself fails', async () => {
    const sink = streamSink(failing('ENOSPC'));
    await sink.write('x');
    await sink.flush();
    expect(sink.closed).toBe(true);
  });

  it('flushes everything that was written', async () => {
    const seen: string[] = [];
    const slow = new Writable({
      decodeStrings: false,
      write: (chunk, _encoding, done) =>
        setImmediate(() => {
          seen.push(chunk as string);
          done();
        }),
    });
    const sink = streamSink(slow, 'stdout');
    await sink.write('x');
    expect(seen).toEqual([]);
    await sink.flush();
    expect(seen[0]).toBe('x');
  });
});
