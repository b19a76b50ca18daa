import { execa } from 'execa';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest';
import { jobs } from '../../src/core/rows/jobs.ts';
import { openStore } from '../../src/stores/index.ts';
import { endClaims } from '../support/end-claims.ts';
import { createServed } from './serving.ts';

const bin = fileURLToPath(new URL('../../bin/docsctl.js', import.meta.url));
const node = process.env['DOCSCTL_NODE'] ?? process.execPath;
const text =
  'openapi: 3.1.0\ninfo: { title: Pets, version: "1" }\npaths: { /pets: { get: { responses: { "200": { description: ok } } } } }\n';

let home: string;
beforeAll(() => {
  if (!existsSync(fileURLToPath(new URL('../../dist/main.js', import.meta.url))))
    throw new Error('run `npm run build` first: these tests run the built program');
  home = mkdtempSync(join(tmpdir(), 'docsctl-killed-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Starts a server from which jobs fetch. `next` returns the response of the next request, which the test answers. */
async function openSource({ onTestFinished }: TestContext) {
  const waiting: ((response: ServerResponse) => void)[] = [];
  const early: ServerResponse[] = [];
  let requests = 0;
  const server = createServer((_, response) => {
    requests++;
    const next = waiting.shift();
    if (next === undefined) early.push(response);
    else next(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const next = (): Promise<ServerResponse> => {
    const one = early.shift();
    return one === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(one);
  };
  return { port, url: `http://127.0.0.1:${port}/openapi.yaml`, next, requests: () => requests };
}

/** Creates a store with one specification that has to be fetched, and runs the built program on it. */
async function begin(context: TestContext, scheme: string, name: string) {
  const source = await openSource(context);
  const store = `${scheme}:${join(home, name)}`;
  const env = {
    DOCSCTL_CONFIG_DIR: join(home, 'config'),
    DOCSCTL_STORE: store,
    DOCSCTL_ALLOW_PRIVATE: `127.0.0.1:${source.port}`,
    NODE_OPTIONS: '',
  };
  const start = (...words: string[]) => {
    const running = execa(node, [bin, ...words], {
      cwd: home,
      env,
      extendEnv: true,
      reject: false,
      timeout: 110_000,
    });
    context.onTestFinished(() => void running.kill('SIGKILL'));
    return running;
  };
  const done = async (...words: string[]): Promise<string> => {
    const ran = await start(...words);
    if (ran.exitCode !== 0) throw new Error(`docsctl ${words.join(' ')}: ${ran.stderr}`);
    return ran.stdout;
  };
  /** Reads the owners of due jobs from the store. A specification with a URL is fetched again much later. */
  const look = async (): Promise<string[]> => {
    const opened = await openStore(store, { tables: [jobs] });
    const rows = await opened.read((view) =>
      view.find(jobs, { index: 'byDue', equals: ['open'], limit: 10 }),
    );
    await opened.close();
    return rows.flatMap(({ owner }) => owner ?? []);
  };
  const expire = async (): Promise<void> => {
    const opened = await openStore(store, { tables: [jobs] });
    await endClaims(opened);
    await opened.close();
  };
  const versions = async (): Promise<unknown[]> =>
    JSON.parse(await done('openapi', 'versions', 'pets', '-o', 'json')).items as unknown[];
  await done('init', '--org-title', 'Acme', '--email', 'ana@acme.test');
  await done('openapi', 'create', 'pets', '--url', source.url);
  return { source, start, done, look, expire, versions };
}

const [jobsRun, serve] = [
  ['jobs', 'run'],
  ['serve', '--port', '0', '--workers', '1'],
];

// These tests wait for a minute, so they run at the same time.
it.concurrent.for([
  [jobsRun, serve, 'sqlite'],
  [serve, jobsRun, 'sqlite'],
  [jobsRun, jobsRun, 'json'],
] as const)(
  'a job of a killed docsctl %j is done once by docsctl %j (%s)',
  { timeout: 120_000 },
  async ([first, second, scheme], context) => {
    const { source, start, look, versions } = await begin(
      context,
      scheme,
      `${first[0]}-${second[0]}.${scheme}`,
    );
    const killed = start(...first);
    await source.next();
    killed.kill('SIGKILL');
    expect((await killed).signal).toBe('SIGKILL');
    expect(await look()).toEqual([expect.any(String)]);
    expect([source.requests(), await versions()]).toEqual([1, []]);
    // A killed process does not renew its claim. Nobody trusts clocks: the second process watches the claim for a minute.
    const next = start(...second);
    (await source.next()).end(text);
    if (second[0] === 'jobs')
      expect(await next).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('1 done, 0 failed') });
    else {
      await context.expect.poll(look, { timeout: 10_000 }).toEqual([]);
      next.kill('SIGTERM');
      expect((await next).exitCode).toBe(0);
    }
    expect([source.requests(), await look(), await versions()]).toEqual([
      2,
      [],
      [expect.objectContaining({ version: '1' })],
    ]);
  },
);

it.concurrent(
  'one of two servers on a store takes over the job of the other one that was killed',
  { timeout: 120_000 },
  async (context) => {
    const { source, start, look, versions } = await begin(context, 'sqlite', 'two.db');
    const serve = ['serve', '--port', '0', '--workers', '2', '-o', 'json'];
    const first = start(...serve);
    const held = await source.next();
    const second = start(...serve);
    await new Promise((resolve) => second.stdout.once('data', resolve));
    first.kill('SIGKILL');
    await first;
    (await source.next()).end(text);
    held.destroy();
    await context.expect.poll(look, { timeout: 10_000 }).toEqual([]);
    second.kill('SIGTERM');
    expect((await second).exitCode).toBe(0);
    expect([source.requests(), await versions()]).toEqual([2, [expect.objectContaining({ version: '1' })]]);
  },
);

it(
  'writes of a process whose claim expired are refused, because another process did the job',
  { timeout: 30_000 },
  async (context) => {
    const { source, start, look, expire, versions } = await begin(context, 'sqlite', 'asleep.db');
    const asleep = start('jobs', 'run');
    const held = await source.next();
    asleep.kill('SIGSTOP');
    await expire();
    const other = start('jobs', 'run');
    (await source.next()).end(text);
    expect(await other).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('1 done') });
    held.end(text.replace('"1"', '"2"'));
    asleep.kill('SIGCONT');
    expect(await asleep).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('0 done, 0 failed') });
    expect([await look(), await versions()]).toEqual([[], [expect.objectContaining({ version: '1' })]]);
  },
);

it('serve reports that it cannot listen, even if a job for a thread is due', async () => {
  const { run } = await createServed();
  await run('spaces', 'create', '--title', 'Guide');
  const words = ['translations', 'create', '--space', 'Guide', '--from', 'en', '--language', 'de'];
  expect(await run(...words)).toMatchObject({ exitCode: 0 });
  expect(
    await run('serve', '--host', '0.0.0.0', '--port', '0', '--public-url', 'https://docs.test'),
  ).toMatchObject({
    exitCode: 9,
    stderr: expect.stringContaining('Refusing to listen on 0.0.0.0'),
  });
});
