import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { notes, open, pages, temporaryFolder } from './fixtures.ts';

async function written(): Promise<string> {
  const path = join(temporaryFolder(), 'store.json');
  const store = await open(path);
  await store.write(async (tx) => {
    for (const id of ['a', 'b']) await tx.insert(pages, { id, space: 'spc' });
    await tx.insert(notes, { id: 'n', text: 'line\nline' });
  });
  await store.close();
  return path;
}

test('writes JSON with one row per line', async () => {
  const path = await written();
  expect(readFileSync(path, 'utf8')).toBe(
    [
      '{"format":"docsctl-store","version":3,"change":1,"tables":{',
      '"pages":[',
      '{"id":"a","space":"spc"},',
      '{"id":"b","space":"spc"}',
      '],',
      '"notes":[',
      '{"id":"n","text":"line\\nline"}',
      ']',
      '},"crc32":"e24e037a"}',
      '',
    ].join('\n'),
  );
});

test('does not write the file if nothing changes', async () => {
  const path = await written();
  const store = await open(path);
  await store.write((tx) => tx.remove(pages, 'none'));
  expect(readFileSync(path, 'utf8')).toContain('"change":1,');
  await store.write((tx) => tx.remove(pages, 'a'));
  expect(readFileSync(path, 'utf8')).toContain('"change":2,');
});

test('reads manual edits and reformatted JSON in a file without a checksum', async () => {
  const path = await written();
  const store = await open(path);
  expect(await store.read((view) => view.count(pages, 'bySpace', ['spc']))).toBe(2);
  const contents = JSON.parse(readFileSync(path, 'utf8'));
  contents.tables.pages.push({ id: 'c', space: 'spc' });
  writeFileSync(path, JSON.stringify(contents, null, 2));
  await expect(store.read((view) => view.count(pages, 'bySpace', ['spc']))).rejects.toMatchObject({
    reason: 'store-failed',
    message: expect.stringContaining('it was changed after docsctl had written it'),
    hint: expect.stringContaining('If you changed it yourself, remove its field crc32.'),
  });
  delete contents.crc32;
  writeFileSync(path, JSON.stringify(contents, null, 2));
  expect(await store.read((view) => view.count(pages, 'bySpace', ['spc']))).toBe(3);
  writeFileSync(path, JSON.stringify(contents, null, 2).replace('"id": "c"', '"id": "changed"'));
  expect(await store.read((view) => view.get(pages, 'changed'))).toBeDefined();
  await store.write((tx) => tx.remove(pages, 'changed'));
  expect(readFileSync(path, 'utf8')).toMatch(/"crc32":"[\da-f]{8}"}\n$/);
});

test('reads a file of version 2 without a checksum, and adds one', async () => {
  const path = await written();
  const old = readFileSync(path, 'utf8')
    .replace('"version":3', '"version":2')
    .replace(/,"crc32":"\w+"/, '');
  writeFileSync(path, old);
  const store = await open(path);
  await store.write((tx) => tx.remove(pages, 'a'));
  expect(readFileSync(path, 'utf8')).toMatch(
    /^\{"format":"docsctl-store","version":3,[^]*"crc32":"[\da-f]{8}"}\n$/,
  );
});

test('keeps the rows of unknown tables', async () => {
  const path = await written();
  const store = await open(path, undefined, [pages]);
  await store.write((tx) => tx.remove(pages, 'a'));
  expect(readFileSync(path, 'utf8')).toContain('{"id":"n","text":"line\\nline"}');
});

test('removes only the temporary files of killed writers', async () => {
  const path = await written();
  const [left, mine] = [`${path}.0123456789abcdef.tmp`, `${path}.mine.tmp`];
  for (const file of [left, mine]) writeFileSync(file, 'x');
  const store = await open(path);
  await store.write((tx) => tx.remove(pages, 'a'));
  expect(readdirSync(dirname(path)).sort()).toEqual(['store.json', 'store.json.lock', 'store.json.mine.tmp']);
});

test('treats an empty file as an empty store', async () => {
  const path = join(temporaryFolder(), 'store.json');
  writeFileSync(path, '');
  const store = await open(path);
  await store.write((tx) => tx.insert(pages, { id: 'a', space: null }));
  expect(await store.read((view) => view.count(pages, 'all', []))).toBe(1);
});

test.each([
  [{ format: 'docsctl-store', version: 99, change: 1, tables: {} }, 'newer version of docsctl'],
  [
    {
      format: 'docsctl-store',
      version: 1,
      change: 1,
      tables: {
        pages: [
          { id: 'a', space: null },
          { id: 'a', space: null },
        ],
      },
    },
    'its id appears twice',
  ],
  [{ format: 'docsctl-store', version: 1, change: 1, tables: { pages: [{ id: 7 }] } }, 'has no id'],
  [{ format: 'docsctl-store', version: 1, change: 1, tables: { pages: {} } }, 'not a list'],
  [{ format: 'docsctl-store', version: 1, tables: {} }, 'head is damaged'],
  [{ format: 'docsctl-store', version: 3, change: 1, tables: {}, crc33: '' }, 'it was changed after'],
])('refuses %j', async (contents, why) => {
  const path = join(temporaryFolder(), 'store.json');
  writeFileSync(path, JSON.stringify(contents));
  await expect(open(path)).rejects.toMatchObject({
    reason: 'store-failed',
    message: expect.stringContaining(why),
  });
});

test('a backup in the place of the file is named as such', async () => {
  const path = join(temporaryFolder(), 'monday.json');
  writeFileSync(path, '{"format":"docsctl-backup","version":1}\n["total",0,0,[],""]\n');
  await expect(open(path)).rejects.toMatchObject({
    reason: 'store-failed',
    message: `The file is a backup of a store, and not a store: ${path}.`,
    hint: expect.stringContaining('docsctl store restore'),
  });
});
