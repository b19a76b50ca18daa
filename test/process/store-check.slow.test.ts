import { DatabaseSync } from '@photostructure/sqlite';
import { execa } from 'execa';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const bin = fileURLToPath(new URL('../../bin/docsctl.js', import.meta.url));
const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const node = process.env['DOCSCTL_NODE'] ?? process.execPath;
const program = "const self = require('node:process'); require(self.argv[1]).checkStoreApart(self)";

/** Creates a store in a new folder, and returns a function that runs commands. */
async function newStore() {
  const home = mkdtempSync(join(tmpdir(), 'docsctl-check-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const path = join(home, 'a.db');
  const env = { DOCSCTL_CONFIG_DIR: home };
  const run = (words: string, more: Record<string, string> = {}) =>
    execa(node, [bin, ...words.split(' ')], { env: { ...env, ...more }, reject: false });
  const made = await run(`init --store sqlite:${path} --org-title Acme --email a@acme.test -o json`);
  const { token } = JSON.parse(made.stdout) as { token: string };
  return { home, path, env, run, token };
}

test('a server checks its store in a separate process', async () => {
  const { path, env, run, token } = await newStore();
  const words = ['serve', '--store', `sqlite:${path}`, '--port', '0', '-o', 'json'];
  const server = spawn(node, [bin, ...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  const said = await new Promise<string>((resolve) =>
    server.stdout.once('data', (data) => resolve(String(data))),
  );
  const at = { DOCSCTL_SERVER: (JSON.parse(said) as { url: string }).url, DOCSCTL_TOKEN: token };
  expect(await run('store check', at)).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/^The store is intact: checked \d+ rows\.$/),
  });
  expect(await run('store check --quick', at)).toMatchObject({ exitCode: 0 });
  const database = new DatabaseSync(path);
  database.exec("UPDATE users SET k_email = 'other'");
  database.close();
  const [there, here] = [
    await run('store check -o json', at),
    await run(`store check -o json --store sqlite:${path}`),
  ];
  expect(there.exitCode).toBe(69);
  expect([there.stdout, there.exitCode]).toEqual([here.stdout, here.exitCode]);
  expect(there.stdout).toContain('"table": "users"');
});

test('the process that checks a store reports what it cannot check, and exits with its parent', async () => {
  const { home } = await newStore();
  const request = { url: 'oracle:a', cwd: home, quick: false };
  // Its input stays open as long as the server runs.
  const asked = spawn(node, ['-e', program, main], { stdio: ['pipe', 'pipe', 'ignore'] });
  asked.stdin.write(`${JSON.stringify(request)}\n`);
  const answer = await new Promise<string>((resolve) =>
    asked.stdout.once('data', (data) => resolve(String(data))),
  );
  expect(JSON.parse(answer)).toMatchObject({ error: { reason: 'invalid-input' } });
  const alone = spawn(node, ['-e', program, main], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => alone.once('close', resolve));
  alone.stdin.end();
  expect(await ended).toBe(1);
});
