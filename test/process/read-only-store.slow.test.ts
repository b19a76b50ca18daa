import { execa } from 'execa';
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const bin = fileURLToPath(new URL('../../bin/docsctl.js', import.meta.url));
const node = process.env['DOCSCTL_NODE'] ?? process.execPath;

it(
  'serve writes to a SQLite store that was read-only when it started and is writable now',
  { timeout: 60_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'docsctl-read-only-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    // Root can write every file, so its tests run the program as another user.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
    const env = {
      DOCSCTL_CONFIG_DIR: join(folder, 'config'),
      DOCSCTL_STORE: `sqlite:${join(folder, 'a.db')}`,
      HOME: folder,
    };
    const run = (...words: string[]) =>
      execa(node, [bin, ...words, '-o', 'json'], { env, cwd: folder, reject: false, ...user });
    const { token, organization } = JSON.parse(
      (await run('init', '--org-title', 'Acme', '--email', 'ana@acme.test')).stdout,
    ) as {
      token: string;
      organization: { id: string };
    };
    const start = async () => {
      const running = run('serve', '--port', '0', '--workers', '0');
      onTestFinished(() => void running.kill('SIGKILL'));
      const line = await new Promise<Buffer>((resolve) => running.stdout.once('data', resolve));
      const { url } = JSON.parse(String(line)) as { url: string };
      const create = async () => {
        const response = await fetch(`${url}/v1/orgs/${organization.id}/collections`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: '{"title":"Product"}',
        });
        return response.status;
      };
      const list = async () => {
        const response = await fetch(`${url}/v1/orgs/${organization.id}/collections`, {
          headers: { authorization: `Bearer ${token}` },
        });
        return ((await response.json()) as { items: unknown[] }).items.length;
      };
      const ready = async () => (await fetch(`${url}/readyz`)).status;
      return { running, create, list, ready };
    };
    // A killed server leaves a log with data, which another one can read only together with the file beside it.
    const first = await start();
    expect(await first.create()).toBe(201);
    first.running.kill('SIGKILL');
    await first.running;
    const files = readdirSync(folder).filter((name) => name.startsWith('a.db'));
    expect(files.toSorted()).toEqual(['a.db', 'a.db-shm', 'a.db-wal']);
    const setModes = (file: number, parent: number): void => {
      chmodSync(folder, parent);
      for (const name of files) chmodSync(join(folder, name), file);
    };
    setModes(0o400, 0o500);
    // Its address differs from the one that the first server has saved in the store.
    const { create, list, ready } = await start();
    expect([await create(), await ready(), await list()]).toEqual([503, 503, 1]);
    setModes(0o600, 0o700);
    await expect.poll(ready, { timeout: 20_000 }).toBe(200);
    expect([await create(), await list(), await ready()]).toEqual([201, 2, 200]);
  },
);
