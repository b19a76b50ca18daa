import { expect, it } from 'vitest';
import { fileSource, formatHeader } from '../../../src/stores/backup/format.ts';
import { verifyArriving } from '../../../src/stores/backup/read-backup.ts';

const mebibyte = Buffer.alloc(1 << 20, 'a');

/** Reads a backup that starts with some lines and never ends the next line. Returns how many MiB of this line were read. */
async function readEndless(lines: string): Promise<{ readonly taken: number; readonly error: unknown }> {
  let taken = 0;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    if (lines !== '') yield Buffer.from(lines);
    for (; taken < 600; taken++) yield mebibyte;
    throw new Error('All of it was read.');
  }
  try {
    for await (const _ of verifyArriving(chunks(), fileSource('b.gz'), []));
  } catch (error) {
    return { taken, error };
  }
  return { taken, error: undefined };
}

it('refuses a file without lines, however large its decompressed content is', async () => {
  const { taken, error } = await readEndless('');
  expect(error).toMatchObject({ message: 'The file b.gz is not a docsctl backup.' });
  expect(taken).toBe(0);
});

it('refuses an endless row before it fills the memory', async () => {
  const { taken, error } = await readEndless(`${formatHeader('1.2.3', '2026-01-02T03:04:05.000Z')}\n`);
  expect(error).toMatchObject({
    reason: 'invalid-input',
    message: 'The backup b.gz is damaged: a line is too long. Nothing was restored.',
  });
  expect(taken).toBe(512);
});
