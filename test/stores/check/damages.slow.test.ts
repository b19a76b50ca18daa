import { DatabaseSync } from '@photostructure/sqlite';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collections, type CollectionRow } from '../../../src/core/rows/spaces.ts';
import { tables } from '../../../src/resources/tables.ts';
import { verifyBackup } from '../../../src/stores/backup/read-backup.ts';
import { restoreBackup } from '../../../src/stores/backup/restore.ts';
import { summarizeRows } from '../../../src/stores/backup/write-backup.ts';
import { checksumOf } from '../../../src/stores/checksum.ts';
import { checkStore, repairStore } from '../../../src/stores/check/check-store.ts';
import type { Damage } from '../../../src/stores/check/damage.ts';
import { docsctl } from '../../support/cli.ts';
import { emptyPostgres, query } from '../../support/postgres.ts';
import { hasPostgres } from '../../support/postgres-server.ts';
import { open, temporaryFolder } from '../fixtures.ts';

let home = '';

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-damages-'));
  const run = async (line: string) => {
    const { exit, stderr } = await docsctl(line.split(' '), {
      home,
      cwd: home,
      env: { DOCSCTL_STORE: 'sqlite:store.db' },
    });
    if (exit !== 0) throw new Error(`${line}: ${stderr}`);
  };
  await run('init --org-title Acme --email ana@example.com');
  for (const title of ['One', 'Two', 'Three', 'Four']) await run(`collections create --title ${title}`);
  await run('spaces create --title Guide');
  mkdirSync(join(home, 'docs'));
  for (const bird of ['pelican', 'heron'])
    writeFileSync(join(home, 'docs', `${bird}.md`), `# A ${bird}\n\nA ${bird} stands on the pier.\n`);
  await run('spaces import Guide docs --yes');
  await run('store backup backup.ndjson');
  for (const store of ['sqlite:whole.db', 'json:whole.json'])
    await run(`store restore backup.ndjson --store ${store}`);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const targetOf = (url: string) => ({ url, tables, cwd: '' });
const check = async (url: string) => (await checkStore(targetOf(url))).damages;

/** Returns the statement that removes the searched words of the first or last row. */
const removeWords = (row: 'min' | 'max'): string =>
  `INSERT INTO docsctl_words_sections (docsctl_words_sections, rowid, w_pageTitle, w_title, w_body)
    SELECT 'delete', number, data ->> 'pageTitle', data ->> 'title', data ->> 'body' FROM sections
    WHERE number = (SELECT ${row}(number) FROM sections)`;

/** A copy of the store in a SQLite file. */
function sqliteCopy(): string {
  const path = join(temporaryFolder(), 'store.db');
  copyFileSync(join(home, 'whole.db'), path);
  return path;
}

/** The store in a new schema of a database. */
async function postgresCopy(): Promise<string> {
  const url = await emptyPostgres();
  const backup = join(home, 'backup.ndjson');
  const facts = await verifyBackup(backup, tables);
  await restoreBackup(backup, targetOf(url), { facts, isDamaged: false, newName: '0', replaces: true });
  return url;
}

/** Tables whose rows are changed. */
const changedTables = ['users', 'collections', 'blobs', 'content_nodes'];

interface DamageCase {
  readonly name: string;
  /** The statements for SQLite and PostgreSQL. */
  readonly sql?: string;
  readonly sqlite?: string;
  readonly postgres?: string;
  /** Changes the tables of a JSON file, which contains only rows. */
  readonly edit?: (tables: Record<string, Record<string, unknown>[]>) => void;
  readonly found: Partial<Damage>;
  readonly isDerived?: true;
  /** The changed rows keep their old checksums. Otherwise they get correct ones, as if a program had written the rows. */
  readonly leavesChecksums?: true;
}

/** Statements that add a second user with the email address of the first one. */
const secondUser =
  "CREATE TEMP TABLE one AS SELECT * FROM users LIMIT 1; UPDATE one SET data = replace(data, id, 'usr_second'), id = 'usr_second'; INSERT INTO users SELECT * FROM one";

const cases: readonly DamageCase[] = [
  {
    name: 'a row with another text',
    sql: "UPDATE collections SET data = replace(data, 'Two', 'Tvo')",
    found: { table: 'collections', what: 'does not have its checksum' },
    leavesChecksums: true,
  },
  {
    name: 'a row with another checksum',
    sql: "UPDATE collections SET checksum = checksum # 1 WHERE data LIKE '%Two%'",
    sqlite: "UPDATE collections SET checksum = checksum + 1 WHERE data LIKE '%Two%'",
    found: { table: 'collections', what: 'does not have its checksum' },
    leavesChecksums: true,
  },
  {
    name: 'a row that is not JSON',
    sql: "UPDATE collections SET data = '{' WHERE data LIKE '%Two%'",
    found: { table: 'collections', what: 'is not JSON' },
  },
  {
    name: 'a row that is empty JSON',
    sql: "UPDATE collections SET data = 'null' WHERE data LIKE '%Two%'",
    found: { table: 'collections', what: 'is not a JSON object' },
  },
  {
    name: 'a row of another ID',
    sql: `UPDATE collections SET data = replace(data, '"id":"', '"id":"x') WHERE data LIKE '%Two%'`,
    found: { table: 'collections', what: expect.stringMatching(/^holds the row "x/) as string },
  },
  {
    name: 'a row without an ID',
    edit: ({ spaces }) => void Object.assign(spaces![0]!, { id: null }),
    found: { what: expect.stringContaining('row 1 of "spaces" has no id') as string },
  },
  {
    name: 'a row twice',
    edit: ({ collections }) => void collections!.push(collections![0]!),
    found: { what: expect.stringContaining('its id appears twice') as string },
  },
  {
    name: 'a table that is not a list',
    edit: (all) => void Object.assign(all, { spaces: {} }),
    found: { what: expect.stringContaining('"spaces" is not a list of rows') as string },
  },
  {
    name: 'a key of a group in a column',
    sqlite: "UPDATE collections SET k_organization = 'other' WHERE data LIKE '%Two%'",
    postgres: "UPDATE collections SET k_organization = 'sother' WHERE data LIKE '%Two%'",
    found: { table: 'collections', what: 'has keys that are not those of its JSON' },
    isDerived: true,
  },
  {
    name: 'a key of an order in a column, which leaves the order as it is',
    sqlite: 'UPDATE collections SET k_position = k_position + 0.01',
    postgres: "UPDATE collections SET k_position = k_position || '0'",
    found: { table: 'collections', what: 'has keys that are not those of its JSON' },
    isDerived: true,
  },
  {
    name: 'two rows with a unique key',
    sqlite: `DROP INDEX "users_byEmail"; ${secondUser}; CREATE INDEX "users_byEmail" ON users ("k_email")`,
    postgres: `DO $$ DECLARE name text; BEGIN FOR name IN SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() AND tablename = 'users' AND indexdef LIKE 'CREATE UNIQUE%k_email%' LOOP EXECUTE format('DROP INDEX %I', name); END LOOP; END $$; ${secondUser}`,
    edit: ({ users }) => void users!.push({ ...users![0]!, id: 'usr_second' }),
    found: { table: 'users', what: expect.stringMatching(/^shares the unique key .* of byEmail$/) as string },
  },
  {
    name: 'an index that is missing',
    sqlite: 'DROP INDEX "collections_byOrganization"',
    postgres: `DO $$ DECLARE name text; BEGIN FOR name IN SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() AND tablename = 'collections' AND indexname NOT LIKE '%pkey' LOOP EXECUTE format('DROP INDEX %I', name); END LOOP; END $$`,
    found: { what: expect.stringMatching(/index/) as string },
    isDerived: true,
  },
  {
    name: 'a count',
    sql: 'UPDATE docsctl_counts SET number = number + 1 WHERE name LIKE \'%"collections"%\'',
    found: { table: 'collections', what: expect.stringMatching(/^the count of .* is \d+, not 4$/) as string },
    isDerived: true,
  },
  {
    name: 'a count that is missing',
    sql: 'DELETE FROM docsctl_counts WHERE name LIKE \'%"collections"%\'',
    found: { table: 'collections', what: expect.stringMatching(/^the count of .* is 0, not 4$/) as string },
    isDerived: true,
  },
  {
    name: 'a count of a group without rows',
    sqlite: `INSERT INTO docsctl_counts VALUES ('["collections","byOrganization","org_none"]', 3)`,
    postgres: `INSERT INTO docsctl_counts VALUES ('s["collections","byOrganization","org_none"]', 3)`,
    found: {
      table: 'collections',
      what: 'a number of rows is kept for ["collections","byOrganization","org_none"], which has none',
    },
    isDerived: true,
  },
  {
    name: 'searched words that are missing',
    sqlite: removeWords('min'),
    postgres:
      "UPDATE sections SET w_stems = '', w_counts = '{}', w_length = 0, w_body = '' WHERE data LIKE '%pelican stands%'",
    found: { table: 'sections', what: 'has searched words that are not those of its texts' },
    isDerived: true,
  },
  {
    name: 'other searched words',
    sqlite: `${removeWords('max')};
      INSERT INTO docsctl_words_sections (rowid, w_body) SELECT max(number), 'pelican' FROM sections`,
    postgres: `UPDATE sections SET w_stems = replace(w_stems::text, 'heron', 'pelican')::tsvector WHERE data LIKE '%heron stands%'`,
    found: { table: 'sections', what: 'has searched words that are not those of its texts' },
    isDerived: true,
  },
  {
    name: 'the text of a phrase of searched words',
    postgres: `UPDATE sections SET w_body = replace(w_body, 'pier', 'pies') WHERE data LIKE '%heron stands%'`,
    found: { table: 'sections', what: 'has searched words that are not those of its texts' },
    isDerived: true,
  },
  {
    name: 'searched words of a row that is missing',
    sqlite: "INSERT INTO docsctl_words_sections (rowid, w_body) VALUES (4000, 'pelican')",
    found: { table: 'sections', what: 'has searched words of row 4000, which is missing' },
    isDerived: true,
  },
  {
    name: 'a text that was changed',
    sql: "UPDATE blobs SET data = replace(data, 'pelican', 'penguin')",
    edit: ({ blobs }) => {
      for (const blob of blobs!) blob['data'] = String(blob['data']).replace('pelican', 'penguin');
    },
    found: { table: 'blobs', what: 'does not have its hash' },
  },
  {
    name: 'a list of pages that was changed',
    sql: "UPDATE content_nodes SET data = replace(data, 'A heron', 'A robin')",
    edit: ({ content_nodes }) => void Object.assign(content_nodes![0]!, { more: 1 }),
    found: { table: 'content_nodes', what: 'does not have its hash' },
  },
  {
    name: 'a text that is missing',
    sql: "DELETE FROM blobs WHERE data LIKE '%pelican%'",
    edit: (all) => {
      all['blobs'] = all['blobs']!.filter(({ data }) => !String(data).includes('pelican'));
    },
    found: { table: 'content_nodes', what: expect.stringContaining('which is missing') as string },
  },
  {
    name: 'a list of pages that is missing',
    sql: 'DELETE FROM content_nodes',
    edit: ({ content_nodes }) => void content_nodes!.splice(0),
    found: { table: 'revisions', what: expect.stringContaining('which is missing') as string },
  },
];

/** Checks that damage is found, and that it is repaired if it is in derived data. Other damage remains. */
async function tryDamage(url: string, { found, isDerived }: DamageCase): Promise<void> {
  expect(await check(url)).toContainEqual(expect.objectContaining(found));
  if (isDerived !== true) return;
  expect(await repairStore(targetOf(url))).toBe(true);
  expect(await check(url)).toEqual([]);
}

describe('a SQLite file with', () => {
  test.each(cases.flatMap((one) => ((one.sqlite ?? one.sql) === undefined ? [] : [one])))(
    '$name',
    async (one) => {
      const path = sqliteCopy();
      const database = new DatabaseSync(path);
      database.exec(one.sqlite ?? one.sql ?? '');
      for (const table of one.leavesChecksums === true ? [] : changedTables) {
        const set = database.prepare(`UPDATE ${table} SET checksum = ? WHERE id = ?`);
        for (const row of database.prepare(`SELECT id, data FROM ${table}`).all())
          set.run(checksumOf(String(row['data'])), String(row['id']));
      }
      database.close();
      await tryDamage(path, one);
    },
  );
});

describe.skipIf(!hasPostgres())('a database with', () => {
  test('no damage', async () => {
    const url = await postgresCopy();
    expect(await check(url)).toEqual([]);
    expect(await repairStore(targetOf(url))).toBe(true);
    expect(await check(url)).toEqual([]);
  });

  test('a row with a wrong checksum, which a repair keeps and counts', async () => {
    const url = await postgresCopy();
    const schema = new URL(url).searchParams.get('schema');
    await query(url, `UPDATE "${schema}".collections SET data = replace(data, 'Two', 'Too')`);
    const found = await check(url);
    expect(found).toEqual([
      { table: 'collections', id: expect.any(String) as string, what: 'does not have its checksum' },
    ]);
    expect(await repairStore(targetOf(url))).toBe(true);
    expect(await check(url)).toEqual(found);
  });

  test('a row with altered text, which can be neither backed up nor changed', async () => {
    const url = await postgresCopy();
    const store = await open(url, undefined, tables);
    const backup = () => store.read((view) => summarizeRows(view, tables));
    expect((await backup()).rows).toBeGreaterThan(4);
    const schema = new URL(url).searchParams.get('schema');
    const [changed] = await query(
      url,
      `UPDATE "${schema}".collections SET data = replace(data, 'Two', 'Too') WHERE data LIKE '%Two%' RETURNING id`,
    );
    const damaged = {
      reason: 'store-failed',
      message: expect.stringContaining('a row of collections does not have its checksum') as string,
    };
    await expect(backup()).rejects.toMatchObject(damaged);
    const change = store.write((tx) => tx.update(collections, String(changed?.['id']), { title: 'Two' }));
    await expect(change).rejects.toMatchObject(damaged);
  });

  test('concurrent writes during a repair', async () => {
    const url = await postgresCopy();
    const store = await open(url, undefined, tables);
    const [first] = await store.read((view) => view.scan(collections, '', 1));
    const row = (await store.read((view) => view.get(collections, first?.id ?? ''))) as CollectionRow;
    const write = async (name: string): Promise<void> => {
      for (let at = 0; at < 20; at++)
        await store.write(async (tx) => {
          await tx.insert(collections, { ...row, id: `col_${name}${at}` });
          if (at % 2 === 0) await tx.remove(collections, `col_${name}${at - 2}`);
        });
    };
    await Promise.all([...['a', 'b', 'c'].map(write), repairStore(targetOf(url))]);
    expect(await check(url)).toEqual([]);
    const organization = [row.organization];
    expect(await store.read((view) => view.count(collections, 'byOrganization', organization))).toBe(4 + 33);
  });

  test.each(cases.flatMap((one) => ((one.postgres ?? one.sql) === undefined ? [] : [one])))(
    '$name',
    async (one) => {
      const url = await postgresCopy();
      const schema = new URL(url).searchParams.get('schema') ?? '';
      await query(url, `SET search_path TO "${schema}"; ${one.postgres ?? one.sql}`);
      for (const table of one.leavesChecksums === true ? [] : changedTables) {
        const rows = await query(url, `SELECT id, data FROM "${schema}"."${table}"`);
        const set = rows.map(
          ({ id, data }) =>
            `UPDATE "${schema}"."${table}" SET checksum = ${checksumOf(String(data))} WHERE id = '${String(id)}'`,
        );
        await query(url, set.join(';'));
      }
      await tryDamage(url, one);
    },
  );
});

describe('a JSON file with', () => {
  test.each(cases.flatMap((one) => (one.edit === undefined ? [] : [one])))('$name', async (one) => {
    const path = join(temporaryFolder(), 'store.json');
    const { crc32: _, ...file } = JSON.parse(readFileSync(join(home, 'whole.json'), 'utf8')) as {
      tables: Record<string, Record<string, unknown>[]>;
      crc32: string;
    };
    one.edit?.(file.tables);
    writeFileSync(path, JSON.stringify(file));
    await tryDamage(path, one);
    expect(await repairStore(targetOf(path))).toBe(false);
  });
});

test('repairs the other rows of a file that contains a row with invalid JSON', async () => {
  const path = sqliteCopy();
  const database = new DatabaseSync(path);
  database.exec(
    "UPDATE collections SET data = '{' WHERE data LIKE '%Two%'; UPDATE collections SET k_organization = 'other' WHERE data LIKE '%One%'; UPDATE sections SET k_space = 'other' WHERE data LIKE '%heron%'",
  );
  database.close();
  expect(await repairStore(targetOf(path))).toBe(true);
  expect(await check(path)).toEqual([
    { table: 'collections', id: expect.any(String), what: 'does not have its checksum' },
  ]);
});
