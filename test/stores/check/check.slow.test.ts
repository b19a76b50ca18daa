import { DatabaseSync } from '@photostructure/sqlite';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../../src/resources/tables.ts';
import { checkStore } from '../../../src/stores/check/check-store.ts';
import { docsctl } from '../../support/cli.ts';
import { temporaryFolder } from '../fixtures.ts';

let home = '';
const names = ['store.db', 'store.json'] as const;
/** Two texts of the store. Each occurs once, in the row of its blob. */
const words = ['A pelican stands on the pier.', 'A heron stands in the reeds.'] as const;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-check-'));
  const run = async (line: string) => {
    const { exit, stderr } = await docsctl(line.split(' '), {
      home,
      cwd: home,
      env: { DOCSCTL_STORE: 'sqlite:store.db' },
    });
    if (exit !== 0) throw new Error(`${line}: ${stderr}`);
  };
  await run('init --org-title Acme --email ana@example.com');
  for (let at = 0; at < 30; at++) await run(`collections create --title Collection-${at}`);
  await run('spaces create --title Guide');
  mkdirSync(join(home, 'docs'));
  for (const [at, text] of words.entries())
    writeFileSync(join(home, 'docs', `page${at}.md`), `# Bird ${at}\n\n${text}\n`);
  await run('spaces import Guide docs --yes');
  await run('store backup backup.ndjson');
  await run('store restore backup.ndjson --store json:store.json');
  await run('store restore backup.ndjson --store sqlite:whole.db');
  copyFileSync(join(home, 'whole.db'), join(home, 'store.db'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A copy of the store that may be damaged. */
function copyOf(name: string): string {
  const path = join(temporaryFolder(), name);
  copyFileSync(join(home, name), path);
  return path;
}

const check = async (path: string, quick = false) => checkStore({ url: path, tables, cwd: '' }, { quick });

test('checks a store in a folder where no files can be created, without reporting damage', async () => {
  const path = copyOf('store.db');
  // SQLite cannot open this file either.
  mkdirSync(`${path}-shm`);
  expect(await check(path)).toMatchObject({ damages: [], opens: true });
  expect(await check(path, true)).toMatchObject({ damages: [], opens: true });
});

describe.each(names)('%s', (name) => {
  test('has no damage', async () => {
    const path = copyOf(name);
    const before = name === 'store.json' ? readFileSync(path, 'utf8') : '';
    const { rows, damages } = await check(path);
    expect(damages).toEqual([]);
    expect(rows).toBeGreaterThan(60);
    expect((await check(path, true)).damages).toEqual([]);
    if (name === 'store.json') expect(readFileSync(path, 'utf8')).toBe(before);
  });

  test('is damaged if it is empty, truncated or of another kind', async () => {
    const size = readFileSync(join(home, name)).length;
    for (const left of [0, 1, 100, size >> 1, size - 2]) {
      const path = copyOf(name);
      truncateSync(path, left);
      expect((await check(path)).damages, `${left} bytes`).not.toEqual([]);
      expect((await check(path, true)).damages, `${left} bytes`).not.toEqual([]);
    }
    const path = copyOf(name);
    writeFileSync(path, 'noise '.repeat(1000));
    expect((await check(path)).damages).not.toEqual([]);
  });

  test('reports a text with a flipped bit, and a command that reads it exits with 69', async () => {
    const path = copyOf(name);
    const bytes = readFileSync(path);
    const at = bytes.indexOf(words[0]);
    bytes[at + 3]! ^= 2;
    writeFileSync(path, bytes);
    const { damages } = await check(path);
    expect(damages).toEqual([
      name === 'store.db'
        ? { table: 'blobs', id: expect.stringMatching(/^[\da-f]{64}$/), what: 'does not have its checksum' }
        : {
            table: '-',
            id: '-',
            what: expect.stringContaining('it was changed after docsctl had written it'),
          },
    ]);
    const folder = temporaryFolder();
    const exported = await docsctl(['spaces', 'export', 'Guide', 'out', '--store', path], {
      home: folder,
      cwd: folder,
    });
    expect(exported).toMatchObject({
      exit: 69,
      stderr: expect.stringMatching(
        name === 'store.db'
          ? /^error: The store is damaged: a row of blobs does not have its checksum\.\nhint: .*store check.*store restore/
          : /^error: The file \S+ is not a store that docsctl can use: it was changed .*\nhint: .*store restore/,
      ),
    });
    expect(() => readFileSync(join(folder, 'out'))).toThrow(/ENOENT/);
  });
});

test('finds any damaged page of a SQLite file', async () => {
  const path = join(temporaryFolder(), 'store.db');
  const whole = readFileSync(join(home, 'store.db'));
  const size = 4096;
  const pages = whole.length / size;
  expect(pages).toBeGreaterThan(100);
  for (let page = 1; page < pages; page += Math.ceil(pages / 40)) {
    const bytes = Buffer.from(whole);
    bytes[page * size]! ^= 0x55;
    writeFileSync(path, bytes);
    expect((await check(path)).damages, `page ${page}`).not.toEqual([]);
  }
});

test('finds a flipped bit in an index entry of a SQLite file', async () => {
  const folder = temporaryFolder();
  const whole = readFileSync(join(home, 'store.db'));
  const database = new DatabaseSync(join(home, 'store.db'), { readOnly: true });
  const roots = database
    .prepare("SELECT rootpage FROM sqlite_schema WHERE type = 'index' AND tbl_name NOT LIKE 'docsctl%'")
    .all() as { rootpage: number }[];
  database.close();
  let tried = 0;
  for (const { rootpage } of roots) {
    const start = (rootpage - 1) * 4096;
    // A leaf page with cells. Its last byte is the end of its first cell.
    if (whole[start] !== 0x0a || whole.readUInt16BE(start + 3) === 0) continue;
    const path = join(folder, `store-${rootpage}.db`);
    const bytes = Buffer.from(whole);
    bytes[start + 4095 - 2]! ^= 1;
    writeFileSync(path, bytes);
    expect((await check(path)).damages, `page ${rootpage}`).not.toEqual([]);
    tried++;
  }
  expect(tried).toBeGreaterThan(10);
});
