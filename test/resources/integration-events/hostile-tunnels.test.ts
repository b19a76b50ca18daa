import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { installations } from '../../../src/core/rows/integrations.ts';
import { jobs } from '../../../src/core/rows/jobs.ts';
import { createVault } from '../../../src/core/secrets.ts';
import { runDueJobs } from '../../../src/core/workers.ts';
import { getEvent, listEvents } from '../../../src/resources/integration-events/contract.ts';
import {
  deleteInstallation,
  updateInstallation,
} from '../../../src/resources/integration-installations/contract.ts';
import { enableDev, unpublishIntegration } from '../../../src/resources/integrations/contract.ts';
import { out, sink } from '../../client/outgoing-support.ts';
import { createWorld, type World } from '../../support/world.ts';
import { install, publish, tunnel } from '../integrations/support.ts';
import { integrationEvents } from '../../../src/resources/integration-events/rows.ts';

let world: World;
afterEach(() => world.core.store.close());

const params = { integrationName: 'bot' };
const list = async () => (await world.as('admin').call(listEvents, { params })).items.toReversed();
const work = () => runDueJobs(world.core, { kind: 'events', signal: new AbortController().signal });
const openJobs = async () =>
  (
    await world.core.store.read((view) => view.find(jobs, { index: 'byDue', equals: ['open'], limit: 10 }))
  ).filter(({ kind }) => kind === 'events');

/** Installs an integration whose events go to this URL. */
async function begin(url = 'https://tunnel.example/hook'): Promise<string> {
  await publish(world);
  await world.as('admin').call(enableDev, { params, body: { tunnelUrl: url } });
  return (await install(world)).id;
}

describe('a malicious tunnel', () => {
  const inside = 'http://169.254.169.254/latest/meta-data?token=canary';
  const later = (response: ServerResponse, act: () => void) => {
    const drip = () => void (response.destroyed || (response.write('x'), setImmediate(drip)));
    drip();
    act();
  };
  it.each<[string, (response: ServerResponse, expire: () => void) => void, object]>([
    [
      'never answers',
      (_, expire) => expire(),
      { state: 'waiting', error: expect.stringContaining('did not answer completely within 10 s') },
    ],
    [
      'answers byte by byte',
      later,
      { state: 'waiting', error: expect.stringMatching(/did not answer completely|more than 5 MiB/) },
    ],
    [
      'answers 10 MB',
      (response) => response.end(Buffer.alloc(10_000_000)),
      { state: 'waiting', error: expect.stringContaining('more than 5 MiB') },
    ],
    [
      'redirects',
      (response) => response.writeHead(307, { location: inside }).end(),
      { state: 'waiting', status: 307, error: 'The tunnel answered 307.' },
    ],
    [
      'closes the connection early',
      (response) => response.destroy(),
      { state: 'waiting', error: expect.stringContaining('http://127.0.0.1') },
    ],
    [
      'asks to retry after a thousand years',
      (response) => response.writeHead(503, { 'retry-after': '9'.repeat(400) }).end(),
      { state: 'waiting', status: 503 },
    ],
    [
      'sends a wrong Content-Length',
      (response) => response.writeHead(200, { 'content-length': '99999999999' }).end('x'),
      { state: 'waiting', error: expect.stringContaining('more than 5 MiB') },
    ],
  ])(
    'that %s makes the attempts fail, without showing the path of the tunnel',
    async (_name, answer, delivery) => {
      let expire = (): void => undefined;
      const server = await sink((response) => answer(response, expire));
      const { send } = out({}, `127.0.0.1:${server.port}`, {
        after: (_, act) => ((expire = act), () => undefined),
      });
      world = await createWorld('memory:', {
        outgoing: send,
        env: { DOCSCTL_ALLOW_PRIVATE: `127.0.0.1:${server.port}` },
      });
      await begin(`${server.url}/secret-path`);
      await work();
      const [event] = await list();
      expect(event).toMatchObject({
        status: 'failed',
        delivery: { attempts: server.seen.length, nextAttemptAt: expect.any(String), ...delivery },
      });
      expect(Date.parse(event!.delivery.nextAttemptAt!) - Date.parse(event!.createdAt)).toBeLessThan(330_000);
      const detail = await world.as('admin').call(getEvent, { params: { ...params, eventId: event!.id } });
      expect(JSON.stringify(detail)).not.toMatch(/secret-path|canary|meta-data/);
      expect(new Set(server.seen.map(({ url }) => url))).toEqual(new Set(['/secret-path']));
    },
  );
});

describe('waiting events', () => {
  it('are delivered after the installation was removed, including the event about the removal', async () => {
    const { outgoing, requests } = tunnel();
    world = await createWorld('memory:', { outgoing });
    const installationId = await begin();
    await world.as('admin').call(updateInstallation, {
      params: { ...params, installationId },
      body: { configuration: { key: 'k' } },
    });
    await world.as('admin').call(deleteInstallation, { params: { ...params, installationId } });
    await work();
    expect((await list()).map(({ payload, delivery }) => [payload.type, delivery.state])).toEqual([
      ['installation_setup', 'delivered'],
      ['installation_setup', 'delivered'],
      ['installation_deleted', 'delivered'],
    ]);
    for (const { body } of requests)
      expect(body).toContain(`"installation":{"id":"${installationId}","configuration":{}}`);
    expect(await openJobs()).toEqual([]);
  });

  it('are delivered in order if the installation is removed during a delivery', async () => {
    const { outgoing, requests } = tunnel(async (_, count) => {
      if (count === 1)
        await world.as('admin').call(deleteInstallation, { params: { ...params, installationId } });
      return 204;
    });
    world = await createWorld('memory:', { outgoing });
    const installationId = await begin();
    await work();
    expect(requests.map(({ headers }) => headers['docsctl-event-id']!.split('_').at(-1))).toEqual(['1', '2']);
    expect((await list()).map(({ delivery }) => delivery.state)).toEqual(['delivered', 'delivered']);
    expect(await openJobs()).toEqual([]);
  });

  it('are deleted with the integration if it is removed during a delivery', async () => {
    const { outgoing, requests } = tunnel(async () => {
      await world.as('admin').call(unpublishIntegration, { params });
      return 204;
    });
    world = await createWorld('memory:', { outgoing });
    const installationId = await begin();
    await world.as('admin').call(updateInstallation, {
      params: { ...params, installationId },
      body: { configuration: { key: 'k' } },
    });
    await work();
    expect(requests).toHaveLength(1);
    await world.core.store.read(async (view) => {
      expect(await view.count(integrationEvents, 'byIntegration', ['bot'])).toBe(0);
      expect(await view.get(installations, installationId)).toBeUndefined();
    });
    expect(await openJobs()).toEqual([]);
  });

  it('report a wrong encryption key in their trace, and are delivered when the key is back', async () => {
    const { outgoing, requests } = tunnel();
    world = await createWorld('memory:', { outgoing });
    await begin();
    const right = world.core;
    const wrong = { ...right, vault: createVault(async () => new Uint8Array(32).fill(8), right.randomBytes) };
    await runDueJobs(wrong, { kind: 'events', signal: new AbortController().signal });
    const [event] = await list();
    expect(event!.delivery).toMatchObject({
      state: 'waiting',
      error: expect.stringContaining('but docsctl has the key'),
    });
    expect(requests).toHaveLength(0);
    world.pass(10_000);
    await work();
    expect((await list())[0]!.delivery).toMatchObject({
      state: 'delivered',
      attempts: event!.delivery.attempts + 1,
    });
  });

  it('give other jobs a turn after a minute', async () => {
    const { outgoing, requests } = tunnel(() => {
      world.pass(9000);
      return 204;
    });
    world = await createWorld('memory:', { outgoing });
    const installationId = await begin();
    for (let count = 0; count < 20; count++)
      await world.as('admin').call(updateInstallation, {
        params: { ...params, installationId },
        body: { configuration: { count } },
      });
    const ends: string[] = [];
    await runDueJobs(world.core, {
      kind: 'events',
      signal: new AbortController().signal,
      onEvent: (event) => void ('end' in event && ends.push(event.end)),
    });
    expect(requests).toHaveLength(21);
    expect(ends.filter((end) => end === 'again').length).toBeGreaterThan(2);
    expect(ends.at(-1)).toBe('done');
  });
});
