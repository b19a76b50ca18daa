import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { enqueue } from '../../src/core/jobs.ts';
import { jobs } from '../../src/core/rows/jobs.ts';
import { Problem } from '../../src/errors/problem.ts';
import { createMetricsServer, type MetricsServer } from '../../src/server/metrics-server.ts';
import { Metrics } from '../../src/server/metrics.ts';
import { createServerMetrics } from '../../src/server/server-metrics.ts';
import { createWorld } from '../support/world.ts';
import { serve, talkTo } from './serving.ts';

/** Returns the values of the series whose names have this prefix. */
function valuesOf(text: string, start: string): Record<string, number> {
  return Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.startsWith(start))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

describe('the text format of metrics', () => {
  it('contains counters, cumulative histograms and gauges', async () => {
    const metrics = new Metrics();
    const total = metrics.counter('a_total', 'Some help.', ['name']);
    total.add(['quote " slash \\ line\n'], 2);
    total.add(['quote " slash \\ line\n']);
    const times = metrics.histogram('b_seconds', 'More help.', ['kind'], [0.1, 1]);
    for (const seconds of [0.1, 0.5, 5]) times.observe(['x'], seconds);
    metrics.gauge({ name: 'c', help: 'A number.' }, async () => [[[], 7]]);
    expect(await metrics.text()).toBe(`# HELP a_total Some help.
# TYPE a_total counter
a_total{name="quote \\" slash \\\\ line\\n"} 3
# HELP b_seconds More help.
# TYPE b_seconds histogram
b_seconds_bucket{kind="x",le="0.1"} 1
b_seconds_bucket{kind="x",le="1"} 2
b_seconds_bucket{kind="x",le="+Inf"} 3
b_seconds_sum{kind="x"} 5.6
b_seconds_count{kind="x"} 3
# HELP c A number.
# TYPE c gauge
c 7
`);
  });
});

describe('metrics of a server', () => {
  it('count requests by the pattern of their route, whatever their paths are', async () => {
    const metrics = createServerMetrics('1.2.3', undefined);
    const { server, bearer } = await serve({ metrics: metrics.requests('api') });
    for (const url of [
      '/v1/orgs/org_acme/collections',
      '/v1/orgs/org_none/collections?a=b',
      '/canary',
      '/v1/canary/%zz',
    ])
      await server.inject({ url, headers: bearer() });
    const text = await metrics.text();
    const labels = 'listener="api",method="GET"';
    expect(valuesOf(text, 'docsctl_http_requests_total')).toEqual({
      [`docsctl_http_requests_total{${labels},route="/v1/orgs/:organizationId/collections",status="2xx"}`]: 1,
      [`docsctl_http_requests_total{${labels},route="/v1/orgs/:organizationId/collections",status="4xx"}`]: 1,
      [`docsctl_http_requests_total{${labels},route="(none)",status="4xx"}`]: 2,
    });
    expect(valuesOf(text, 'docsctl_http_requests_in_flight{listener="api"}')).toEqual({
      'docsctl_http_requests_in_flight{listener="api"}': 0,
    });
    expect(valuesOf(text, 'docsctl_http_request_duration_seconds_count')).toMatchObject({
      'docsctl_http_request_duration_seconds_count{listener="api",group="orgs"}': 2,
    });
    expect(text).not.toMatch(/canary|org_/);
    expect(text).toContain('docsctl_build_info{version="1.2.3",node="v');
  });

  it('count a client that disconnects before the response, and no open request afterwards', async () => {
    const metrics = createServerMetrics('1.2.3', undefined);
    let arrive = (): void => {};
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const { server, bearer } = await serve({
      metrics: metrics.requests('api'),
      change: (core) => ({
        ...core,
        handlerOf: async () => async () => {
          arrive();
          await gate;
          return { count: 0, items: [] } as never;
        },
      }),
    });
    const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
    const talk = await talkTo(url);
    talk.send(
      `GET /v1/orgs/org_acme/collections HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer().authorization}\r\n\r\n`,
    );
    await arrived;
    const inFlight = 'docsctl_http_requests_in_flight{listener="api"}';
    expect(valuesOf(await metrics.text(), inFlight)).toEqual({ [inFlight]: 1 });
    talk.socket.destroy();
    while (valuesOf(await metrics.text(), inFlight)[inFlight] !== 0)
      await new Promise((resolve) => setImmediate(resolve));
    expect(Object.keys(valuesOf(await metrics.text(), 'docsctl_http_requests_total'))).toEqual([
      expect.stringContaining('status="4xx"'),
    ]);
    open();
    await server.close(0);
  });

  it('count transactions, and those that a busy or broken store refused', async () => {
    const { core } = await createWorld();
    const metrics = createServerMetrics('1.2.3', undefined);
    const store = metrics.measureStore({
      ...core.store,
      write: () => Promise.reject(new Problem('store-busy', 'Busy.')),
    });
    await store.read(async () => 1);
    await expect(store.write(async () => 1)).rejects.toThrow('Busy.');
    await expect(store.read(() => Promise.reject(new Problem('not-found', 'None.')))).rejects.toThrow(
      'None.',
    );
    const text = await metrics.text();
    expect(valuesOf(text, 'docsctl_store_errors_total')).toEqual({
      'docsctl_store_errors_total{kind="write",reason="busy"}': 1,
    });
    const count = 'docsctl_store_transaction_duration_seconds_count';
    expect(valuesOf(text, count)).toEqual({ [`${count}{kind="read"}`]: 2, [`${count}{kind="write"}`]: 1 });
  });

  it('show the jobs by state, the delay of the oldest due job, and the running jobs of this process', async () => {
    const { core } = await createWorld();
    const metrics = createServerMetrics('1.2.3', undefined);
    const time = core.clock();
    const at = (seconds: number) => new Date(time + seconds * 1000).toISOString();
    await core.store.write(async (tx) => {
      for (const { id } of await tx.find(jobs, { index: 'byDue', equals: ['open'], limit: 100 }))
        await tx.remove(jobs, id);
      const job = (kind: string, subject: string, dueAt: string) =>
        enqueue(tx, at(0), { kind, organization: 'org_acme', subject, dueAt });
      await job('openapi', 'a', at(-90));
      await job('openapi', 'b', at(-10));
      await job('audit', 'c', at(60));
      await job('events', 'd', at(-1));
      await tx.update(jobs, 'openapi.b', { queue: 'failed' });
    });
    metrics.watchQueues({ ...core, clock: () => time });
    const job = { kind: 'openapi', subject: 'a', organization: 'org_acme', claimedAt: performance.now() };
    metrics.claimed(job);
    expect(valuesOf(await metrics.text(), 'docsctl_jobs')).toEqual({
      'docsctl_jobs_running{kind="openapi"}': 1,
      'docsctl_jobs_queued{queue="open"}': 3,
      'docsctl_jobs_queued{queue="failed"}': 1,
      'docsctl_jobs{kind="openapi",state="due"}': 1,
      'docsctl_jobs{kind="openapi",state="failed"}': 1,
      'docsctl_jobs{kind="audit",state="waiting"}': 1,
      'docsctl_jobs{kind="events",state="due"}': 1,
      'docsctl_jobs_due_oldest_seconds{kind="openapi"}': 90,
      'docsctl_jobs_due_oldest_seconds{kind="events"}': 1,
    });
    metrics.ended(job, { ...job, end: 'failed' });
    const text = await metrics.text();
    expect(valuesOf(text, 'docsctl_jobs_running')).toEqual({ 'docsctl_jobs_running{kind="openapi"}': 0 });
    expect(valuesOf(text, 'docsctl_jobs_ended_total')).toEqual({
      'docsctl_jobs_ended_total{kind="openapi",end="failed"}': 1,
    });
  });

  it('omit the values of a broken store, and show the others', async () => {
    const { core } = await createWorld();
    const metrics = createServerMetrics('1.2.3', { expires: () => 5000 });
    metrics.watchQueues({ ...core, store: { ...core.store, read: () => Promise.reject(new Error('gone')) } });
    const text = await metrics.text();
    expect(valuesOf(text, 'docsctl_jobs')).toEqual({});
    expect(valuesOf(text, 'docsctl_tls')).toEqual({ docsctl_tls_certificate_expiry_seconds: 5 });
    expect(valuesOf(text, 'process_resident_memory_bytes')['process_resident_memory_bytes']).toBeGreaterThan(
      1e6,
    );
  });
});

it('metrics wait at most 2 seconds for a store that does not answer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const metrics = createServerMetrics('1.2.3', { expires: () => 5000 });
  let reads = 0;
  const read = () => (reads++, new Promise(() => {}));
  metrics.watchQueues({ store: { read } as never, clock: () => 0 });
  const first = metrics.text();
  await vi.advanceTimersByTimeAsync(2000);
  expect(valuesOf(await first, 'docsctl_tls')).toEqual({ docsctl_tls_certificate_expiry_seconds: 5 });
  // Until the store answers, nothing else is asked of it.
  expect(valuesOf(await metrics.text(), 'docsctl_jobs')).toEqual({});
  expect(reads).toBe(1);
});

describe('the server of metrics', () => {
  let server: MetricsServer | undefined;
  afterEach(() => server?.close());

  it('responds only to GET /metrics', async () => {
    server = createMetricsServer({ text: async () => 'a 1\n' });
    const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
    const ask = async (path: string, method = 'GET') => {
      const answer = await fetch(url + path, { method });
      return [answer.status, answer.headers.get('content-type'), await answer.text()];
    };
    const type = 'text/plain; version=0.0.4; charset=utf-8';
    expect(await ask('/metrics')).toEqual([200, type, 'a 1\n']);
    expect(await ask('/metrics?x=1')).toEqual([200, type, 'a 1\n']);
    expect(await ask('/metrics', 'HEAD')).toEqual([200, type, '']);
    expect((await ask('/metrics', 'POST'))[0]).toBe(405);
    expect((await ask('/v1/orgs'))[0]).toBe(404);
  });

  it('listens on other addresses only if that is allowed', async () => {
    server = createMetricsServer({ text: async () => '' });
    await expect(server.listen({ host: '0.0.0.0', port: 0 })).rejects.toThrow(
      'Refusing to listen on 0.0.0.0',
    );
  });
});
