import { expect, it } from 'vitest';
import { readLines } from '../../../src/script-runtime/workerd/read-lines.ts';

async function* chunksOf(...chunks: string[]): AsyncGenerator<string> {
  yield* chunks;
}

const answer = (body: unknown): string =>
  `${JSON.stringify({ type: 'answer', status: 200, headers: [], body })}\n`;

async function read(chunks: AsyncIterable<string>, maxBytes = 1000): Promise<unknown[]> {
  const lines: unknown[] = [];
  for await (const line of readLines(chunks, maxBytes)) lines.push(line);
  return lines;
}

it('reads lines from chunks of any size', async () => {
  const text = answer('YQ==') + '{"type":"done"}\n';
  const whole = [JSON.parse(answer('YQ==')), { type: 'done' }];
  expect(await read(chunksOf(text))).toEqual(whole);
  expect(await read(chunksOf(...text))).toEqual(whole);
});

it('refuses more than the maximum number of bytes', async () => {
  const text = answer('YQ==');
  expect(await read(chunksOf(text), text.length)).toEqual([JSON.parse(text)]);
  await expect(read(chunksOf(text), text.length - 1)).rejects.toThrow('The answer is too large.');
  await expect(read(chunksOf(answer('YQ==')), 50)).rejects.toThrow('The answer is too large.');
});

it.each([[{ length: 1e9 }], [[1, 2]], [7], [null]])('refuses the body %j', async (body) => {
  await expect(read(chunksOf(answer(body)))).rejects.toThrow('The body is not text.');
});

it('refuses lines that are not JSON', async () => {
  await expect(read(chunksOf('{\n'))).rejects.toThrow(SyntaxError);
});
