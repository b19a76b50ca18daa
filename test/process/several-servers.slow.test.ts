import { execa } from 'execa';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startFaultyPostgres } from '../support/postgres-faults.ts';
import { hasPostgres } from '../support/postgres-server.ts';

const bin = fileURLToPath(new URL('../../bin/docsctl.js', import.meta.url));
const node = process.env['DOCSCTL_NODE'] ?? process.execPath;
/**
 * Rounds of the check (default: one of each kind). In each one a server of docsctl is killed, and the connections to the database
 * are ended, the database hangs, or it is started again.
 */
const rounds = Number(process.env['HISTORY_ROUNDS'] ?? 3);
const [serverCount, clientCount, requestsPerRound] = [3, 12, 12];

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Starts three servers of one store, with a client that retries as the documentation recommends. */
async function startServers() {
  const home = mkdtempSync(join(tmpdir(), 'docsctl-servers-'));
  const database = await startFaultyPostgres();
  const store = `${database.url}?application_name=servers`;
  const env = {
    ...process.env,
    DOCSCTL_CONFIG_DIR: home,
    DOCSCTL_STORE: store,
    DOCSCTL_SECRET_KEY: randomBytes(32).toString('hex'),
    NODE_OPTIONS: '',
  };
  const made = await execa(
    node,
    [bin, 'init', '--org-title', 'Acme', '--email', 'a@acme.test', '-o', 'json'],
    { env },
  );
  const { organization, token } = JSON.parse(made.stdout) as { organization: { id: string }; token: string };
  const servers: { child: ChildProcess; url: string }[] = [];
  const start = async (at: number): Promise<void> => {
    const words = [
      'serve',
      '--port',
      '0',
      '-o',
      'json',
      '--rate-limit',
      '0',
      '--rate-limit-organization',
      '0',
    ];
    const child = spawn(node, [bin, ...words], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const said = await new Promise<string>((resolve) =>
      child.stdout.once('data', (data) => resolve(String(data))),
    );
    servers[at] = { child, url: (JSON.parse(said) as { url: string }).url };
  };
  onTestFinished(async () => {
    for (const { child } of servers) child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });
  await Promise.all(Array.from({ length: serverCount }, (_, at) => start(at)));
  const statuses = new Set<number>();
  /** Sends a request to a server, and returns undefined if there is no answer. */
  const once = async (
    at: number,
    method: string,
    path: string,
    body?: unknown,
    headers = {},
  ): Promise<Answer | undefined> => {
    try {
      const response = await fetch(servers[at]!.url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      statuses.add(response.status);
      if (response.status === 503 && response.headers.get('retry-after') === null) statuses.add(-503);
      return {
        status: response.status,
        body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      };
    } catch {
      return undefined;
    }
  };
  /** Repeats a request on another server until it is answered. */
  const send = async (
    at: number,
    method: string,
    path: string,
    body?: unknown,
    headers = {},
  ): Promise<Answer> => {
    const key = { 'idempotency-key': randomUUID(), ...headers };
    for (let tries = 0; tries < 600; tries++) {
      const answer = await once((at + tries) % serverCount, method, path, body, key);
      if (answer !== undefined && answer.status !== 503) return answer;
      await delay(20);
    }
    throw new Error(`${method} ${path} was not answered`);
  };
  return { database, organization: organization.id, servers, start, once, send, statuses };
}

test.runIf(hasPostgres())(
  'three servers lose nothing, repeat nothing and return no stale data when processes or the database fail',
  { timeout: 120_000 + rounds * 60_000 },
  async () => {
    const { database, organization, servers, start, once, send, statuses } = await startServers();
    const collections = `/v1/orgs/${organization}/collections`;
    const register = await send(0, 'POST', `/v1/orgs/${organization}/spaces`, { title: 'w0' });
    const space = `/v1/spaces/${String(register.body['id'])}`;
    let time = 0;
    const added: { title: string; begun: number; ended: number }[] = [];
    const listed: { titles: ReadonlySet<string>; begun: number; ended: number }[] = [];
    const written = [{ title: 'w0', begun: -2, ended: -1 }];
    const read: { title: string; begun: number; ended: number }[] = [];
    let count = 0;
    const client = async (at: number): Promise<void> => {
      for (let turn = 0; turn < requestsPerRound; turn++) {
        const [server, title, begun] = [(at + turn) % serverCount, `c${count++}`, time++];
        if (turn % 4 === 0) {
          const { status } = await send(server, 'POST', collections, { title });
          expect(status).toBe(201);
          added.push({ title, begun, ended: time++ });
        } else if (turn % 4 === 1) {
          const titles = new Set<string>();
          let page: string | undefined = '';
          while (page !== undefined) {
            const answer: Answer = await send(server, 'GET', `${collections}?limit=1000${page}`);
            for (const item of answer.body['items'] as { title: string }[]) {
              expect(titles).not.toContain(item.title);
              titles.add(item.title);
            }
            const next = answer.body['next'] as { page: string } | undefined;
            page = next === undefined ? undefined : `&page=${next.page}`;
          }
          listed.push({ titles, begun, ended: time++ });
        } else if (turn % 4 === 2) {
          const { status } = await send(server, 'PATCH', space, { title });
          expect(status).toBe(200);
          written.push({ title, begun, ended: time++ });
        } else {
          const { body } = await send(server, 'GET', space);
          read.push({ title: String(body['title']), begun, ended: time++ });
        }
      }
    };
    for (let round = 0; round < rounds; round++) {
      const victim = round % serverCount;
      const clients = Promise.all(Array.from({ length: clientCount }, (_, at) => client(at)));
      while (count < (round + 0.3) * clientCount * requestsPerRound) await delay(5);
      servers[victim]!.child.kill('SIGKILL');
      while (count < (round + 0.6) * clientCount * requestsPerRound) await delay(5);
      if (round % 3 === 0) await database.endConnections('servers');
      else if (round % 3 === 1) await database.pause(rounds > 3 ? 2000 : 300);
      else await database.restart();
      await start(victim);
      await clients;
    }
    // Every confirmed creation exists once, and no list lacks one that was confirmed before the list was requested.
    const final = await send(0, 'GET', `${collections}?limit=1000`);
    expect(final.body['count']).toBe(added.length);
    for (const { titles, begun, ended } of listed) {
      expect(added.filter((one) => one.ended < begun && !titles.has(one.title))).toEqual([]);
      expect(added.filter((one) => one.begun > ended && titles.has(one.title))).toEqual([]);
    }
    // No title was read that had certainly been replaced before the read began.
    for (const { title, begun, ended } of read) {
      const write = written.find((one) => one.title === title);
      expect(write?.begun).toBeLessThan(ended);
      expect(written.filter((one) => one.begun > write!.ended && one.ended < begun)).toEqual([]);
    }
    // A token that one server deleted is refused by the others at once.
    for (let turn = 0; turn < 20; turn++) {
      const made = await send(turn % 3, 'POST', `/v1/orgs/${organization}/tokens`, { role: 'read' });
      const bearer = { authorization: `Bearer ${String(made.body['token'])}` };
      const other = (turn + 1) % serverCount;
      expect((await once(other, 'GET', space, undefined, bearer))?.status).toBe(200);
      expect(
        (await send(turn % 3, 'DELETE', `/v1/orgs/${organization}/tokens/${String(made.body['id'])}`)).status,
      ).toBe(204);
      expect((await once(other, 'GET', space, undefined, bearer))?.status).toBe(401);
    }
    expect([...statuses].filter((status) => status >= 500 && status !== 503)).toEqual([]);
    expect(statuses).not.toContain(-503);
    if (rounds > 3)
      console.log(
        `${rounds} rounds: ${added.length} creations, ${listed.length} lists, ${written.length} titles written, ${read.length} read; statuses ${[...statuses].sort().join(', ')}`,
      );
  },
);
