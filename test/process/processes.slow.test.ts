import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { request as httpRequest, type ClientRequest } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeCertificate } from '../saml/certificate-maker.ts';
import { createServed, readMetric, send } from './serving.ts';

const noLimits = ['--rate-limit', '0', '--rate-limit-organization', '0'];
const two = ['--processes', '2', ...noLimits];

it('serve --processes answers with all processes at one address, and runs jobs in the first', async () => {
  const { serve, token, organization } = await createServed();
  const server = await serve(...two);
  expect(server.pids()).toHaveLength(2);
  const collections = `${server.url}/v1/orgs/${organization}/collections`;
  const answering = (): Set<unknown> =>
    new Set(server.entries().flatMap(({ event, process }) => (event === 'request' ? [process] : [])));
  const create = async (): Promise<void> => {
    const { status } = await send(collections, { method: 'POST', token, body: { title: 'One' } });
    expect(status).toBe(201);
  };
  // While one process is busy, the other accepts the next connection.
  while (answering().size < 2) await Promise.all(Array.from({ length: 10 }, create));
  // A specification with a URL is fetched by a job. No server answers at this URL.
  for (const slug of ['pets', 'shops', 'users'])
    await send(`${server.url}/v1/orgs/${organization}/openapi`, {
      method: 'POST',
      token,
      body: { slug, source: { url: 'http://127.0.0.1:9/openapi.yaml' } },
    });
  await server.logged(({ event, state }) => event === 'job' && state !== 'claimed');
  const jobs = server.entries().filter(({ event }) => event === 'job');
  expect(new Set(jobs.map(({ process }) => process))).toEqual(new Set([1]));
  expect(server.entries().filter(({ event }) => event === 'start')).toMatchObject([
    { processes: 2, url: server.url },
  ]);
});

it.each(['SIGKILL', 'SIGTERM'] as const)(
  'serve --processes loses nothing when a process ends with %s, and restarts it',
  async (signal) => {
    const { serve, token, organization } = await createServed();
    const server = await serve(...two, '--metrics-port', '0');
    const collections = `${server.url}/v1/orgs/${organization}/collections`;
    const metric = (name: string) => readMetric(server.metricsUrl ?? '', name);
    const [victim] = server.pids();
    let created = 0;
    const create = async (): Promise<void> => {
      const headers = { 'idempotency-key': randomUUID() };
      for (;;) {
        const answer = await send(collections, {
          method: 'POST',
          token,
          body: { title: 'One' },
          headers,
        }).catch(() => undefined);
        if (answer?.status === 201) break;
        expect([undefined, 503]).toContain(answer?.status);
      }
      if (++created === 30) {
        await metric('docsctl_http_requests_total');
        process.kill(victim!, signal);
      }
    };
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let at = 0; at < 25; at++) await create();
      }),
    );
    await server.logged(({ event, state }) => event === 'process' && state === 'ready');
    const ended = server.entries().filter(({ event }) => event === 'process');
    expect(ended.map(({ state, process }) => [state, process])).toEqual([
      ['ended', ended[0]?.['process']],
      ['ready', ended[0]?.['process']],
    ]);
    expect(ended[0]).toMatchObject({ pid: victim });
    expect(server.pids()).toHaveLength(2);
    expect(server.pids()).not.toContain(victim);
    expect((await send(`${collections}?limit=1000`, { token })).body['count']).toBe(created);
    expect((await metric('docsctl_process_restarts_total')).get('')).toBe(1);
    expect((await metric('docsctl_processes_ready')).get('')).toBe(2);
    const [counted = 0] = [...(await metric('docsctl_http_requests_total'))]
      .filter(([labels]) => labels.includes('"POST"') && labels.includes('"2xx"'))
      .map(([, value]) => value);
    // Requests that the process answered after its metrics were last read are not counted.
    expect(counted).toBeGreaterThanOrEqual(30);
    expect(counted).toBeLessThanOrEqual(created);
  },
);

it('serve --processes is ready when all processes are, and while one restarts', async () => {
  const { serve } = await createServed();
  const server = await serve(...two);
  expect((await send(`${server.url}/readyz`)).status).toBe(200);
  process.kill(server.pids()[0]!, 'SIGKILL');
  await server.logged(({ event, state }) => event === 'process' && state === 'ended');
  for (let request = 0; request < 20; request++)
    expect((await send(`${server.url}/readyz`)).status).toBe(200);
});

it('serve --processes answers open requests before it stops, and refuses new ones', async () => {
  const { serve, token, organization } = await createServed();
  const server = await serve(...two);
  const { hostname, port } = new URL(server.url);
  const open: { sent: ClientRequest; status: Promise<number | undefined> }[] = [];
  for (let at = 0; at < 20; at++) {
    const sent = httpRequest({
      hostname,
      port,
      agent: false,
      method: 'POST',
      path: `/v1/orgs/${organization}/collections`,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        expect: '100-continue',
      },
    });
    const status = new Promise<number | undefined>((resolve, reject) => {
      sent.on('response', (response) => resolve(response.resume().statusCode));
      sent.on('error', reject);
    });
    sent.flushHeaders();
    // The server has the request.
    await new Promise((resolve) => sent.once('continue', resolve));
    open.push({ sent, status });
  }
  server.child.kill('SIGTERM');
  await server.logged(({ event }) => event === 'stop');
  for (const { sent } of open) sent.end('{"title":"Last"}');
  const statuses = await Promise.all(open.map(({ status }) => status));
  expect(statuses).toEqual(open.map(() => 201));
  expect(await server.ended).toBe(0);
  await expect(send(`${server.url}/livez`)).rejects.toThrow(/ECONNREFUSED/);
});

it('serve --processes counts requests of all processes for rate limits', async () => {
  const { serve, token, organization, run } = await createServed();
  const server = await serve('--processes', '2', '--rate-limit', '40', '--rate-limit-organization', '50');
  const url = `${server.url}/v1/orgs/${organization}`;
  const statusesOf = async (count: number, bearer: string): Promise<number[]> =>
    (await Promise.all(Array.from({ length: count }, () => send(url, { token: bearer })))).map(
      ({ status }) => status,
    );
  const first = await statusesOf(100, token);
  expect(first.filter((status) => status === 200)).toHaveLength(40);
  expect(first.filter((status) => status === 429)).toHaveLength(60);
  const other = JSON.parse((await run('tokens', 'create', '--role', 'read', '-o', 'json')).stdout) as {
    token: string;
  };
  // The organization has ten left.
  const second = await statusesOf(30, other.token);
  expect(second.filter((status) => status === 200)).toHaveLength(10);
  expect(second.filter((status) => status === 429)).toHaveLength(20);
});

it('serve --processes adds up the metrics of its processes', async () => {
  const { serve, token, organization } = await createServed();
  const server = await serve(...two, '--metrics-port', '0');
  const url = `${server.url}/v1/orgs/${organization}`;
  await Promise.all(Array.from({ length: 60 }, () => send(url, { token })));
  const metric = (name: string) => readMetric(server.metricsUrl ?? '', name);
  const requests = await metric('docsctl_http_requests_total');
  expect(requests).toEqual(
    new Map([['listener="api",method="GET",route="/v1/orgs/:organizationId",status="2xx"', 60]]),
  );
  expect([...(await metric('process_resident_memory_bytes')).keys()].sort()).toEqual([
    'process="0"',
    'process="1"',
    'process="2"',
  ]);
  expect([...(await metric('docsctl_jobs_queued')).keys()].sort()).toEqual([
    'queue="failed"',
    'queue="open"',
  ]);
});

it('serve --processes applies a change of one process in the others immediately', async () => {
  const { serve, token, organization } = await createServed();
  const server = await serve(...two);
  const tokens = `${server.url}/v1/orgs/${organization}/tokens`;
  for (let turn = 0; turn < 10; turn++) {
    const { body } = await send(tokens, { method: 'POST', token, body: { role: 'read' } });
    const use = async () =>
      Promise.all(
        Array.from({ length: 8 }, async () => {
          const answer = await send(`${server.url}/v1/orgs/${organization}`, {
            token: String(body['token']),
          });
          return answer.status;
        }),
      );
    expect(new Set(await use())).toEqual(new Set([200]));
    await send(`${tokens}/${String(body['id'])}`, { method: 'DELETE', token });
    expect(new Set(await use())).toEqual(new Set([401]));
  }
});

it('serve --processes sends SIGHUP to all processes, so that they read the certificate again', async () => {
  const { serve } = await createServed();
  const server = await serve(...two);
  server.child.kill('SIGHUP');
  await Promise.all(
    [1, 2].map((number) => server.logged(({ event, process }) => event === 'reload' && process === number)),
  );
});

it('serve --processes replaces a process while its certificate on the disk is broken, and says so', async () => {
  const { serve, home } = await createServed();
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [cert, key] = [join(home, 'cert.pem'), join(home, 'key.pem')];
  writeFileSync(cert, makeCertificate(pair, { name: 'localhost' }));
  writeFileSync(key, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const server = await serve(...two, '--tls-cert', cert, '--tls-key', key);
  writeFileSync(cert, 'no certificate');
  process.kill(server.pids()[0]!, 'SIGKILL');
  await server.logged(({ event, state }) => event === 'process' && state === 'ready');
  expect(
    server.entries().filter(({ level, event }) => level === 'error' && event === 'reload'),
  ).toMatchObject([{ message: expect.stringContaining('The certificate of the other processes is used. ') }]);
});

it('serve --processes reports only once why it cannot start', async () => {
  const { run, home } = await createServed();
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const inUse = await run('serve', '--processes', '2', '--port', String(port));
  expect(inUse.exitCode).toBe(6);
  expect(inUse.stderr.match(/error:/g)).toHaveLength(1);
  expect(inUse.stderr).toContain(`Port ${port} of 127.0.0.1 is already in use.`);
  const missing = await run(
    'serve',
    '--processes',
    '2',
    '--port',
    '0',
    '--store',
    `sqlite:${join(home, 'no.db')}`,
  );
  expect(missing.exitCode).toBe(69);
  expect(missing.stderr.match(/error:/g)).toHaveLength(1);
  const json = await run(
    'serve',
    '--processes',
    '2',
    '--port',
    '0',
    '--store',
    `json:${join(home, 'docs.json')}`,
  );
  expect(json.exitCode).toBe(64);
  expect(json.stderr).toContain('can be served by only one process');
  expect((await run('serve', '--processes', '0', '--port', '0')).exitCode).toBe(8);
});
