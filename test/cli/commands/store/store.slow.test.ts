import { DatabaseSync } from '@photostructure/sqlite';
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../../../src/cli/program.ts';
import { docsctl, runtimeOf, type Ran } from '../../../support/cli.ts';
import { emptyPostgres, query } from '../../../support/postgres.ts';
import { hasPostgres } from '../../../support/postgres-server.ts';

/** Creates a folder with a store that has an organization and a space. */
async function newStore(url = 'sqlite:a.db') {
  const home = mkdtempSync(join(tmpdir(), 'docsctl-store-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const run = (line: string, env: Record<string, string> = {}): Promise<Ran> =>
    docsctl(line.split(' '), { home, cwd: home, env: { DOCSCTL_STORE: url, ...env } });
  await run('init --org-title Acme --email ana@example.com');
  expect((await run('spaces create --title Guide')).exit).toBe(0);
  return { home, run };
}

test('store restore restores a backup, even into another kind of store', async () => {
  const { home, run } = await newStore();
  expect(await run('store backup b.ndjson.gz --verify')).toMatchObject({
    exit: 0,
    stderr: expect.stringMatching(
      /^Wrote \d+ rows of \d+ tables to b.ndjson.gz \(\d.* KB\), and restored them as a trial.$/m,
    ),
  });
  expect((await run('store backup b.ndjson.gz')).exit).toBe(9);
  expect((await run('store backup b.ndjson.gz --force -o json')).stdout).toContain('"sha256"');
  expect((await run('store backup')).stdout).toMatch(/^\{"format":"docsctl-backup","version":1,/);
  expect(await run('store restore b.ndjson.gz --dry-run', { DOCSCTL_STORE: 'b.json' })).toMatchObject({
    exit: 0,
  });
  expect(readdirSync(home)).not.toContain('b.json');
  expect(await run('store restore b.ndjson.gz', { DOCSCTL_STORE: 'b.json' })).toMatchObject({ exit: 0 });
  expect((await run('spaces list', { DOCSCTL_STORE: 'b.json' })).stdout).toContain('Guide');
  const info = JSON.parse((await run('store info -o json')).stdout) as Record<string, unknown>;
  expect(info).toMatchObject({ kind: 'sqlite', key: null, backup: { id: 'backup' } });
  expect((await run('store info')).stdout).toMatch(/^last backup\s+2/m);
});

test('store backup --verify keeps a backup that could not be restored as a trial', async () => {
  const { home, run } = await newStore();
  // The name of the backup fits, but the longer name of the trial does not.
  const name = `${'b'.repeat(200)}.ndjson`;
  expect(await run(`store backup ${name} --verify`)).toMatchObject({
    exit: 69,
    stderr: expect.stringContaining(`${name} was written, but it could not be restored as a trial: `),
  });
  expect(readdirSync(home).filter((file) => file.startsWith('b'))).toEqual([name]);
  expect(await run(`store restore ${name}`, { DOCSCTL_STORE: 'b.json' })).toMatchObject({ exit: 0 });
});

test('store restore replaces a store only with --replace and --yes', async () => {
  const { home, run } = await newStore();
  await run('store backup b.ndjson');
  await run('spaces create --title Later');
  // Use a file that this process has not opened, because closed connections keep their locks until garbage collection.
  copyFileSync(join(home, 'a.db'), join(home, 'copy.db'));
  renameSync(join(home, 'copy.db'), join(home, 'a.db'));
  expect(await run('store restore b.ndjson')).toMatchObject({
    exit: 9,
    stderr: expect.stringContaining('not empty. Nothing was changed.'),
  });
  expect(await run('store restore b.ndjson --replace')).toMatchObject({
    exit: 9,
    stderr: expect.stringContaining('Add --yes to confirm.'),
  });
  expect(await run('store restore b.ndjson --replace --yes')).toMatchObject({
    exit: 0,
    stderr: expect.stringContaining('Restored'),
  });
  expect((await run('spaces list')).stdout).not.toContain('Later');
});

test('store restore replaces a damaged store, and keeps the damaged file', async () => {
  const { home, run } = await newStore();
  await run('store backup b.ndjson');
  writeFileSync(join(home, 'a.db'), 'noise '.repeat(2000));
  expect(await run('store restore b.ndjson')).toMatchObject({
    exit: 69,
    stderr: expect.stringContaining('--replace'),
  });
  const { exit, stderr } = await run('store restore b.ndjson --replace');
  expect({ exit, stderr }).toMatchObject({
    exit: 0,
    stderr: expect.stringContaining('The damaged store was moved to'),
  });
  const aside = readdirSync(home).find((name) => name.endsWith('.damaged'))!;
  expect(readFileSync(join(home, aside), 'utf8')).toMatch(/^noise /);
  expect((await run('spaces list')).stdout).toContain('Guide');
});

test('store restore, doctor and migrate report a missing key of secrets', async () => {
  const { home, run } = await newStore();
  writeFileSync(join(home, 'index.js'), 'addEventListener("fetch", () => {});');
  const words =
    'integrations publish demo --title Demo --description D --scopes space:content:read --secret HUSH';
  const published = await run(`${words} --script index.js`, { HUSH: 'hush' });
  expect(published).toMatchObject({ exit: 0 });
  const backup = await run('store backup b.ndjson -o json');
  const [key] = (JSON.parse(backup.stdout) as { keys: string[] }).keys;
  expect((await run('store info -o json')).stdout).toContain(`"key": "${key}"`);
  const hex = readFileSync(join(home, 'a.db.key'), 'utf8').trim();
  expect(readFileSync(join(home, 'b.ndjson'), 'utf8')).not.toContain(hex);
  const at = { DOCSCTL_STORE: 'b.db' };
  expect((await run('store restore b.ndjson', at)).stderr).toContain(
    `encrypted with the key ${key}, and there is no key here. Copy the original key file to b.db.key beside the store`,
  );
  const report = async (env: Record<string, string>, id: string): Promise<unknown> => {
    const { items } = JSON.parse((await run('doctor -o json', env)).stdout) as { items: { id: string }[] };
    return items.find((check) => check.id === id);
  };
  expect(await report({}, 'key')).toMatchObject({ ok: true });
  writeFileSync(join(home, 'b.db.key'), hex, { mode: 0o644 });
  chmodSync(join(home, 'b.db.key'), 0o644);
  expect(await report(at, 'key')).toMatchObject({
    ok: false,
    found: expect.stringContaining('Every user of this machine can read the key of the store, b.db.key'),
  });
  rmSync(join(home, 'b.db.key'));
  expect(await report(at, 'key')).toMatchObject({
    ok: false,
    found: expect.stringContaining(`The store has secrets whose key is missing: ${key}.`),
  });
  const moved = await run('store migrate --from a.db --to m.db');
  expect(moved.stderr).toContain(`run \`cp -p ${join(home, 'a.db.key')} ${join(home, 'm.db.key')}\`.`);
  expect(await report({}, 'moved')).toMatchObject({ ok: false, found: expect.stringContaining('m.db') });
  await run('store migrate --from a.db --undo');
  expect(await report({}, 'moved')).toBeUndefined();
  const other = { DOCSCTL_STORE: 'b.json', DOCSCTL_SECRET_KEY: '0'.repeat(64) };
  expect((await run('store restore b.ndjson', other)).stderr).toContain('and the key here is');
  rmSync(join(home, 'a.db.key'));
  const again = await run(`${words.replace('demo', 'other')} --script index.js`, { HUSH: 'hush' });
  expect(again).toMatchObject({ exit: 69, stderr: expect.stringContaining(`encrypted with the key ${key}`) });
  expect(readdirSync(home)).not.toContain('a.db.key');
  const right = await run('store restore b.ndjson', { DOCSCTL_STORE: 'c.db', DOCSCTL_SECRET_KEY: hex });
  expect(right).toMatchObject({ exit: 0, stderr: expect.not.stringContaining('Warning') });
});

test('store check exits with 0 or 69, and doctor reports damage', async () => {
  const { home, run } = await newStore();
  expect(await run('store check')).toMatchObject({
    exit: 0,
    stderr: expect.stringMatching(/^The store is intact: checked \d+ rows\.$/m),
  });
  expect((await run('store check --quick')).stderr).toContain('The file of the store is intact.');
  expect((await run('doctor -o json')).stdout).toContain('the file of the store is intact');
  expect(await run('store check', { DOCSCTL_STORE: 'none.db' })).toMatchObject({
    exit: 69,
    stdout: '',
    stderr: expect.stringMatching(/^error: There is no store at none\.db\.\n(?!.*fault)/),
  });
  const path = join(home, 'a.db');
  truncateSync(path, statSync(path).size - 4096);
  const { exit, stdout, stderr } = await run('store check -o json');
  expect({ exit, stderr }).toMatchObject({
    exit: 69,
    stderr: expect.stringContaining('`docsctl store restore FILE --replace`'),
  });
  const { items } = JSON.parse(stdout) as { items: object[] };
  expect(items[0]).toMatchObject({ table: '-', id: '-', what: expect.stringContaining('bytes') });
  expect(await run('doctor -o json')).toMatchObject({
    exit: 69,
    stdout: expect.stringContaining('The store is damaged'),
  });
});

test('store check --repair suggests a backup for a store that cannot be repaired', async () => {
  const { home, run } = await newStore();
  const path = join(home, 'a.db');
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xff, 4096));
  const { exit, stdout } = await run('store check -o json');
  expect(exit).toBe(69);
  expect(stdout).not.toContain('The store is damaged');
  const repaired = await run('store check --repair');
  expect(repaired).toMatchObject({
    exit: 69,
    stderr: expect.stringMatching(
      /^error: The store cannot be repaired: .+\.\nhint: Go back to a backup: `docsctl store restore FILE --replace`\.\n$/,
    ),
  });
});

test('a check of a store with many faults does not claim to count all', async () => {
  const { home, run } = await newStore();
  const parts = [{ type: 'message', role: 'user', body: 'Hello' }];
  const all = Array.from({ length: 1001 }, (_, at) => ({ id: `c${at}`, parts }));
  writeFileSync(join(home, 'all.ndjson'), all.map((one) => `${JSON.stringify(one)}\n`).join(''));
  expect((await run('conversations ingest all.ndjson')).exit).toBe(0);
  const database = new DatabaseSync(join(home, 'a.db'));
  database.exec('UPDATE conversations SET checksum = checksum + 1');
  database.close();
  const { exit, stderr } = await run('store check -o none');
  expect(exit).toBe(69);
  expect(stderr).toMatch(/^The store has at least 1000 faults\. /);
});

test('the reason why a store cannot be repaired is one sentence', async () => {
  const { home, run } = await newStore();
  const database = new DatabaseSync(join(home, 'a.db'));
  database.exec('DROP TABLE docsctl_counts');
  database.close();
  const { exit, stderr } = await run('store check --repair');
  expect(exit).toBe(69);
  expect(stderr).toMatch(/^error: The store cannot be repaired: .+ no such table: docsctl_counts\.\n/);
});

test('store check --repair rebuilds indexes, but not with --dry-run', async () => {
  const { home, run } = await newStore();
  const database = new DatabaseSync(join(home, 'a.db'));
  database.exec("UPDATE spaces SET k_organization = 'none'");
  database.close();
  expect((await run('store check --repair --dry-run')).exit).toBe(69);
  expect((await run('spaces list')).stdout).not.toContain('Guide');
  expect(await run('store check --repair')).toMatchObject({
    exit: 0,
    stderr: expect.stringContaining('Rebuilt the keys'),
  });
  expect((await run('spaces list')).stdout).toContain('Guide');
});

test('store check --repair has nothing to rebuild in a JSON store', async () => {
  const { run } = await newStore('json:a.json');
  const { exit, stderr } = await run('store check --repair');
  expect([exit, stderr]).toEqual([
    0,
    expect.stringMatching(/^There is nothing to rebuild: .*\nThe store is intact: /),
  ]);
});

test('a file that is not a store is reported as one problem, without a useless hint', async () => {
  const { home, run } = await newStore();
  writeFileSync(join(home, 'a.yaml'), 'title: Docs\n');
  const { exit, stdout, stderr } = await run('store check -o json', { DOCSCTL_STORE: 'sqlite:a.yaml' });
  expect([exit, JSON.parse(stdout)]).toMatchObject([
    69,
    { items: [{ what: expect.stringMatching(/^The file is not a docsctl store: /) }] },
  ]);
  expect(JSON.parse(stdout).items).toHaveLength(1);
  expect(stderr).toContain('The store cannot be opened. If the path');
  expect(stderr).not.toContain('--repair');
  expect((await run('spaces list', { DOCSCTL_STORE: 'sqlite:a.yaml' })).stderr).toContain(
    'error: The file is not a docsctl store: a.yaml.\nhint: Check the path. To go back to a backup,',
  );
  writeFileSync(join(home, 'cut.db'), readFileSync(join(home, 'a.db')).subarray(0, 300));
  expect((await run('spaces list', { DOCSCTL_STORE: 'sqlite:cut.db' })).stderr).toContain(
    'error: The store cut.db is damaged: the file is cut off.',
  );
});

test('an empty file is reported as damaged, not used as a new store', async () => {
  const { home, run } = await newStore();
  for (const name of ['e.db', 'e.json']) {
    writeFileSync(join(home, name), '');
    const { exit, stderr } = await run('spaces list', { DOCSCTL_STORE: name });
    expect({ exit, stderr }).toMatchObject({
      exit: 69,
      stderr: expect.stringContaining('is damaged: the file is empty'),
    });
    expect(statSync(join(home, name)).size).toBe(0);
  }
});

test.each([
  ['store backup - --verify', 64, '--verify needs a file'],
  ['store backup . --force', 8, 'is not a file'],
  ['store backup a.db --force', 9, 'exists and is not a backup, so it is not replaced'],
  ['store backup none/b.ndjson', 8, 'cannot be written'],
  ['store restore none', 8, 'There is no backup at'],
  ['store restore a.db', 8, 'is not a docsctl backup'],
  ['store restore', 64, 'file'],
  ['store restore a.db --server http://127.0.0.1:1', 64, 'works only on the machine of the store'],
])('%s exits with %i', async (line, exit, words) => {
  const { run } = await newStore();
  expect(await run(line)).toMatchObject({ exit, stderr: expect.stringContaining(words) });
});

test.runIf(hasPostgres())(
  'a backup that the database interrupts does not begin again in the output',
  async () => {
    const url = await emptyPostgres('&application_name=docsctl-backup-test');
    const { home } = await newStore(url);
    const { runtime, out, err } = runtimeOf(['store', 'backup'], { home, env: { DOCSCTL_STORE: url } });
    const written: string[] = [];
    out.write = async (text) => {
      written.push(String(text));
      if (written.length > 1) return;
      await query(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'docsctl-backup-test'",
      );
    };
    expect(await run(runtime)).toBe(69);
    expect(written.filter((text) => text.startsWith('{"format":'))).toHaveLength(1);
    expect(err.bytes().toString()).toContain('Discard the incomplete backup');
  },
);
