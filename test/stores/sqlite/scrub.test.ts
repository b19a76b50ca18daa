import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Database } from '../../../src/stores/sqlite/connection.ts';
import { open, temporaryFolder, texts } from '../fixtures.ts';

/** The number of blocks of the index that hold a word. */
function blocksWith(path: string, word: string): number {
  const database = new Database(path);
  const [count] = database.get<[number]>(
    'SELECT count(*) FROM docsctl_words_texts_data WHERE instr(block, CAST(? AS BLOB)) > 0',
    word,
  )!;
  database.close();
  return count;
}

it.each([
  [42, 100],
  [20, 9000],
])('removes the words of removed rows: %i rows with %i words', async (rows, words) => {
  const path = join(temporaryFolder(), 'store.db');
  const store = await open(`sqlite:${path}`);
  const ids = Array.from({ length: rows }, (_, at) => String(at));
  const isRemoved = (id: string): boolean => Number(id) % 20 === 1;
  for (const id of ids) {
    const word = isRemoved(id) ? 'removed' : 'kept';
    const body = Array.from({ length: words }, (_, at) => `${word}${at}x${id}`).join(' ');
    await store.write((tx) => tx.insert(texts, { id, space: null, body }));
  }
  for (const id of ids.filter(isRemoved)) await store.write((tx) => tx.remove(texts, id));
  expect(blocksWith(path, 'removed')).toBeGreaterThan(0);
  expect(await store.scrub?.(0, new AbortController().signal)).toBe('large');
  expect(blocksWith(path, 'removed')).toBe(0);
  expect(blocksWith(path, 'kept')).toBeGreaterThan(0);
});
