import { isUtf8 } from 'node:buffer';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tables } from '../../../src/resources/tables.ts';
import { verifyBackup } from '../../../src/stores/backup/read-backup.ts';
import { restoreBackup } from '../../../src/stores/backup/restore.ts';
import { summarizeRows } from '../../../src/stores/backup/write-backup.ts';
import { checkStore } from '../../../src/stores/check/check-store.ts';
import { openStore } from '../../../src/stores/index.ts';
import { docsctl } from '../../support/cli.ts';
import { emptyPostgres, query } from '../../support/postgres.ts';
import { hasPostgres } from '../../support/postgres-server.ts';
import { temporaryFolder } from '../fixtures.ts';

/** The number of bits that are flipped in each kind of store, one at a time. */
const rounds = Number(process.env['FLIPPED_BITS'] ?? 40);

let home = '';
const backup = () => join(home, 'backup.ndjson');

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-bits-'));
  const run = async (line: string) => {
    const { exit, stderr } = await docsctl(line.split(' '), {
      home,
      cwd: home,
      env: { DOCSCTL_STORE: 'sqlite:store.db' },
    });
    if (exit !== 0) throw new Error(`${line}: ${stderr}`);
  };
  await run('init --org-title Acme --email ana@example.com');
  await run('spaces create --title Guide');
  mkdirSync(join(home, 'docs'));
  for (const bird of ['pelican', 'heron', 'stork'])
    writeFileSync(
      join(home, 'docs', `${bird}.md`),
      `# A ${bird}\n\nA ${bird} stands on the pier.\n`.repeat(20),
    );
  await run('spaces import Guide docs --yes');
  await run('store backup backup.ndjson');
  for (const store of ['sqlite:whole.db', 'json:whole.json'])
    await run(`store restore backup.ndjson --store ${store}`);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const targetOf = (url: string) => ({ url, tables, cwd: '' });

/** Returns numbers from 0 to 1, the same in each run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the hash of all rows of a store, where each row is read by its ID. */
async function hashOf(url: string): Promise<string> {
  const store = await openStore(url, { tables, create: false, ignoreMarks: true });
  try {
    return (await store.read((view) => summarizeRows(view, tables))).sha256;
  } finally {
    await store.close();
  }
}

test.each(['whole.db', 'whole.json'])(
  'finds a flipped bit in %s, unless it changes no row',
  { timeout: 60_000 + rounds * 500 },
  async (name) => {
    const whole = readFileSync(join(home, name));
    const expected = await hashOf(join(home, name));
    const random = randomNumbers(Number(process.env['SEED'] ?? 24));
    const path = join(temporaryFolder(), name.replace('whole', 'store'));
    const bytes = Buffer.from(whole);
    const unseen: string[] = [];
    let harmless = 0;
    for (let round = 0; round < rounds; round++) {
      let at = Math.floor(random() * bytes.length);
      // Most bytes of a small SQLite file are zero and unused, so every second bit is chosen from the other bytes.
      while (round % 2 === 0 && bytes[at] === 0) at = (at + 1) % bytes.length;
      const bit = 1 << Math.floor(random() * 8);
      bytes[at]! ^= bit;
      for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(`${path}${suffix}`, { force: true });
      writeFileSync(path, bytes);
      bytes[at]! ^= bit;
      const { damages } = await checkStore(targetOf(path));
      if (damages.length > 0) continue;
      if ((await hashOf(path)) === expected) harmless++;
      else unseen.push(`bit ${bit} of byte ${at}`);
    }
    expect(unseen).toEqual([]);
    // Each byte of a JSON file is used. In a SQLite file, free space and the lengths of free space are not.
    if (name.endsWith('.json')) expect(harmless).toBe(0);
    else expect(harmless).toBeLessThan(rounds);
  },
);

/** Returns a text with one other bit that is still a text: PostgreSQL refuses to show any other. */
function flipBit(text: string, random: () => number): string {
  for (;;) {
    const bytes = Buffer.from(text);
    bytes[Math.floor(random() * bytes.length)]! ^= 1 << Math.floor(random() * 8);
    if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString();
  }
}

test.skipIf(!hasPostgres())(
  'finds a flipped bit in an ID, the JSON or a key of a database row',
  { timeout: 60_000 + rounds * 500 },
  async () => {
    const random = randomNumbers(24);
    const facts = await verifyBackup(backup(), tables);
    let flipped = 0;
    while (flipped < rounds) {
      const url = await emptyPostgres();
      await restoreBackup(backup(), targetOf(url), { facts, isDamaged: false, newName: '0', replaces: true });
      const schema = new URL(url).searchParams.get('schema') ?? '';
      const statements: string[] = [];
      const expected = new Set<string>();
      // One bit in each row, at once.
      for (const { name } of tables) {
        const rows = await query(url, `SELECT * FROM "${schema}"."${name}"`);
        const ids = new Set(rows.map(({ id }) => String(id)));
        for (const row of rows) {
          const columns = Object.entries(row).flatMap(([column, value]): [string, string][] =>
            typeof value === 'string' && value !== '' && !column.startsWith('w_') ? [[column, value]] : [],
          );
          const [column, value] = columns[Math.floor(random() * columns.length)] as [string, string];
          let changed = flipBit(value, random);
          while (column === 'id' && ids.has(changed)) changed = flipBit(value, random);
          ids.add(changed);
          expected.add(`${name} ${column === 'id' ? changed : String(row['id'])}`);
          const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
          statements.push(
            `UPDATE "${schema}"."${name}" SET "${column}" = ${quoted(changed)} WHERE id = ${quoted(String(row['id']))}`,
          );
        }
      }
      await query(url, statements.join(';'));
      const { damages } = await checkStore(targetOf(url));
      const found = new Set(damages.map(({ table, id }) => `${table} ${id}`));
      expect([...expected].filter((one) => !found.has(one))).toEqual([]);
      flipped += expected.size;
    }
  },
);
