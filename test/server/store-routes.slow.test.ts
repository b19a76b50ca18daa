import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createToken, hashToken } from '../../src/core/callers.ts';
import { tokens, type TokenRow } from '../../src/core/rows/organizations.ts';
import { collections } from '../../src/core/rows/spaces.ts';
import { verifyArriving } from '../../src/stores/backup/read-backup.ts';
import { tables } from '../../src/resources/tables.ts';
import { createWorld } from '../support/world.ts';
import { emptyPostgres, query } from '../support/postgres.ts';
import { hasPostgres } from '../support/postgres-server.ts';
import { json, serve, talkTo, type Serving } from './serving.ts';

const paths = ['POST /v1/store/backup', 'POST /v1/store/check', 'GET /v1/store/info'] as const;
const operatorOnly = paths.map((one) => one.split(' ') as ['GET' | 'POST', string]);

/** A server on a store in a file, which is removed after the test. */
async function serveFile(options: Parameters<typeof serve>[0] = {}): Promise<Serving> {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-operator-'));
  const serving = await serve({ storeUrl: `sqlite:${join(folder, 'a.db')}`, ...options });
  onTestFinished(async () => {
    await serving.server.close(0);
    rmSync(folder, { recursive: true, force: true });
  });
  return serving;
}

/** Adds a token of the administrator, who owns the store, and returns its header. */
async function addToken({ world }: Serving, row: Partial<TokenRow>): Promise<{ authorization: string }> {
  const token = createToken((count) => crypto.getRandomValues(new Uint8Array(count)));
  await world.core.store.write((tx) =>
    tx.insert(tokens, {
      id: `tok_${hashToken(token).slice(0, 8)}`,
      hash: hashToken(token),
      user: 'usr_admin',
      organization: null,
      role: 'admin',
      name: null,
      operator: true,
      createdAt: '2026-01-01T00:00:00.000Z',
      expiresAt: null,
      ...row,
    }),
  );
  return { authorization: `Bearer ${token}` };
}

/** The requests for which an error was logged. */
const faultsIn = (logged: Serving['logged']): unknown[] =>
  logged.filter(({ event }) => event === 'fault').map(({ requestId }) => requestId);

describe.each(operatorOnly)('%s %s', (method, url) => {
  it('looks like an unknown path to everyone except the operator', async () => {
    const serving = await serveFile();
    const { server, bearer } = serving;
    const ask = async (headers: Record<string, string>, more = '') => {
      const { statusCode, body } = await server.inject({ method, url: url + more, headers });
      return { statusCode, body: body.replace(/req_\d+/, 'req_0') };
    };
    const nothing = await ask({ ...bearer('read') }, '-of-nothing');
    expect(nothing).toMatchObject({ statusCode: 404, body: expect.stringContaining('There is nothing') });
    const others = [
      ...(['create', 'review', 'edit', 'comment', 'read', 'guest', 'outsider'] as const).map(bearer),
      await addToken(serving, { operator: false }),
      await addToken(serving, { organization: 'org_acme' }),
      await addToken(serving, { role: 'create' }),
    ];
    for (const headers of others) {
      expect(await ask(headers)).toEqual(nothing);
      // Nothing of a request is checked before its caller is known.
      expect(await ask(headers, '?what=1')).toEqual(nothing);
    }
    expect(await server.inject({ method, url, headers: bearer() })).toMatchObject({ statusCode: 200 });
  });

  it('needs a valid token', async () => {
    const serving = await serveFile();
    const { server } = serving;
    const expired = await addToken(serving, { expiresAt: '2026-01-01T00:00:01.000Z' });
    for (const headers of [
      {},
      { authorization: 'Bearer dctl_wrong' },
      { authorization: 'Basic YTpi' },
      expired,
    ]) {
      const { statusCode, headers: answered } = await server.inject({ method, url, headers });
      expect([statusCode, answered['www-authenticate']]).toEqual([401, 'Bearer']);
    }
    // The token is checked before the body of the request.
    const headers = { 'content-type': 'text/html' };
    expect((await server.inject({ method, url, headers, payload: '<' })).statusCode).toBe(401);
  });

  it('refuses unknown parameters, and is not available for a store in memory', async () => {
    const { server, bearer } = await serveFile();
    const refused = await server.inject({ method, url: `${url}?organization=org_acme`, headers: bearer() });
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      400,
      'The parameter organization is not a known field.',
    ]);
    const inMemory = await serve();
    expect(await inMemory.server.inject({ method, url, headers: inMemory.bearer() })).toMatchObject({
      statusCode: 501,
    });
  });
});

describe('a backup over HTTP', () => {
  it('is complete, has the rows of every organization, and is recorded in the log and in audit events', async () => {
    const { server, bearer, logged } = await serveFile();
    const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
    const answer = await fetch(`${url}/v1/store/backup`, {
      method: 'POST',
      headers: { ...bearer(), 'user-agent': 'docsctl/1.2.3', 'correlation-id': 'run_00112233' },
    });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/x-ndjson',
      'cache-control': 'no-store',
      'request-id': expect.any(String),
    });
    const sent = Buffer.from(await answer.arrayBuffer());
    const source = {
      name: 'b',
      foreign: () => new Error('foreign'),
      damaged: (why: string) => new Error(why),
    };
    const reading = verifyArriving(
      (async function* () {
        yield sent;
      })(),
      source as never,
      tables,
    );
    let end = await reading.next();
    while (end.done !== true) end = await reading.next();
    const { rows, sha256, tables: found } = end.value.summary;
    expect(found.find(({ name }) => name === 'organizations')?.rows).toBe(2);
    const bytes = sent.length;
    const where = { user: 'usr_admin', token: 'tok_admin', address: '127.0.0.1' };
    await expect
      .poll(() => logged.find(({ event }) => event === 'backup'))
      .toMatchObject({ level: 'warn', state: 'done', rows, sha256, bytes, ...where });
    const events = await server.inject({
      url: '/v1/orgs/org_acme/audit-events?details=true&action=store.backup',
      headers: bearer(),
    });
    expect(events.json().items).toMatchObject([
      {
        action: 'store.backup',
        actor: { id: 'usr_admin' },
        target: { type: 'store', id: 'store' },
        source: 'api',
        correlationId: 'run_00112233',
        payload: { origin: { kind: 'remote', userAgent: 'docsctl/1.2.3', token: 'tok_admin' } },
      },
    ]);
  });

  it('is sent to one client at a time, and stops when that client disconnects', async () => {
    const serving = await serveFile();
    const { server, bearer, logged, world } = serving;
    // More than the buffers of a connection hold, so that the backup waits for its client.
    const text = 'x'.repeat(1 << 20);
    for (let at = 0; at < 24; at++)
      await world.core.store.write((tx) =>
        tx.insert(collections, { id: `col_${at}`, organization: 'org_other', title: text } as never),
      );
    const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
    const { authorization } = bearer();
    const first = await talkTo(url);
    const begun = new Promise((resolve) => first.socket.once('data', resolve));
    first.send(
      `POST /v1/store/backup HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\nauthorization: ${authorization}\r\n\r\n`,
    );
    await begun;
    first.socket.pause();
    const ask = () => fetch(`${url}/v1/store/backup`, { method: 'POST', headers: { authorization } });
    const second = await ask();
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '10']);
    expect(await second.json()).toMatchObject({ error: { reason: 'rate-limited' } });
    // Others can write meanwhile.
    const written = await fetch(`${url}/v1/orgs/org_acme/collections`, {
      method: 'POST',
      headers: { authorization, ...json },
      body: '{"title":"Meanwhile"}',
    });
    expect(written.status).toBe(201);
    first.socket.destroy();
    await expect
      .poll(() => logged.filter(({ event }) => event === 'backup'))
      .toMatchObject([{ state: 'cut' }]);
    expect(faultsIn(logged)).toEqual([]);
    const third = await ask();
    expect(third.status).toBe(200);
    expect(await third.text()).toContain('Meanwhile');
  });
});

describe('a backup of a damaged store', () => {
  it('stops before its last line, and the log contains the reason', async () => {
    const { server, bearer, logged, world } = await serveFile();
    const { store } = world.core;
    const title = 'x'.repeat(1 << 20);
    await store.write((tx) =>
      tx.insert(collections, { id: 'col_1', organization: 'org_other', title } as never),
    );
    expect(await store.scrub?.(0, new AbortController().signal)).toBe('large');
    const path = store.url.slice('sqlite:'.length);
    const file = openSync(path, 'r+');
    writeSync(file, 'noise '.repeat(2000), statSync(path).size - (1 << 19));
    closeSync(file);
    const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
    const backup = fetch(`${url}/v1/store/backup`, { method: 'POST', headers: bearer() });
    // The connection may end before the client has read the status.
    await expect(backup.then((answer) => answer.text())).rejects.toThrow(/^(?:terminated|fetch failed)$/);
    await expect
      .poll(() => logged.filter(({ event }) => event === 'backup'))
      .toMatchObject([{ state: 'cut', reason: 'store-failed' }]);
    expect(faultsIn(logged)).toEqual(['req_1']);
  });
});

describe.runIf(hasPostgres())('a backup that the database interrupts', () => {
  it('ends before its last line, and the log says why', async () => {
    const storeUrl = await emptyPostgres('&application_name=docsctl-served-backup');
    const { server, bearer, logged, world } = await serveFile({ storeUrl });
    const text = 'x'.repeat(1 << 20);
    for (let at = 0; at < 24; at++)
      await world.core.store.write((tx) =>
        tx.insert(collections, { id: `col_${at}`, organization: 'org_other', title: text } as never),
      );
    const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
    const { authorization } = bearer();
    const client = await talkTo(url);
    const begun = new Promise((resolve) => client.socket.once('data', resolve));
    client.send(
      `POST /v1/store/backup HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\nauthorization: ${authorization}\r\n\r\n`,
    );
    await begun;
    client.socket.pause();
    await query(
      storeUrl,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'docsctl-served-backup'",
    );
    client.socket.resume();
    await expect
      .poll(() => logged.filter(({ event }) => event === 'backup'))
      .toMatchObject([{ state: 'cut', reason: 'store-failed' }]);
    expect(logged.find(({ event }) => event === 'fault')).toMatchObject({
      message: 'The database ended the transaction before the backup was complete.',
    });
  });
});

describe('the store of a server', () => {
  it('is described without its location', async () => {
    const { server, bearer } = await serveFile();
    const { body } = await server.inject({ url: '/v1/store/info', headers: bearer() });
    // Line feeds keep the connection alive.
    expect(body).toMatch(/^\n\{/);
    const info = JSON.parse(body);
    expect(Object.keys(info).sort()).toEqual([
      'backup',
      'database',
      'formatVersion',
      'key',
      'kind',
      'rows',
      'size',
      'tables',
    ]);
    expect(info).toMatchObject({ kind: 'sqlite', backup: null, key: null, rows: expect.any(Number) });
  });

  it('is not described with an invalid key, which is not logged as an error', async () => {
    const { server, bearer, logged, world } = await serveFile();
    writeFileSync(`${world.core.store.url.slice('sqlite:'.length)}.key`, 'short', { mode: 0o600 });
    const { body } = await server.inject({ url: '/v1/store/info', headers: bearer() });
    expect(JSON.parse(body)).toMatchObject({ error: { reason: 'invalid-input' } });
    expect(faultsIn(logged)).toEqual([]);
  });

  it('can be checked completely or quickly', async () => {
    const { server, bearer } = await serveFile();
    const check = async (more = '') =>
      JSON.parse(
        (await server.inject({ method: 'POST', url: `/v1/store/check${more}`, headers: bearer() })).body,
      );
    expect(await check()).toEqual({ rows: expect.any(Number), damages: [] });
    expect(await check('?quick=true')).toEqual({ rows: 0, damages: [] });
    expect(await check('?quick=maybe')).toMatchObject({ error: { code: 400, reason: 'invalid-input' } });
  });

  it('does not reveal its location in errors and damages', async () => {
    const intact = await createWorld();
    const { server, world, logged } = await serveFile({ change: () => intact.core });
    const path = world.core.store.url.slice('sqlite:'.length);
    const headers = { authorization: `Bearer ${intact.token('admin')}` };
    await world.core.store.close();
    writeFileSync(path, 'noise '.repeat(2000));
    for (const [method, url] of operatorOnly) {
      const { body } = await server.inject({ method, url, headers });
      expect(body).not.toContain(dirname(path));
      expect(body).toMatch(/"reason":"store-failed"|"damages":\[\{/);
    }
    expect(faultsIn(logged)).toEqual(['req_1', 'req_3']);
  });
});
