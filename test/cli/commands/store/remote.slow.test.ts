import { DatabaseSync } from '@photostructure/sqlite';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run as runProgram } from '../../../../src/cli/program.ts';
import { initializeStore } from '../../../../src/resources/organizations/initialize.ts';
import { tables } from '../../../../src/resources/tables.ts';
import { createServer } from '../../../../src/server/index.ts';
import { openCore } from '../../../../src/wiring.ts';
import { docsctl, runtimeOf, splitWords, type Ran } from '../../../support/cli.ts';
import { emptyPostgres } from '../../../support/postgres.ts';
import { hasPostgres } from '../../../support/postgres-server.ts';

const kinds = ['sqlite', 'json', ...(hasPostgres() ? ['postgres'] : [])];

interface Place {
  readonly home: string;
  readonly url: string;
  readonly store: string;
  readonly token: string;
  /** Runs a command against the server. */
  readonly remote: (line: string, env?: Record<string, string>) => Promise<Ran>;
  /** Runs a command on the store. */
  readonly local: (line: string, env?: Record<string, string>) => Promise<Ran>;
}

/** Starts a server on a new store with an organization and a space. */
async function servedStore(kind = 'sqlite'): Promise<Place> {
  const home = mkdtempSync(join(tmpdir(), 'docsctl-remote-'));
  const store = kind === 'postgres' ? await emptyPostgres() : `${kind}:${join(home, `a.${kind}`)}`;
  const key = kind === 'postgres' ? { DOCSCTL_SECRET_KEY: '7'.repeat(64) } : {};
  const runtime = {
    env: key,
    clock: Date.now,
    randomBytes: (count: number) => randomBytes(count),
    cwd: home,
  };
  const core = await openCore(runtime as never, store, { create: true });
  const { token } = await initializeStore(core, { title: 'Acme', email: 'ana@example.com' });
  let count = 0;
  const server = await createServer({
    core,
    version: '0.0.0-test',
    newRequestId: () => `req_${++count}`,
    target: { url: store, tables, cwd: home },
  });
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await server.close(0);
    rmSync(home, { recursive: true, force: true });
  });
  const run =
    (own: Record<string, string>) =>
    (line: string, env: Record<string, string> = {}) =>
      docsctl(splitWords(line), { home, cwd: home, env: { ...key, ...own, ...env } });
  const remote = run({ DOCSCTL_SERVER: url, DOCSCTL_TOKEN: token });
  expect((await remote('spaces create --title Guide')).exit).toBe(0);
  return { home, url, store, token, remote, local: run({ DOCSCTL_STORE: store }) };
}

/** Starts a server with the given answers. */
async function otherServer(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<string> {
  const server = createHttpServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns the lines of a backup without the first, which contains the time. */
const linesOf = (path: string): string => readFileSync(path, 'utf8').split('\n').slice(1).join('\n');

describe.each(kinds)('docsctl store backup against a server on %s', (kind) => {
  it('writes the same backup as on the machine of the store', async () => {
    const { home, remote, local } = await servedStore(kind);
    expect((await remote('store backup first.ndjson')).exit).toBe(0);
    const there = await remote('store backup there.ndjson --verify -o json');
    expect(there).toMatchObject({
      exit: 0,
      stderr: expect.stringMatching(
        /^Wrote \d+ rows of \d+ tables to there.ndjson \(\d.* KB\), and restored them as a trial\.$/m,
      ),
    });
    const here = await local('store backup here.ndjson --verify -o json');
    expect(linesOf(join(home, 'there.ndjson'))).toBe(linesOf(join(home, 'here.ndjson')));
    const [remoteOutcome, localOutcome] = [there, here].map(({ stdout }) => JSON.parse(stdout));
    const own = { path: expect.any(String), createdAt: expect.any(String), bytes: expect.any(Number) };
    expect(remoteOutcome).toEqual({ ...localOutcome, ...own });
    expect((await remote('store backup b.ndjson.gz -o json')).exit).toBe(0);
    expect(await remote('store backup b.ndjson.gz')).toMatchObject({ exit: 9 });
    expect((await local('store restore b.ndjson.gz', { DOCSCTL_STORE: 'b.db' })).exit).toBe(0);
    expect((await local('spaces list', { DOCSCTL_STORE: 'b.db' })).stdout).toContain('Guide');
    const { stdout } = await remote('store backup -');
    expect(stdout).toMatch(/^\{"format":"docsctl-backup"[^]*\n\["total",.*\]\n$/);
  });
});

it.each(kinds)(
  'store check and store info against a server on %s print the same as on the machine of the store',
  async (kind) => {
    const { remote, local, url } = await servedStore(kind);
    const here = await local('store check');
    expect(here).toMatchObject({ exit: 0, stderr: expect.stringContaining('The store is intact: checked') });
    expect(await remote('store check')).toEqual(here);
    expect(await remote('store check -o json')).toEqual(await local('store check -o json'));
    expect(await remote('store check --quick')).toEqual(await local('store check --quick'));
    expect((await local('doctor -o json')).stdout.includes('"damage"')).toBe(kind !== 'postgres');
    expect(await remote('store check --repair')).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('--repair works only on the machine of the store'),
    });
    await local('store backup b.ndjson');
    const [there, inPlace] = [await remote('store info -o json'), await local('store info -o json')];
    const info = JSON.parse(inPlace.stdout) as object;
    expect(info).toMatchObject({ kind, backup: { id: 'backup' } });
    expect(JSON.parse(there.stdout)).toEqual({
      ...info,
      url,
      size: kind === 'postgres' ? null : expect.any(Number),
    });
    const columns = ({ stdout }: Ran) => stdout.split('\n').map((line) => line.split('\t')[0]);
    expect(columns(await remote('store info'))).toEqual(columns(await local('store info')));
  },
);

it('store backup stops if the program that reads it has exited', async () => {
  const { home, store } = await servedStore();
  const { runtime, err } = runtimeOf(['store', 'backup', '-'], { home, env: { DOCSCTL_STORE: store } });
  const { terminal } = runtime;
  const stdout = { ...terminal.stdout, closed: true };
  expect(await runProgram({ ...runtime, terminal: { ...terminal, stdout } })).toBe(130);
  expect(err.bytes().toString()).toContain('ended before all of it was written');
});

it('store check prints the damages that a server found', async () => {
  const { home, remote, local } = await servedStore();
  const database = new DatabaseSync(join(home, 'a.sqlite'));
  database.exec("UPDATE spaces SET k_organization = 'none'");
  database.close();
  const here = await local('store check -o json');
  expect(here.exit).toBe(69);
  expect(await remote('store check -o json')).toEqual(here);
});

it('store backup against a server refuses tokens other than that of the operator', async () => {
  const { remote, home } = await servedStore();
  const made = await remote('tokens create --role admin --name other -o json');
  const { token } = JSON.parse(made.stdout) as { token: string };
  expect(await remote('store backup b.ndjson', { DOCSCTL_TOKEN: token })).toMatchObject({
    exit: 11,
    stderr: expect.stringMatching(
      /Only the operator of \S+ can back up, check or inspect its store\.\nhint: Use the token that `docsctl init` printed\. The token from DOCSCTL_TOKEN is a different token\./,
    ),
  });
  expect(await remote('store backup b.ndjson', { DOCSCTL_TOKEN: 'dctl_wrong' })).toMatchObject({ exit: 4 });
  expect(readdirSync(home).filter((name) => name.startsWith('b.'))).toEqual([]);
});

describe('docsctl store backup from a server', () => {
  const line = 'store backup b.ndjson';

  /** Runs the command against a proxy that changes the answers of a server with a function. */
  async function runThrough(change: (body: Buffer) => Buffer | 'cut', more = '') {
    const { home, url, remote } = await servedStore();
    const broken = await otherServer(async (request, response) => {
      const { authorization = '' } = request.headers;
      const answer = await fetch(`${url}${request.url}`, { method: 'POST', headers: { authorization } });
      const body = Buffer.from(await answer.arrayBuffer());
      const changed = change(body);
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      if (changed !== 'cut') return response.end(changed);
      return response.write(body.subarray(0, body.length - 20), () => response.destroy());
    });
    const ran = await remote(`${line}${more}`, { DOCSCTL_SERVER: broken });
    return { ...ran, files: readdirSync(home).filter((name) => name.startsWith('b.')) };
  }

  it('leaves no file if the connection is lost', async () => {
    expect(await runThrough(() => 'cut')).toMatchObject({
      exit: 69,
      files: [],
      stderr: expect.stringMatching(
        /^error: The backup of http:\S+ broke off: http:\S+ closed the connection before its answer was complete \(\w+\)\. No backup was written\.$/m,
      ),
    });
  });

  it.each([
    ['its end is missing', (body: Buffer) => body.subarray(0, body.lastIndexOf('\n', body.length - 2) + 1)],
    ['its last line is cut off', (body: Buffer) => body.subarray(0, body.length - 9)],
    [
      'the rows of answers do not match their hash',
      (body: Buffer) => Buffer.from(body.toString().replace('Guide', 'Guise')),
    ],
    ['its first line was changed', (body: Buffer) => Buffer.from(body.toString().replace('0.0.0', '0.0.1'))],
    ['it does not begin like a backup', () => Buffer.from('{}\n')],
    ['it does not begin like a backup', () => Buffer.alloc(0)],
    ['something follows its last line', (body: Buffer) => Buffer.concat([body, Buffer.from('["total"]\n')])],
  ])('fails if %s', async (why, change) => {
    const { exit, files, stderr } = await runThrough(change);
    expect({ exit, files }).toEqual({ exit: 69, files: [] });
    expect(stderr).toContain(`sent is not complete: ${why}. No backup was written.`);
  });

  it('reports incomplete answers and errors of store check and store info', async () => {
    const { remote } = await servedStore();
    const cut = await otherServer((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('\n\n{"rows"'),
    );
    expect(await remote('store check', { DOCSCTL_SERVER: cut })).toMatchObject({
      exit: 69,
      stderr: expect.stringContaining('did not answer completely'),
    });
    const failed = await otherServer((_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('\n{"error":{"code":503,"message":"The store is busy.","reason":"store-busy"}}'),
    );
    expect(await remote('store info', { DOCSCTL_SERVER: failed })).toMatchObject({
      exit: 69,
      stderr: expect.stringContaining('error: The store is busy.'),
    });
  });

  it.each([
    ['store check', '{"rows":1}', 'POST /store/check (store.check)', 'damages is required'],
    ['store info', '[]', 'GET /store/info (store.info)', 'it must be an object'],
  ])(
    'reports an answer to %s that does not have the expected form',
    async (command, body, operation, fault) => {
      const { remote } = await servedStore();
      const other = await otherServer((_, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(body),
      );
      expect(await remote(command, { DOCSCTL_SERVER: other })).toMatchObject({
        exit: 69,
        stderr: expect.stringContaining(
          `The answer of ${other} to ${operation} does not have the expected form: ${fault}.`,
        ),
      });
    },
  );

  it('refuses the HTML page of a proxy', async () => {
    const { home, remote } = await servedStore();
    const page = await otherServer((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    );
    expect(await remote(line, { DOCSCTL_SERVER: page })).toMatchObject({
      exit: 69,
      stderr: expect.stringContaining('did not answer like a server of docsctl'),
    });
    expect(readdirSync(home).filter((name) => name.startsWith('b.'))).toEqual([]);
  });

  it('leaves no file if it is interrupted', async () => {
    const { home, url, token } = await servedStore();
    const stop = new AbortController();
    const slow = await otherServer(async (_, response) => {
      const answer = await fetch(`${url}/v1/store/backup`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
      const body = Buffer.from(await answer.arrayBuffer());
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write(body.subarray(0, 300));
      await expect.poll(() => readdirSync(home).some((name) => name.endsWith('.part'))).toBe(true);
      stop.abort('SIGINT');
    });
    const env = { DOCSCTL_SERVER: slow, DOCSCTL_TOKEN: token };
    const ran = await docsctl(splitWords(line), { home, cwd: home, env, signal: stop.signal });
    expect(ran).toMatchObject({ exit: 130, stderr: expect.stringContaining('No backup was written.') });
    expect(readdirSync(home).filter((name) => name.startsWith('b.'))).toEqual([]);
  });
});

it.each([
  ['store restore b.ndjson', 'store restore works only on the machine of the store'],
  ['store migrate --from a.db --to b.db --server http://127.0.0.1:1', 'store migrate works only on'],
  ['store move-blobs store', 'store move-blobs works only on the machine of the store'],
])('%s is refused for a server', async (line, words) => {
  const { remote } = await servedStore();
  expect(await remote(line)).toMatchObject({ exit: 64, stderr: expect.stringContaining(words) });
});
