import fc from 'fast-check';
import {
  chownSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { settings } from '../../../src/core/rows/organizations.ts';
import { jobs, type JobRow } from '../../../src/core/rows/jobs.ts';
import { integrations, type IntegrationRow } from '../../../src/core/rows/integrations.ts';
import type { Row, Store, Table } from '../../../src/core/store.ts';
import { backupStore, tryRestore } from '../../../src/stores/backup/backup-store.ts';
import { verifyBackup } from '../../../src/stores/backup/read-backup.ts';
import { placeFile, removeLeftovers } from '../../../src/stores/backup/place-file.ts';
import { inspectTarget, restoreBackup } from '../../../src/stores/backup/restore.ts';
import { saveBackup } from '../../../src/stores/backup/save-backup.ts';
import { writeBackup } from '../../../src/stores/backup/write-backup.ts';
import { readStoreInfo } from '../../../src/stores/info.ts';
import { openStore } from '../../../src/stores/index.ts';
import { emptyPostgres } from '../../support/postgres.ts';
import { hasPostgres } from '../../support/postgres-server.ts';
import { notes, open, pages, tables as plainTables, temporaryFolder, texts } from '../fixtures.ts';

const tables: readonly Table[] = [...plainTables, jobs, integrations, settings];
const origin = { version: '1.2.3', createdAt: '2026-01-02T03:04:05.000Z' };

async function fill(store: Store, rows: ReadonlyMap<Table, readonly Row[]>): Promise<void> {
  await store.write(async (tx) => {
    for (const [table, list] of rows) for (const row of list) await tx.insert(table, row);
  });
}

async function textOf(store: Store): Promise<string> {
  return store.read(async (view) => {
    let text = '';
    for await (const lines of writeBackup(view, tables, origin)) text += lines;
    return text;
  });
}

async function backUp(url: string, path: string) {
  return backupStore({ url, tables, cwd: '' }, origin, async (lines) => {
    await saveBackup(path, lines, true);
  });
}

async function restore(path: string, url: string, isDamaged = false, replaces = true) {
  const facts = await verifyBackup(path, tables);
  const newName = '0123456789abcdef';
  return restoreBackup(path, { url, tables, cwd: '' }, { facts, isDamaged, newName, replaces });
}

const text = fc.string({ unit: 'grapheme', maxLength: 8 });
const id = text.filter((one) => one !== '' && !/[\0\p{Surrogate}]/u.test(one));
const someRows = fc
  .record({
    pages: fc.uniqueArray(
      fc.record({ id, space: fc.constant('s'), position: fc.integer(), extra: fc.jsonValue() }),
      {
        selector: (row) => row.id,
        maxLength: 12,
      },
    ),
    notes: fc.uniqueArray(fc.record({ id, text }), { selector: (row) => row.id, maxLength: 12 }),
    texts: fc.uniqueArray(fc.record({ id, space: fc.constant(null), title: text, body: text }), {
      selector: (row) => row.id,
      maxLength: 6,
    }),
  })
  .map(
    (all) =>
      new Map<Table, readonly Row[]>([
        [pages as Table, all.pages],
        [notes as Table, all.notes],
        [texts as Table, all.texts],
      ]),
  );

describe('a backup', () => {
  test('has the same bytes for every kind of store, and can be restored into every other kind', async () => {
    await fc.assert(
      fc.asyncProperty(someRows, async (rows) => {
        const folder = temporaryFolder();
        const urls = ['memory:', `sqlite:${join(folder, 'a.db')}`, `json:${join(folder, 'a.json')}`];
        const copies = [`sqlite:${join(folder, 'b.db')}`, `json:${join(folder, 'b.json')}`];
        const backups: string[] = [];
        for (const url of urls) {
          const store = await open(url, undefined, tables);
          await fill(store, rows);
          backups.push(await textOf(store));
          await store.close();
        }
        expect(new Set(backups).size).toBe(1);
        const path = join(folder, 'backup.ndjson');
        writeFileSync(path, backups[0]!);
        for (const url of copies) {
          await restore(path, url);
          const store = await open(url, undefined, tables);
          expect(await textOf(store)).toBe(backups[0]);
          for (const [table, list] of rows)
            for (const row of list)
              expect(await store.read((view) => view.get(table, row.id))).toEqual(
                JSON.parse(JSON.stringify(row)),
              );
          await store.close();
        }
        expect(readdirSync(folder).filter((name) => name.includes('restore'))).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });

  test('is private to its owner, compressed if its name says so, and appears only when complete', async () => {
    const folder = temporaryFolder();
    const url = `sqlite:${join(folder, 'a.db')}`;
    const store = await open(url, undefined, tables);
    await fill(store, new Map([[notes as Table, [{ id: 'n', text: 'one' } as Row]]]));
    const path = join(folder, 'backup.gz');
    const summary = await backUp(url, path);
    expect(summary).toMatchObject({ rows: 1, keys: [], tables: [{ name: 'notes', rows: 1 }] });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(gunzipSync(readFileSync(path)).toString()).toBe(await textOf(store));
    const failing = saveBackup(
      join(folder, 'other'),
      (async function* () {
        yield 'a line\n';
        throw new Error('the end');
      })(),
      false,
    );
    await expect(failing).rejects.toThrow('the end');
    await expect(saveBackup(path, (async function* () {})(), false)).rejects.toMatchObject({
      reason: 'guard-refused',
    });
    expect(readdirSync(folder).filter((name) => name.includes('part') || name === 'other')).toEqual([]);
    expect(await tryRestore(path, tables, '0123456789abcdef')).toBe(true);
    expect(readdirSync(folder).filter((name) => name.includes('trial'))).toEqual([]);
  });

  test('contains jobs without claims, encrypted secrets unchanged, and the fingerprint of their key', async () => {
    const store = await open('memory:', undefined, tables);
    const job: JobRow = {
      id: 'k.s', kind: 'k', organization: 'o', subject: 's', queue: 'open', dueAt: '2026-01-09T00:00:00.000Z',
      owner: 'run_1', attempts: 1, again: false, createdAt: '2026-01-01T00:00:00.000Z',
    }; // prettier-ignore
    const sealed = `v1.0a1b2c3d.${'a'.repeat(16)}.${'b'.repeat(22)}.abc`;
    const rows: Row[] = [{ id: 'i', signingSecret: sealed, organization: 'o' } as unknown as IntegrationRow];
    await fill(
      store,
      new Map([
        [jobs as Table, [job]],
        [integrations as Table, rows],
      ]),
    );
    const lines = (await textOf(store)).split('\n');
    expect(lines).toContain(JSON.stringify(rows[0]));
    expect(lines).toContain(JSON.stringify({ ...job, owner: null, dueAt: job.createdAt }));
    expect(JSON.parse(lines.at(-2)!)).toMatchObject(['total', 2, 2, ['0a1b2c3d'], expect.any(String)]);
  });

  test('is recorded in the store, and listed with its sizes', async () => {
    const folder = temporaryFolder();
    const url = join(folder, 'a.db');
    const store = await open(url, undefined, tables);
    await fill(
      store,
      new Map([[notes as Table, [{ id: 'n', text: 'x'.repeat(1000) } as Row, { id: 'm', text: '' } as Row]]]),
    );
    const stamp = store.stamp?.();
    expect((await readStoreInfo({ url, tables, cwd: '' })).backup).toBeNull();
    const { sha256 } = await backUp(url, join(folder, 'backup'));
    expect(await readStoreInfo({ url, tables, cwd: '' })).toMatchObject({
      kind: 'sqlite',
      rows: 2,
      tables: [{ table: 'notes', rows: 2 }],
      backup: { at: origin.createdAt, rows: 2, sha256 },
    });
    expect(stamp).toBeDefined();
  });

  test('can be taken of a store that can no longer be written', async () => {
    const folder = temporaryFolder();
    const url = join(folder, 'a.db');
    const store = await open(url, undefined, tables);
    await fill(store, new Map([[notes as Table, [{ id: 'n', text: 'x' } as Row]]]));
    const path = join(folder, 'backup');
    const { rows } = await backupStore({ url, tables, cwd: '' }, origin, async (lines) => {
      await saveBackup(path, lines, true);
      // From now on, the store refuses writes.
      renameSync(url, join(folder, 'moved.db'));
    });
    expect(rows).toBe(1);
    expect((await verifyBackup(path, tables)).summary.rows).toBe(1);
  });

  test('contains a prefix of what eight concurrent writers write', async () => {
    const folder = temporaryFolder();
    const url = join(folder, 'a.db');
    const store = await open(url, undefined, tables);
    let [isDone, count] = [false, 0];
    const writers = Array.from({ length: 8 }, async (_, one) => {
      for (let at = 0; !isDone; at++) {
        await store.write(async (tx) => {
          await tx.insert(notes, { id: `${one}-${String(at).padStart(5, '0')}`, text: 'x'.repeat(300) });
          const total = await tx.get(pages, 'total');
          if (total === undefined) await tx.insert(pages, { id: 'total', space: null, position: 1 });
          else await tx.update(pages, 'total', { position: Number(total.position) + 1 });
        });
        count++;
      }
    });
    const backups: string[] = [];
    for (let round = 0; round < 5; round++) {
      const before = count;
      while (count < before + 40) await new Promise(setImmediate);
      const path = join(folder, `backup-${round}`);
      await backUp(url, path);
      backups.push(readFileSync(path, 'utf8'));
    }
    isDone = true;
    await Promise.all(writers);
    for (const backup of backups) {
      const rows = backup
        .split('\n')
        .filter((line) => line.startsWith('{"id"'))
        .map((line) => JSON.parse(line) as Row & { position?: number });
      const written = rows.filter((row) => row.id !== 'total');
      expect(rows.find((row) => row.id === 'total')?.position).toBe(written.length);
      for (let one = 0; one < 8; one++) {
        const own = written.filter((row) => row.id.startsWith(`${one}-`));
        expect(own.map((row) => row.id)).toEqual(own.map((_, at) => `${one}-${String(at).padStart(5, '0')}`));
      }
    }
  });
});

describe('a restore', () => {
  const filled = async (folder: string, name: string, text: string) => {
    const url = join(folder, name);
    const store = await open(url, undefined, tables);
    await fill(store, new Map([[notes as Table, [{ id: 'n', text } as Row]]]));
    return { url, store };
  };
  const textIn = async (url: string) => {
    const store = await open(url, undefined, tables);
    return store.read(async (view) => (await view.get(notes, 'n'))?.text);
  };

  test.each(['old.db', 'old.json'])('replaces %s completely, and leaves no other file', async (name) => {
    const folder = temporaryFolder();
    const { url, store } = await filled(folder, 'new.json', 'new');
    await store.close();
    const path = join(folder, 'backup');
    await backUp(url, path);
    const made = await filled(folder, `first-${name}`, 'old');
    await made.store.close();
    // This process has not opened the file before. Closed connections keep their locks until garbage collection.
    const old = { url: join(folder, name) };
    copyFileSync(made.url, old.url);
    expect(await inspectTarget({ url: old.url, tables, cwd: '' })).toEqual({ state: 'full' });
    expect(await restore(path, old.url)).toEqual({});
    expect(await textIn(old.url)).toBe('new');
    expect(readdirSync(folder).filter((file) => /restore|damaged|\.tmp/.test(file))).toEqual([]);
    expect(statSync(old.url).mode & 0o777).toBe(0o600);
  });

  test.each(['a.db', 'a.json', ...(hasPostgres() ? ['postgres'] : [])])(
    'into %s does not replace a store that was created in the meantime',
    async (name) => {
      const folder = temporaryFolder();
      const { url, store } = await filled(folder, 'new.json', 'new');
      await store.close();
      const path = join(folder, 'backup');
      await backUp(url, path);
      const target = name === 'postgres' ? await emptyPostgres() : join(folder, name);
      const other = await openStore(target, { tables });
      await fill(other, new Map([[notes as Table, [{ id: 'n', text: 'old' } as Row]]]));
      await other.close();
      await expect(restore(path, target, false, false)).rejects.toMatchObject({
        reason: 'guard-refused',
        message: expect.stringMatching(/ is not empty\. Nothing was changed\.$/),
      });
      expect(await textIn(target)).toBe('old');
      expect(readdirSync(folder).filter((file) => file.includes('restore'))).toEqual([]);
    },
  );

  test('does not replace a SQLite file that another connection has open', async () => {
    const folder = temporaryFolder();
    const { url, store } = await filled(folder, 'new.json', 'new');
    await store.close();
    const path = join(folder, 'backup');
    await backUp(url, path);
    const old = await filled(folder, 'old.db', 'old');
    await old.store.read((view) => view.get(notes, 'n'));
    await expect(restore(path, old.url)).rejects.toMatchObject({ reason: 'store-busy' });
    expect(await textIn(old.url)).toBe('old');
    expect(readdirSync(folder).filter((file) => file.includes('restore'))).toEqual([]);
  });

  test('stops if another restore to the same store starts later', async () => {
    const folder = temporaryFolder();
    const { url, store } = await filled(folder, 'new.json', 'x'.repeat(1000));
    await store.write(async (tx) => {
      for (let at = 0; at < 5000; at++) await tx.insert(notes, { id: `n${at}`, text: 'x'.repeat(1000) });
    });
    await store.close();
    const [path, target] = [join(folder, 'backup'), join(folder, 'a.db')];
    await backUp(url, path);
    const refused = expect(restore(path, target)).rejects.toMatchObject({
      reason: 'store-busy',
      message: `Another restore to ${target} was started in the meantime.`,
    });
    while (!readdirSync(folder).some((name) => name.endsWith('.restore')))
      await new Promise((resolve) => setImmediate(resolve));
    removeLeftovers(target);
    await refused;
    expect(readdirSync(folder).filter((name) => name.startsWith('a.db'))).toEqual([]);
  });

  test.runIf(process.getuid?.() === 0)('by root keeps the owner of the store', async () => {
    const folder = temporaryFolder();
    const [path, partial] = [join(folder, 'old.json'), join(folder, 'new.json')];
    for (const file of [path, partial]) writeFileSync(file, file);
    chownSync(path, 12345, 12346);
    await placeFile({ scheme: 'json', partial, path, isDamaged: false, aside: join(folder, 'aside') });
    expect(readFileSync(path, 'utf8')).toBe(partial);
    expect(statSync(path)).toMatchObject({ uid: 12345, gid: 12346 });
  });

  test('reports a full disk, and keeps the old file', async () => {
    const folder = temporaryFolder();
    const [path, partial] = [join(folder, 'old.db'), join(folder, 'new.db')];
    for (const file of [path, partial, `${partial}-wal`]) writeFileSync(file, file);
    await expect(
      placeFile({ scheme: 'sqlite', partial, path, isDamaged: false, aside: join(folder, 'aside') }),
    ).rejects.toMatchObject({ reason: 'store-failed', hint: expect.stringContaining('disk has room') });
    expect(readFileSync(path, 'utf8')).toBe(path);
  });

  test.each([
    ['old.db', 'noise '.repeat(1000)],
    ['old.json', '{"format":"docsctl-store","ver'],
  ])('keeps a damaged %s next to the new one', async (name, content) => {
    const folder = temporaryFolder();
    const { url, store } = await filled(folder, 'new.json', 'new');
    await store.close();
    const path = join(folder, 'backup');
    await backUp(url, path);
    const old = join(folder, name);
    writeFileSync(old, content);
    writeFileSync(`${old}-wal`, 'stale');
    expect(await inspectTarget({ url: old, tables, cwd: '' })).toMatchObject({ state: 'damaged' });
    const { aside } = await restore(path, old, true);
    expect(readFileSync(aside!, 'utf8')).toBe(content);
    expect(await textIn(old)).toBe('new');
  });
});

describe('a damaged backup', () => {
  let whole = '';
  let folder = '';
  beforeAll(async () => {
    const store = await openStore('memory:', { tables });
    const list = Array.from({ length: 40 }, (_, at) => ({ id: `n${at}`, text: `text ${at}` }) as Row);
    await fill(
      store,
      new Map([
        [notes as Table, list],
        [texts as Table, [{ id: 't', title: 'A' } as unknown as Row]],
      ]),
    );
    whole = await textOf(store);
  });
  const lines = () => whole.trimEnd().split('\n');
  const edit = (change: (all: string[]) => void) => () => {
    const all = lines();
    change(all);
    return `${all.join('\n')}\n`;
  };
  const flip =
    (at: (size: number) => number, bit = 1) =>
    () => {
      const bytes = Buffer.from(whole);
      bytes[at(bytes.length)]! ^= bit;
      return bytes;
    };
  const swap = (all: string[], a: number, b: number) => {
    [all[a], all[b]] = [all[b]!, all[a]!];
  };
  const cases: readonly (readonly [string, () => string | Buffer])[] = [
    ['empty', () => ''],
    ['only a line feed', () => '\n'],
    ['only the header', edit((all) => all.splice(1))],
    ['without the header', edit((all) => all.splice(0, 1))],
    ['without the last line', edit((all) => all.splice(-1))],
    ['without the last line feed', () => whole.slice(0, -1)],
    ['cut in half', () => whole.slice(0, whole.length / 2)],
    ['cut in a row', () => whole.slice(0, whole.indexOf('text 7') + 3)],
    ['followed by something', () => `${whole}{}\n`],
    ['the backup twice', () => whole + whole],
    ['a file of another program', () => '{"name":"package"}\n'],
    ['not JSON', () => 'noise'.repeat(100)],
    ['not UTF-8', flip((size) => size >> 1, 0x80)],
    ['a changed bit in the first byte', flip(() => 0)],
    ['a changed bit in the time', flip(() => whole.indexOf('2026-01') + 3)],
    ['a changed bit in the version of docsctl', flip(() => whole.indexOf('1.2.3'))],
    ['a changed bit in a row', flip(() => whole.indexOf('text 7') + 1)],
    ['a changed bit in an ID', flip(() => whole.indexOf('"n9"') + 2)],
    ['a changed bit in the hash of a table', flip(() => whole.indexOf('["end"') + 20)],
    ['a changed bit in the total', flip((size) => size - 8)],
    ['a changed bit in a line feed', flip(() => whole.indexOf('\n', 400), 2)],
    ['swapped rows', edit((all) => swap(all, 3, 4))],
    ['a missing row', edit((all) => all.splice(5, 1))],
    ['a duplicate row', edit((all) => all.splice(5, 0, all[5]!))],
    ['a row of another table', edit((all) => swap(all, 5, all.length - 3))],
    ['swapped tables', edit((all) => all.splice(1, 0, ...all.splice(-4, 3)))],
    ['a missing table', edit((all) => all.splice(-4, 3))],
    ['a wrong count', edit((all) => (all[42] = all[42]!.replace('40', '41')))],
    ['a wrong total', edit((all) => all.push(all.pop()!.replace('41', '40')))],
    ['an unknown table', edit((all) => (all[1] = '["table","novelties"]'))],
    ['a newer version', edit((all) => (all[0] = all[0]!.replace('"version":1', '"version":2')))],
    ['a row without an ID', edit((all) => (all[5] = '{"text":"x"}'))],
    ['a row that is not an object', edit((all) => (all[5] = '7'))],
  ];

  test.each(cases)('is refused before anything is written: %s', async (_, make) => {
    folder = temporaryFolder();
    const path = join(folder, 'backup');
    writeFileSync(path, make());
    const target = join(folder, 'new.db');
    await expect(restore(path, target)).rejects.toMatchObject({
      reason: 'invalid-input',
      message: expect.stringContaining(path),
      hint: expect.any(String),
    });
    expect(readdirSync(folder)).toEqual(['backup']);
    expect(existsSync(target)).toBe(false);
  });

  test('is detected at every byte, also in a compressed backup', async () => {
    folder = temporaryFolder();
    const path = join(folder, 'backup');
    const bytes = Buffer.from(whole);
    for (let at = 0; at < bytes.length; at += 7) {
      const copy = Buffer.from(bytes);
      copy[at]! ^= 1 << (at % 7);
      writeFileSync(path, copy);
      await expect(verifyBackup(path, tables), `byte ${at}`).rejects.toMatchObject({
        reason: 'invalid-input',
      });
    }
    await saveBackup(`${path}.gz`, (async function* () { yield whole; })(), false); // prettier-ignore
    const zipped = readFileSync(`${path}.gz`);
    for (let at = 10; at < zipped.length; at += 11) {
      const copy = Buffer.from(zipped);
      copy[at]! ^= 4;
      writeFileSync(path, copy);
      await expect(verifyBackup(path, tables), `byte ${at}`).rejects.toMatchObject({
        reason: 'invalid-input',
      });
    }
    for (const size of [0, 2, 30, zipped.length - 1]) {
      writeFileSync(path, zipped.subarray(0, size));
      await expect(verifyBackup(path, tables), `${size} bytes`).rejects.toMatchObject({
        reason: 'invalid-input',
      });
    }
  });

  test('that is missing, a folder or a file of another program is refused with a clear message', async () => {
    folder = temporaryFolder();
    const other = join(folder, 'other.json');
    writeFileSync(other, '{"name":"package"}');
    const messages = {
      [join(folder, 'none')]: `There is no backup at ${join(folder, 'none')}.`,
      [folder]: `The backup ${folder} cannot be read: it is a folder.`,
      [other]: `The file ${other} is not a docsctl backup.`,
    };
    for (const [path, message] of Object.entries(messages))
      await expect(verifyBackup(path, tables)).rejects.toMatchObject({ reason: 'invalid-input', message });
  });
});
