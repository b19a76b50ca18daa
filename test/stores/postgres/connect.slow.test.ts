import { createServer, connect as connectTo, type Socket } from 'node:net';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStore } from '../../../src/stores/index.ts';
import { readStoreInfo } from '../../../src/stores/info.ts';
import { factsStatement } from '../../../src/stores/postgres/profile.ts';
import { emptyPostgres } from '../../support/postgres.ts';
import { notes } from '../fixtures.ts';

/** How a pooler treats settings that a client requests when it connects. */
type Pooling = 'refuses' | 'ignores';

/** Starts a pooler in front of the server of a store. Returns the URL of the store through it, and the number of clients. */
async function startPooler(url: string, pooling: Pooling): Promise<{ url: string; clients: () => number }> {
  const { hostname, port } = new URL(url);
  let clients = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    clients++;
    sockets.add(client.on('error', () => {}));
    client.once('data', (startup) => {
      // https://www.postgresql.org/docs/current/protocol-message-formats.html: StartupMessage, ErrorResponse
      const parameters = startup.toString('latin1', 8).replace(/\0options\0[^\0]*/, '');
      if (parameters.length < startup.length - 8 && pooling === 'refuses') {
        const fields = 'SFATAL\0C08P01\0Munsupported startup parameter: options\0\0';
        const answer = Buffer.from(`E....${fields}`);
        answer.writeInt32BE(answer.length - 1, 1);
        return void client.end(answer);
      }
      const message = Buffer.from(`........${parameters}`, 'latin1');
      startup.copy(message, 4, 4, 8);
      message.writeInt32BE(message.length);
      const database = connectTo(Number(port), hostname).on('error', () => {});
      sockets.add(database);
      database.write(message);
      client.pipe(database).pipe(client);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port: own } = server.address() as { port: number };
  return { url: url.replace(`:${port}/`, `:${own}/`), clients: () => clients };
}

const tables = [notes];

test.each(['refuses', 'ignores'] as const)(
  'detects a pooler that %s settings of a session',
  async (pooling) => {
    const { url } = await startPooler(await emptyPostgres(), pooling);
    const query = vi.spyOn(pg.Client.prototype, 'query');
    onTestFinished(() => query.mockRestore());
    const store = await openStore(url, { tables });
    query.mockClear();
    await store.write((tx) => tx.insert(notes, { id: 'a', text: 'A' }), { lane: 'a' });
    await store.close();
    const sent = query.mock.calls.map(
      ([given]) => given as unknown as string | { text: string; name?: string },
    );
    expect(sent).toContain('COMMIT');
    for (const one of sent) {
      expect(typeof one === 'string' ? one : one.text).not.toMatch(/advisory_(?:un)?lock/);
      expect(typeof one === 'string' ? undefined : one.name).toBeUndefined();
    }
    expect((await readStoreInfo({ url, tables, cwd: '' })).database).toMatchObject({
      product: 'PostgreSQL',
      version: expect.stringMatching(/^\d+\.\d+/),
      pooled: true,
      lanes: true,
      pipeline: false,
      prepare: false,
      search: 'index',
    });
  },
);

test('refuses session locks behind a pooler that does not keep connections for each client', async () => {
  const { url } = await startPooler(await emptyPostgres('&lanes=on'), 'ignores');
  await (await openStore(url, { tables })).close();
  const send = pg.Client.prototype.query as (query: { text: string }) => unknown;
  const query = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  // All clients seem to share one connection to the database.
  query.mockImplementation(function (this: pg.Client, given: { text: string }) {
    if (given.text === 'SELECT pg_backend_pid()') given.text = 'SELECT 7';
    return send.call(this, given);
  } as never);
  await expect(openStore(url, { tables })).rejects.toMatchObject({
    reason: 'invalid-input',
    hint: expect.stringContaining('Remove lanes=on'),
  });
});

test('prepares its statements on a direct connection', async () => {
  const store = await openStore(await emptyPostgres(), { tables });
  const query = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  await store.write((tx) => tx.insert(notes, { id: 'a', text: 'A' }), { lane: 'a' });
  await store.close();
  const sent = query.mock.calls.map(
    ([given]) => given as unknown as string | { text: string; name?: string },
  );
  const names = sent.flatMap((one) =>
    typeof one === 'string' || !one.text.includes('advisory') ? [] : [one.name],
  );
  expect(names).toEqual([expect.stringMatching(/^d\d+$/), expect.stringMatching(/^d\d+$/)]);
});

test('needs one connection behind a pooler if the URL configures the features', async () => {
  const { url, clients } = await startPooler(
    await emptyPostgres('&lanes=off&pipeline=off&prepare=off'),
    'refuses',
  );
  await (await openStore(url, { tables })).close();
  const before = clients();
  await (await openStore(url, { tables })).close();
  expect(clients() - before).toBe(1);
});

test('opens an existing store in one round trip, and keeps the settings in its URL', async () => {
  const url = await emptyPostgres('&options=-c%20statement_timeout%3D7s');
  await (await openStore(url, { tables })).close();
  const query = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  const store = await openStore(url, { tables, create: false });
  const sent = query.mock.calls.map(([given]) => (given as unknown as { text: string }).text);
  // Every process that opens a store reads the marks of incomplete stores.
  expect(sent.slice(0, 2)).toEqual([factsStatement, expect.stringContaining('docsctl_meta')]);
  await store.close();
  expect((await readStoreInfo({ url, tables, cwd: '' })).database).toMatchObject({
    pooled: false,
    lanes: true,
  });
});
