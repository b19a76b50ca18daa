import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkStore, repairStore } from '../../../src/stores/check/check-store.ts';
import { tables as allTables } from '../../../src/resources/tables.ts';
import { notes, open, pages, temporaryFolder, texts } from '../fixtures.ts';

const tables = [...allTables, pages, notes, texts];

async function without(
  what: string,
): Promise<{ readonly url: string; readonly tables: typeof tables; readonly cwd: string }> {
  const path = join(temporaryFolder(), 'store.db');
  await (await open(path, undefined, tables)).close();
  const database = new DatabaseSync(path);
  database.exec(`DROP ${what}`);
  database.close();
  return { url: path, tables, cwd: '' };
}

describe('a SQLite file without', () => {
  test.each([
    ['TABLE docsctl_words_texts', 'texts', 'the search index of texts is missing'],
    ['INDEX texts_bySpace', 'texts', 'the index texts_bySpace is missing'],
    ['INDEX docsctl_words_texts_keys', 'texts', 'the index docsctl_words_texts_keys is missing'],
    ['INDEX pages_bySlug', 'pages', 'the index pages_bySlug is missing'],
  ])('%s is damaged, also for the quick check, until it is repaired', async (what, table, found) => {
    const target = await without(what);
    for (const quick of [true, false])
      expect(await checkStore(target, { quick })).toMatchObject({
        damages: [{ table, id: '-', what: found }],
      });
    await repairStore(target);
    for (const quick of [true, false])
      expect(await checkStore(target, { quick })).toMatchObject({ damages: [] });
  });

  test('a table is damaged, also for the quick check', async () => {
    const target = await without('TABLE pages');
    const table = { table: 'pages', id: '-' };
    expect((await checkStore(target, { quick: true })).damages).toEqual([
      { ...table, what: 'the table pages is missing' },
    ]);
    expect((await checkStore(target)).damages).toEqual([
      { ...table, what: expect.stringContaining('no such table') },
    ]);
  });
});
