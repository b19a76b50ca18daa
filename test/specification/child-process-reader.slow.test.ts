import { describe, expect, it } from 'vitest';
import {
  readInChildProcess as readIn,
  type ReadOptions,
} from '../../src/specification/child-process-reader.ts';

const readInChild = (text: string, options: ReadOptions) =>
  readIn(text, { ...options, useChildProcess: true });
const { signal } = new AbortController();
const head = { openapi: '3.0.3', info: { title: 'A', version: '1' }, paths: {} };
const codesOf = async (text: string, options: Partial<ReadOptions> = {}) =>
  (await readInChild(text, { signal, ...options })).errors.map(({ code }) => code);

describe('reading a specification in a child process', { timeout: 60_000 }, () => {
  it('returns its facts, and the requested pages', async () => {
    const paths = { '/a': { get: { tags: ['Pets'], responses: { 200: { description: 'x' } } } } };
    const read = await readInChild(JSON.stringify({ ...head, paths }), { signal, pagesFor: 'pets' });
    expect(read).toMatchObject({ errors: [], facts: { title: 'A', operations: 1 } });
    expect(read.pages!.map(([path]) => path)).toEqual(['SUMMARY.md', 'README.md', 'pets.md']);
    expect(await readInChild(JSON.stringify(head), { signal })).not.toHaveProperty('pages');
  });

  it('does not block this thread', async () => {
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns++;
      if (!isDone) setImmediate(turn);
    };
    const schemas = Object.fromEntries(
      Array.from({ length: 7000 }, (_, index) => [
        `S${index}`,
        { items: { $ref: `#/components/schemas/S${(index * 7 + 1) % 7000}` } },
      ]),
    );
    const reading = codesOf(JSON.stringify({ ...head, components: { schemas } })).finally(
      () => (isDone = true),
    );
    turn();
    await reading;
    expect(turns).toBeGreaterThan(100);
  });

  it('stops after the timeout, with an error of its own', async () => {
    const { errors, facts } = await readInChild(JSON.stringify(head), { signal, timeout: 1 });
    expect(facts).toBeUndefined();
    expect(errors).toEqual([
      {
        code: 'TOO_COSTLY',
        message: expect.stringContaining('takes longer than 0.001 s to read'),
        at: { line: 1, column: 1 },
        pointer: '',
      },
    ]);
  });

  it('stops at the memory limit, and does not crash this process', async () => {
    const text = JSON.stringify({
      ...head,
      'x-a': Array.from({ length: 150_000 }, (_, index) => ({ [`key${index}`]: 1 })),
    });
    expect(await codesOf(text, { maxMegabytes: 16 })).toEqual(['TOO_COSTLY']);
  });

  it('stops when the signal is aborted', async () => {
    const stop = new AbortController();
    const reading = readInChild(JSON.stringify(head), { signal: stop.signal });
    stop.abort();
    await expect(reading).rejects.toMatchObject({ reason: 'interrupted' });
    await expect(readInChild('', { signal: stop.signal })).rejects.toMatchObject({ reason: 'interrupted' });
  });
});
