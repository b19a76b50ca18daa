import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { settings } from '../../src/core/rows/organizations.ts';
import { table, type Store } from '../../src/core/store.ts';
import { migrateStore, undoMigration } from '../../src/stores/backup/migrate.ts';
import { openStore } from '../../src/stores/index.ts';
import { storeFailure } from '../../src/stores/failures.ts';
import { watchStore } from '../../src/server/store-health.ts';
import { serve } from './serving.ts';

const full = () =>
  storeFailure('/var/docs.db', Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' }));
const url = '/v1/orgs/org_acme/collections';

it('a server is not ready after a failed write until one succeeds, and tries one at most every second', async () => {
  let isFull = false;
  let writes = 0;
  let time = 1_000_000;
  const { server, bearer } = await serve({
    change: (core) => ({
      ...core,
      clock: () => time,
      store: {
        ...core.store,
        write: (work, options) => {
          writes++;
          return isFull ? Promise.reject(full()) : core.store.write(work, options);
        },
      },
    }),
  });
  const ready = async () => (await server.inject('/readyz')).statusCode;
  const create = () => server.inject({ method: 'POST', url, headers: bearer(), payload: { title: 'New' } });
  expect([await ready(), await ready(), writes]).toEqual([200, 200, 0]);
  isFull = true;
  expect(await ready()).toBe(200);
  const refused = await create();
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5']);
  expect(refused.body).not.toContain('/var');
  const tried = writes;
  const notReady = await server.inject('/readyz');
  expect([notReady.statusCode, notReady.headers['retry-after']]).toEqual([503, '5']);
  for (let probe = 0; probe < 5; probe++) expect(await ready()).toBe(503);
  expect(writes).toBe(tried + 1);
  expect((await server.inject({ url, headers: bearer() })).statusCode).toBe(200);
  isFull = false;
  expect(await ready()).toBe(503);
  time += 1000;
  expect([await ready(), await ready(), writes]).toEqual([200, 200, tried + 2]);
  isFull = true;
  await create();
  isFull = false;
  expect((await create()).statusCode).toBe(201);
  expect(await ready()).toBe(200);
});

it.each(['sqlite:', 'json:'])('watchStore tries a real write on %s', async (scheme) => {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-health-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = await openStore(`${scheme}${join(folder, 'docs')}`, {
    tables: [settings, table()('others', {})],
  });
  await store.write((tx) => tx.insert(settings, { id: 'store', administrator: '' }));
  let isFull = true;
  const failing: Store = {
    ...store,
    write: (work, options) => (isFull ? Promise.reject(full()) : store.write(work, options)),
  };
  const { store: watched, check } = watchStore(failing, () => 5000);
  await expect(watched.write(async () => {})).rejects.toMatchObject({ reason: 'store-failed' });
  isFull = false;
  const before = store.stamp?.();
  await check();
  expect(store.stamp?.()).not.toBe(before);
  await store.close();
});

it.each(['sqlite:', 'json:'])(
  'a server is not ready after the store %s was moved, until this is undone',
  async (scheme) => {
    const folder = mkdtempSync(join(tmpdir(), 'docsctl-health-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const at = (name: string) => ({ url: `${scheme}${join(folder, name)}`, tables: [settings], cwd: folder });
    const store = await openStore(at('docs').url, { tables: [settings] });
    onTestFinished(() => store.close());
    await store.write((tx) => tx.insert(settings, { id: 'store', administrator: '' }));
    const { server } = await serve({ change: (core) => ({ ...core, store }) });
    const ready = async () => (await server.inject('/readyz')).statusCode;
    expect(await ready()).toBe(200);
    await migrateStore(at('docs'), at('moved'), {
      now: '2026-01-05T00:00:00.000Z',
      newName: '0123456789abcdef',
    });
    expect(await ready()).toBe(503);
    await undoMigration(at('docs'));
    expect(await ready()).toBe(200);
  },
);

it.each(['docs.db', 'docs.json'])(
  'a server is not ready and writes nothing after %s was removed or replaced',
  async (name) => {
    for (const change of ['remove', 'replace']) {
      const folder = mkdtempSync(join(tmpdir(), 'docsctl-health-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const path = join(folder, name);
      const file = await openStore(path, { tables: [settings] });
      await file.write((tx) => tx.insert(settings, { id: 'store', administrator: 'a' }));
      copyFileSync(path, `${path}.old`);
      await file.write((tx) => tx.update(settings, 'store', { administrator: 'b' }));
      let isOnFile = false;
      const { server, bearer } = await serve({
        change: (core) => ({
          ...core,
          store: {
            ...core.store,
            read: async (work) => (isOnFile ? file.read(work) : core.store.read(work)),
            write: async (work, options) =>
              isOnFile ? file.write(work, options) : core.store.write(work, options),
          },
        }),
      });
      isOnFile = true;
      expect((await server.inject('/readyz')).statusCode).toBe(200);
      if (change === 'remove') rmSync(path);
      else renameSync(`${path}.old`, path);
      const ready = await server.inject('/readyz');
      expect([ready.statusCode, ready.headers['retry-after']], change).toEqual([503, '5']);
      expect(ready.body).not.toContain(folder);
      const refused = await server.inject({
        method: 'POST',
        url,
        headers: bearer(),
        payload: { title: 'New' },
      });
      expect(refused.statusCode, change).toBe(503);
      await expect(
        file.write((tx) => tx.insert(settings, { id: 'other', administrator: 'c' })),
      ).rejects.toMatchObject({
        reason: 'store-failed',
        message: expect.stringContaining(change === 'remove' ? 'was removed' : 'was replaced'),
      });
      expect(existsSync(path)).toBe(change === 'replace');
      await file.close();
    }
  },
);
