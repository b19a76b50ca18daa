import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ResolveHost } from '../../../src/content-sync/git-sync/connect.ts';
import { openDesk, page } from '../../resources/content-support.ts';
import { createBareRepository, type BareRepository } from './bare-repository.ts';
import { createSyncWorld, synchronize, type Run } from './sync-support.ts';

const sample = (name: string): string => fileURLToPath(new URL(`../../samples/tls/${name}`, import.meta.url));
const host = 'docs.example.test';

let repository: BareRepository;
let server: Server;
/** The paths and credentials of received requests. */
let requests: (readonly [path: string, authorization: string | undefined])[];
/** The URL that the server redirects to. */
let redirect: string | undefined;
beforeEach(async () => {
  repository = createBareRepository();
  repository.git('config', 'http.receivepack', 'true');
  requests = [];
  redirect = undefined;
  server = createServer(
    { key: readFileSync(sample('key.pem')), cert: readFileSync(sample('certificate.pem')) },
    answer,
  );
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  repository.remove();
});

const expected = `Basic ${Buffer.from('ana:canary pw').toString('base64')}`;

/** Serves the repository with git http-backend to clients with the password. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const { method = '', headers } = request;
  const [path = '', query = ''] = (request.url ?? '').split('?');
  requests.push([path, headers.authorization]);
  if (redirect !== undefined) return void response.writeHead(302, { location: redirect + request.url }).end();
  if (headers.authorization !== expected)
    return void response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: dirname(repository.dir),
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: method,
      PATH_INFO: path,
      QUERY_STRING: query,
      CONTENT_TYPE: headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      GIT_PROTOCOL: headers['git-protocol']?.toString() ?? '',
      REMOTE_USER: 'ana',
    },
  });
  request.pipe(backend.stdin);
  const parts: Buffer[] = [];
  backend.stdout.on('data', (part: Buffer) => parts.push(part));
  backend.on('close', () => {
    const output = Buffer.concat(parts);
    const end = output.indexOf('\r\n\r\n');
    const fields = output
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string]);
    const status = Number.parseInt(fields.find(([name]) => name === 'Status')?.[1] ?? '200', 10);
    response.writeHead(status, Object.fromEntries(fields.filter(([name]) => name !== 'Status')));
    response.end(output.subarray(end + 4));
  });
}

const resolveHost: ResolveHost = async () => ['127.0.0.1'];
const env = { GIT_SSL_CAINFO: sample('certificate.pem'), HTTPS_PROXY: 'http://127.0.0.1:9' };
const address = (credentials = ''): string =>
  `https://${credentials}${host}:${(server.address() as AddressInfo).port}/docs.git`;

async function open(more: Readonly<Record<string, string>> = {}) {
  const world = await createSyncWorld({ ...env, ...more }, resolveHost);
  const desk = await openDesk(world);
  const sync = (url?: string): Promise<Run> =>
    synchronize(world, desk.spaceId, url === undefined ? {} : { url, ref: 'main' }, 'create');
  return {
    desk: { ...desk, sync: (body: object) => synchronize(world, desk.spaceId, body, 'create') },
    sync,
  };
}

describe('a repository with an https URL', () => {
  it('is reached only at the checked address, with the password of the space', async () => {
    const { desk, sync } = await open();
    repository.commit({ 'README.md': '# Start\n' });
    expect(await sync(address('ana:canary%20pw@'))).toMatchObject({
      state: 'success',
      commit: repository.head(),
    });
    await desk.publish(page('New'));
    const run = await sync();
    expect(run).toMatchObject({ state: 'success', commit: repository.head() });
    expect(repository.files()['new.md']).toBe('# New\n');
    expect(new Set(requests.map(([, authorization]) => authorization))).toEqual(new Set([expected]));
    expect(JSON.stringify(run)).not.toContain('canary');
  });

  it('fails if the password is wrong, without a prompt and without repeating the password', async () => {
    const { sync } = await open();
    const run = await sync(address('ana:canary-wrong@'));
    expect(run).toMatchObject({
      state: 'failure',
      problem: {
        reason: 'unreachable',
        message: `The repository ${address()} needs another user name or password.`,
        hint: expect.stringContaining('DOCSCTL_GIT_CREDENTIALS'),
      },
    });
    expect(JSON.stringify(run)).not.toContain('canary');
  });

  it('reports why the server refused a commit, with a hint for protected branches', async () => {
    const { desk, sync } = await open();
    repository.commit({ 'README.md': '# Start\n' });
    await sync(address('ana:canary%20pw@'));
    await desk.publish(page('New'));
    const head = repository.head();
    const hook = join(repository.dir, 'hooks', 'pre-receive');
    writeFileSync(hook, '#!/bin/sh\necho "This branch is locked: use a pull request." >&2\nexit 1\n', {
      mode: 0o755,
    });
    const refused = await sync();
    expect(refused.problem).toMatchObject({
      reason: 'conflict',
      message: `The repository ${address()} rejected the commit: pre-receive hook declined · remote: This branch is locked: use a pull request.`,
    });
    rmSync(hook);
    repository.git('branch', 'docs', 'main');
    const hinted = / --ref BRANCH --direction export --take space`/;
    expect(refused.problem?.hint).toMatch(hinted);
    const body = { ref: 'docs', direction: 'export', take: 'space' };
    expect(await desk.sync(body)).toMatchObject({ state: 'success' });
    expect(repository.git('rev-parse', 'docs^').trim()).toBe(head);
    repository.git('config', 'http.receivepack', 'false');
    await desk.publish(page('Newer'));
    expect((await desk.sync(body)).problem?.message).toContain('could not be written: fatal:');
  });

  it('does not get the passwords of the user who runs the server', async () => {
    const home = mkdtempSync(join(tmpdir(), 'docsctl-test-'));
    try {
      writeFileSync(join(home, '.netrc'), `machine ${host} login ana password canary\n`, { mode: 0o600 });
      const askpass = join(home, 'askpass');
      writeFileSync(askpass, '#!/bin/sh\necho canary\n', { mode: 0o755 });
      const { sync } = await open({ HOME: home, GIT_ASKPASS: askpass, SSH_ASKPASS: askpass });
      expect(await sync(address())).toMatchObject({ state: 'failure', problem: { reason: 'unreachable' } });
      expect(requests.length).toBeGreaterThan(0);
      expect(new Set(requests.map(([, authorization]) => authorization))).toEqual(new Set([undefined]));
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  it('does not follow redirects to another host', async () => {
    const { sync } = await open();
    redirect = 'https://other.example.test';
    const run = await sync(address('ana:canary%20pw@'));
    expect(run).toMatchObject({ state: 'failure', problem: { reason: 'unreachable' } });
    expect(requests).toHaveLength(1);
  });
});
