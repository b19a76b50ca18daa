import { afterEach, describe, expect, it } from 'vitest';
import { createVerifier } from '../../../examples/verify-event.js';
import { violationsOf } from '../../../src/contract/check.ts';
import { isOperation } from '../../../src/contract/operation.ts';
import type { Outgoing } from '../../../src/core/outgoing.ts';
import { jobs } from '../../../src/core/rows/jobs.ts';
import { installations, integrations } from '../../../src/core/rows/integrations.ts';
import { runDueJobs } from '../../../src/core/workers.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { mergeChangeRequest, createChangeRequest } from '../../../src/resources/change-requests/contract.ts';
import { createCollection, transferCollection } from '../../../src/resources/collections/contract.ts';
import { updateContent } from '../../../src/resources/content/change-request/contract.ts';
import { nouns } from '../../../src/resources/index.ts';
import { getEvent, listEvents, redeliverEvent } from '../../../src/resources/integration-events/contract.ts';
import { recordEvent, removeExpired } from '../../../src/resources/integration-events/record.ts';
import {
  createInstallation,
  deleteInstallation,
  installOnSite,
  installOnSpace,
  removeFromSpace,
  updateInstallation,
  updateSiteInstallation,
} from '../../../src/resources/integration-installations/contract.ts';
import {
  disableDev,
  enableDev,
  renewSigningSecret,
  unpublishIntegration,
} from '../../../src/resources/integrations/contract.ts';
import { createOrganization } from '../../../src/resources/organizations/contract.ts';
import { createSite, deleteSite } from '../../../src/resources/sites/contract.ts';
import {
  createSpace,
  deleteSpace,
  moveSpace,
  transferSpace,
} from '../../../src/resources/spaces/contract.ts';
import { createWorld, type World } from '../../support/world.ts';
import { install, publish, tunnel } from '../integrations/support.ts';
import { integrationEvents } from '../../../src/resources/integration-events/rows.ts';

let world: World;
afterEach(() => world.core.store.close());

const params = { integrationName: 'bot' };
const url = 'https://tunnel.example/hook';
const dev = (all = false) => world.as('admin').call(enableDev, { params, body: { tunnelUrl: url, all } });
const list = async () => (await world.as('admin').call(listEvents, { params })).items;
const types = async () => (await list()).map(({ payload }) => payload.type).toReversed();
const work = () => runDueJobs(world.core, { kind: 'events', signal: new AbortController().signal });
const update = (installationId: string, body: object) =>
  world.as('admin').call(updateInstallation, { params: { ...params, installationId }, body });
const open = async (outgoing?: Outgoing) =>
  void (world = await createWorld('memory:', outgoing === undefined ? {} : { outgoing }));

async function space(): Promise<string> {
  return (await world.as('admin').call(createSpace, { params: { organizationId: world.org }, body: {} })).id;
}

async function edit(space: string): Promise<void> {
  const api = world.as('admin');
  const { id } = await api.call(createChangeRequest, { params: { spaceId: space }, body: {} });
  const at = { spaceId: space, changeRequestId: id };
  await api.call(updateContent, {
    params: at,
    body: { changes: [{ operation: 'insert_page', title: 'Page', document: { markdown: 'Text' } }] },
  });
  await api.call(mergeChangeRequest, { params: at });
}

describe('recorded events', () => {
  it('report each change of an installation with its previous values', async () => {
    await open();
    await publish(world);
    const { id } = await install(world);
    await update(id, { configuration: { a: 1 } });
    await update(id, { configuration: { a: 1 }, externalIds: ['x'] });
    const space = await world
      .as('admin')
      .call(createSpace, { params: { organizationId: world.org }, body: {} });
    const at = { params: { ...params, installationId: id } };
    await world.as('admin').call(installOnSpace, { ...at, body: { space: space.id } });
    await world.as('admin').call(removeFromSpace, { params: { ...at.params, spaceId: space.id } });
    await world.as('admin').call(deleteInstallation, at);
    expect((await list())[0]).toMatchObject({
      status: 'failed',
      delivery: { state: 'waiting', attempts: 0 },
    });
    // This world has no script runtime and no tunnel.
    await work();
    const events = await list();
    expect(violationsOf(listEvents.returns.schema, { items: events }, '')).toEqual([]);
    const base = (index: number) => ({ eventId: events[events.length - 1 - index]!.id, installationId: id });
    expect(events.map(({ payload }) => payload).toReversed()).toEqual([
      { ...base(0), type: 'installation_setup', status: 'active' },
      {
        ...base(1),
        type: 'installation_setup',
        status: 'active',
        previous: { status: 'active', configuration: {} },
      },
      { ...base(2), type: 'space_installation_setup', spaceId: space.id, status: 'active' },
      { ...base(3), type: 'space_installation_deleted', spaceId: space.id, previous: { configuration: {} } },
      { ...base(4), type: 'installation_deleted', previous: { configuration: { a: 1 } } },
    ]);
    expect(events[0]).toMatchObject({
      integrationId: 'bot',
      installationId: id,
      status: 'failed',
      delivery: { state: 'no-endpoint', attempts: 0 },
    });
    const detail = await world.as('admin').call(getEvent, { params: { ...params, eventId: events[0]!.id } });
    expect(detail).toMatchObject({
      event: events[0],
      trace: { logs: [{ level: 'warn', message: expect.stringContaining('scripts are turned off') }] },
    });
    expect(violationsOf(getEvent.returns.schema, detail, '')).toEqual([]);
    await expect(
      world.as('admin').call(getEvent, { params: { ...params, eventId: 'evt_absent' } }),
    ).rejects.toMatchObject({ reason: 'not-found' });
    await expect(world.as('create').call(listEvents, { params })).rejects.toMatchObject({
      reason: 'forbidden',
    });
    const waiting = await world.core.store.read((view) =>
      view.find(jobs, { index: 'byDue', equals: ['open'], limit: 9 }),
    );
    expect(waiting.filter(({ kind }) => kind === 'events')).toEqual([]);
  });

  it('report new content to active installations that may read content and cover the space', async () => {
    await open();
    await publish(world);
    await publish(world, 'blind', { scopes: ['openapi:read'] });
    await publish(world, 'unset', {
      configurations: { account: { properties: { key: { type: 'string' } }, required: ['key'] } },
    });
    for (const name of ['blind', 'unset']) await install(world, name);
    const { id } = await install(world);
    const { id: space } = await world
      .as('admin')
      .call(createSpace, { params: { organizationId: world.org }, body: {} });
    await edit(space);
    expect((await list())[0]!.payload).toMatchObject({
      type: 'space_content_updated',
      spaceId: space,
      revisionId: expect.stringMatching(/^rev_/),
    });
    await update(id, { space_selection: 'selected' });
    await edit(space);
    expect(await types()).toEqual(['installation_setup', 'space_content_updated']);
    await world
      .as('admin')
      .call(installOnSpace, { params: { ...params, installationId: id }, body: { space } });
    await edit(space);
    expect((await types()).slice(2)).toEqual(['space_installation_setup', 'space_content_updated']);
    for (const integrationName of ['blind', 'unset'])
      expect((await world.as('admin').call(listEvents, { params: { integrationName } })).count).toBe(1);
  });

  it('report each other way in which an installation leaves a space or site, in order', async () => {
    await open();
    await publish(world);
    const { id } = await install(world);
    const api = world.as('admin');
    const [moved, nested, deleted] = [await space(), await space(), await space()];
    const collection = await api.call(createCollection, {
      params: { organizationId: world.org },
      body: { title: 'All' },
    });
    await api.call(moveSpace, { params: { spaceId: nested }, body: { parent: collection.id } });
    const site = await api.call(createSite, {
      params: { organizationId: world.org },
      body: { title: 'Docs' },
    });
    const at = { params: { ...params, installationId: id } };
    for (const one of [moved, nested, deleted])
      await api.call(installOnSpace, { ...at, body: { space: one } });
    await api.call(installOnSite, { ...at, body: { siteId: site.id } });
    await api.call(updateSiteInstallation, {
      params: { ...at.params, siteId: site.id },
      body: { configuration: { a: 1 } },
    });
    const before = (await list()).length;
    const second = await api.call(createOrganization, { body: { title: 'Second' } });
    await api.call(deleteSite, { params: { organizationId: world.org, siteId: site.id } });
    await api.call(transferSpace, { params: { spaceId: moved }, body: { organization: second.id } });
    await api.call(transferCollection, {
      params: { collectionId: collection.id },
      body: { organization: second.id },
    });
    await api.call(deleteSpace, { params: { spaceId: deleted } });
    const told = (payload: object) =>
      Object.fromEntries(
        Object.entries(payload).filter(([field]) => field !== 'eventId' && field !== 'installationId'),
      );
    const later = async () => (await list()).slice(0, -before).map(({ payload }) => told(payload)).toReversed(); // prettier-ignore
    const gone = (spaceId: string) => ({
      type: 'space_installation_deleted',
      spaceId,
      previous: { configuration: {} },
    });
    const all = [
      { type: 'site_installation_deleted', siteId: site.id, previous: { configuration: { a: 1 } } },
      gone(moved),
      gone(nested),
    ];
    // A deleted space can be restored for a week, unchanged.
    expect(await later()).toEqual(all);
    world.pass(8 * 24 * 3_600_000);
    await runDueJobs(world.core, { kind: 'removal', signal: new AbortController().signal });
    expect(await later()).toEqual([...all, gone(deleted)]);
  });

  it('have no types for the visibility of spaces, feedback and views, which no operation changes', async () => {
    const contracts = await Promise.all(nouns.map(({ contract }) => contract()));
    const changing = contracts
      .flatMap((contract) => Object.values(contract as Record<string, unknown>).filter(isOperation))
      .filter(({ method }) => method !== 'GET');
    const visibility = changing
      .filter(({ body }) => JSON.stringify(body ?? {}).includes('"visibility"'))
      .map(({ id }) => id);
    expect(visibility.toSorted()).toEqual([
      'integrations.publish',
      'openapi.update',
      'sites.create',
      'sites.update',
    ]);
    expect(
      changing.filter(({ path }) => /\/(feedback|views|insights)\b/.test(path)).map(({ id }) => id),
    ).toEqual(['sites.events.track', 'sites.events.aggregate']);
  });

  it('are deleted after a month when new ones are recorded', async () => {
    await open();
    await publish(world);
    const { id } = await install(world);
    await update(id, { configuration: { a: 1 } });
    world.pass(31 * 24 * 3_600_000);
    await update(id, { configuration: { a: 2 } });
    expect((await list()).map(({ payload }) => (payload as { previous?: unknown }).previous)).toEqual([
      { status: 'active', configuration: { a: 1 } },
    ]);
  });

  it('are deleted oldest first above the maximum number, except waiting ones', async () => {
    await open();
    await publish(world);
    const { id } = await install(world);
    for (const a of [1, 2]) await update(id, { configuration: { a } });
    const { store, clock } = world.core;
    const ids = async () =>
      (await store.read((tx) => tx.scan(integrationEvents, '', 10))).map((row) => row.id);
    const [first = '', ...others] = (await list()).map((event) => event.id).toReversed();
    const remove = (maxKept: number) =>
      store.write(async (tx) => {
        const { integration = '' } = (await tx.get(integrationEvents, first)) ?? {};
        await removeExpired(tx, integration, new Date(clock()).toISOString(), maxKept);
      });
    await remove(0);
    expect(await ids()).toHaveLength(others.length + 1);
    await store.write((tx) => tx.update(integrationEvents, first, { state: 'delivered' }));
    await remove(others.length + 1);
    expect(await ids()).toContain(first);
    await remove(others.length);
    expect((await ids()).toSorted()).toEqual(others.toSorted());
  });

  it('are deleted with the integration, and not delivered', async () => {
    const { outgoing, requests } = tunnel();
    await open(outgoing);
    await publish(world);
    await dev();
    await install(world);
    await world.as('admin').call(unpublishIntegration, { params });
    await work();
    expect(requests).toEqual([]);
    expect(
      await world.core.store.read((view) => view.count(integrationEvents, 'byIntegration', ['bot'])),
    ).toBe(0);
  });
});

describe('an event for a tunnel', () => {
  it('is signed with the time in the format that the sample verifier reads', async () => {
    const { outgoing, requests } = tunnel();
    await open(outgoing);
    await publish(world);
    await dev();
    const { signingSecret } = await world.as('admin').call(renewSigningSecret, { params });
    await install(world);
    await work();
    const [{ headers, body, maxRedirects, url: to }] = requests as [(typeof requests)[number]];
    expect([to, maxRedirects]).toEqual([url, 0]);
    const now = () => Number(headers['docsctl-timestamp']);
    const { event, environment, isNew } = await createVerifier({ secret: signingSecret, now })(
      headers,
      body,
      () => {},
    );
    const [recorded] = await list();
    expect([event, isNew]).toEqual([recorded!.payload, true]);
    expect(environment).toMatchObject({
      integration: { name: 'bot', version: 1 },
      installation: { status: 'active', configuration: {} },
    });
    expect(recorded).toMatchObject({
      status: 'success',
      delivery: { state: 'delivered', attempts: 1, status: 204 },
    });
  });

  it('contains the settings of the installation on the space or site of the event', async () => {
    const { outgoing, requests } = tunnel();
    await open(outgoing);
    await publish(world, 'bot', {
      configurations: { site: { properties: { color: { type: 'string', default: 'blue' } } } },
    });
    await dev();
    const { signingSecret: secret } = await world.as('admin').call(renewSigningSecret, { params });
    const { id } = await install(world);
    const at = { params: { ...params, installationId: id } };
    const site = await world
      .as('admin')
      .call(createSite, { params: { organizationId: world.org }, body: { title: 'Docs' } });
    const spaceId = await space();
    await world.as('admin').call(installOnSite, { ...at, body: { siteId: site.id } });
    await world.as('admin').call(installOnSpace, { ...at, body: { space: spaceId } });
    await edit(spaceId);
    await world.as('admin').call(removeFromSpace, { params: { ...at.params, spaceId } });
    await work();
    const told = requests.map(({ headers, body }) =>
      createVerifier({ secret, now: () => Number(headers['docsctl-timestamp']) })(headers, body, () => {}),
    );
    const base = { integration: 'bot', installation: id, status: 'active', externalIds: [] };
    const all: { event: { type: string }; environment: Record<string, unknown> }[] = await Promise.all(told);
    const places = all.map(({ event, environment }) => {
      const { urls: _, ...place } = (environment['siteInstallation'] ??
        environment['spaceInstallation'] ?? { urls: 0, isAbsent: true }) as Record<string, unknown>;
      return [event.type, 'isAbsent' in place ? undefined : place];
    });
    expect(places).toEqual([
      ['installation_setup', undefined],
      ['site_installation_setup', { ...base, site: site.id, configuration: { color: 'blue' } }],
      // When these are sent, the space has no settings of its own, and the installation covers all spaces.
      ['space_installation_setup', { ...base, space: spaceId, configuration: {} }],
      ['space_content_updated', { ...base, space: spaceId, configuration: {} }],
      ['space_installation_deleted', undefined],
    ]);
    await world.as('admin').call(installOnSpace, { ...at, body: { space: spaceId } });
    await work();
    expect(requests.at(-1)!.body).toContain(
      `"spaceInstallation":${JSON.stringify({ integration: 'bot', installation: id, status: 'active', externalIds: [] }).slice(0, -1)},"urls":`,
    );
  });

  it('cannot be forged so that the sample verifier accepts it', async () => {
    const { outgoing, requests } = tunnel();
    await open(outgoing);
    await publish(world);
    await dev();
    const { signingSecret: secret } = await world.as('admin').call(renewSigningSecret, { params });
    const { id } = await install(world);
    await update(id, { configuration: { a: 1 } });
    await work();
    const [first, second] = requests as [(typeof requests)[number], (typeof requests)[number]];
    const sentAt = Number(first.headers['docsctl-timestamp']);
    const verify = (headers: Record<string, string>, body: string, now = sentAt, with_ = secret) =>
      createVerifier({ secret: with_, now: () => now })(headers, body, () => {});
    await expect(verify(first.headers, first.body)).resolves.toMatchObject({ isNew: true });
    const header = (name: string, value: string | undefined) =>
      Object.fromEntries(
        Object.entries({ ...first.headers, [name]: value }).filter(([, text]) => text !== undefined),
      ) as Record<string, string>;
    const signature = first.headers['docsctl-signature']!;
    const forged: [Record<string, string>, string, number?, string?][] = [
      [first.headers, second.body],
      [first.headers, `${first.body} `],
      [first.headers, first.body.replace('active', 'paused')],
      [first.headers, first.body, sentAt + 301],
      [first.headers, first.body, sentAt - 301],
      [first.headers, first.body, sentAt, `${secret}x`],
      [header('docsctl-timestamp', String(sentAt + 200)), first.body, sentAt + 400],
      [header('docsctl-timestamp', `${sentAt}.0`), first.body],
      [header('docsctl-event-id', second.headers['docsctl-event-id']), first.body],
      [header('docsctl-signature', second.headers['docsctl-signature']), first.body],
      [header('docsctl-signature', signature.toUpperCase()), first.body],
      [header('docsctl-signature', signature.slice(3)), first.body],
      [header('docsctl-signature', `v1=${'0'.repeat(64)}`), first.body],
      ...['docsctl-signature', 'docsctl-timestamp', 'docsctl-event-id'].map(
        (name): [Record<string, string>, string] => [header(name, undefined), first.body],
      ),
      ...Array.from({ length: 64 }, (_, at): [Record<string, string>, string] => [
        header(
          'docsctl-signature',
          `${signature.slice(0, 3 + at)}${signature[3 + at] === 'a' ? 'b' : 'a'}${signature.slice(4 + at)}`,
        ),
        first.body,
      ]),
    ];
    const taken = await Promise.all(forged.map(([headers, body, now, other]) => verify(headers, body, now, other).then(() => 'taken', () => 'refused'))); // prettier-ignore
    expect(taken.filter((end: string) => end === 'taken')).toEqual([]);
  });

  it('is handled again by the sample verifier until the handler succeeds', async () => {
    const { outgoing, requests } = tunnel();
    await open(outgoing);
    await publish(world);
    await dev();
    const { signingSecret: secret } = await world.as('admin').call(renewSigningSecret, { params });
    await install(world);
    await work();
    const [{ headers, body }] = requests as [(typeof requests)[number]];
    const verify = createVerifier({ secret, now: () => Number(headers['docsctl-timestamp']) });
    const handled: unknown[] = [];
    const fail = (event: unknown) => {
      handled.push(event);
      throw new Error('The database is away.');
    };
    await expect(verify(headers, body, fail)).rejects.toThrow('The database is away.');
    await expect(verify(headers, body, async (event) => fail(event))).rejects.toThrow('away');
    // The event arrives again while a handler that fails runs: both fail, and the handler runs once.
    const fails = [verify(headers, body, fail), verify(headers, body, fail)];
    expect((await Promise.allSettled(fails)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(handled).toHaveLength(3);
    const handle = async (event: unknown, environment: unknown) => void handled.push([event, environment]);
    const both = await Promise.all([verify(headers, body, handle), verify(headers, body, handle)]);
    expect(both.map(({ isNew }) => isNew)).toEqual([true, false]);
    expect(await verify(headers, body, fail)).toMatchObject({ isNew: false });
    expect(handled.slice(3)).toEqual([[both[0].event, both[0].environment]]);
  });

  it('is given up after ten attempts, and the next event follows in order', async () => {
    const { outgoing, requests } = tunnel(({ headers }) =>
      headers!['docsctl-event-id']!.endsWith('_1') ? 500 : 200,
    );
    await open(outgoing);
    await publish(world);
    await dev();
    const { id } = await install(world);
    await update(id, { configuration: { a: 1 } });
    await work();
    expect(new Set(requests.map(({ headers }) => headers['docsctl-event-id'])).size).toBe(1);
    expect((await list())[1]).toMatchObject({
      status: 'failed',
      delivery: {
        state: 'waiting',
        attempts: requests.length,
        status: 500,
        error: 'The tunnel answered 500.',
        nextAttemptAt: expect.any(String),
      },
    });
    for (let round = 0; round < 12; round++) {
      world.pass(400_000);
      await work();
    }
    expect(requests.map(({ headers }) => headers['docsctl-attempt'])).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
      '9',
      '10',
      '1',
    ]);
    const [second, first] = await list();
    expect([first!.delivery.state, first!.delivery.attempts, second!.delivery.state]).toEqual([
      'dead',
      10,
      'delivered',
    ]);
    const { trace } = await world.as('admin').call(getEvent, { params: { ...params, eventId: first!.id } });
    expect(trace!.logs.map(({ level }) => level)).toEqual([...Array<string>(9).fill('warn'), 'error']);
    expect(trace!.logs.map(({ message }) => / in (\d+) s\.$/.exec(message)?.[1])).toEqual(
      ['1', '2', '5', '10', '30', '60', '120', '300', '300', undefined], // prettier-ignore
    );
  });

  it('can be delivered again on request, with the same ID', async () => {
    let status = 406;
    const { outgoing, requests } = tunnel(() => status);
    await open(outgoing);
    await publish(world);
    await dev();
    await install(world);
    const [{ id } = { id: '' }] = await list();
    const again = () => world.as('admin').call(redeliverEvent, { params: { ...params, eventId: id } });
    await again();
    await work();
    expect((await list())[0]?.delivery).toMatchObject({ state: 'ignored', status: 406 });
    status = 200;
    const { delivery } = await again();
    expect(delivery).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(delivery.status).toBeUndefined();
    await work();
    expect((await list()).map((event) => [event.id, event.delivery.state])).toEqual([[id, 'delivered']]);
    expect(requests).toHaveLength(2);
    const missing = { params: { ...params, eventId: 'evt_x' } };
    await expect(world.as('admin').call(redeliverEvent, missing)).rejects.toMatchObject({
      reason: 'not-found',
    });
    await world.core.store.write((tx) =>
      tx.update(integrationEvents, id, { order: 0, payload: { eventId: id, type: 'fetch' } }),
    );
    await expect(again()).rejects.toThrow('Events of the type fetch cannot be delivered again.');
  });

  it('is delivered again if that is requested during its delivery', async () => {
    const again = async () => {
      const [{ id } = { id: '' }] = await list();
      await world.as('admin').call(redeliverEvent, { params: { ...params, eventId: id } });
    };
    const { outgoing, requests } = tunnel(async (_, count) => {
      if (count === 1) await again();
      return 204;
    });
    await open(outgoing);
    await publish(world);
    await dev();
    await install(world);
    await work();
    expect(requests).toHaveLength(2);
    expect((await list())[0]?.delivery).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  it('is retried after the time that the tunnel requests, up to 5 minutes', async () => {
    const { outgoing } = tunnel(() => 503, { 'retry-after': '86400' });
    await open(outgoing);
    await publish(world);
    await dev();
    await install(world);
    await work();
    const [{ delivery, createdAt }] = (await list()) as [Awaited<ReturnType<typeof list>>[number]];
    expect(Date.parse(delivery.nextAttemptAt!) - Date.parse(createdAt)).toBeLessThan(330_000);
    expect(Date.parse(delivery.nextAttemptAt!) - Date.parse(createdAt)).toBeGreaterThan(299_000);
  });

  it('is given up immediately if the guard of outgoing requests forbids the address', async () => {
    await open(() =>
      Promise.reject(
        new Problem(
          'forbidden',
          'http://10.0.0.1 is not on the public internet, so it is not reached from here.',
        ),
      ),
    );
    await publish(world);
    await dev();
    await install(world);
    await work();
    expect((await list())[0]).toMatchObject({
      status: 'failed',
      delivery: { state: 'dead', attempts: 1, error: expect.stringContaining('not on the public internet') },
    });
  });

  it('is not sent if it is too large', async () => {
    const { outgoing, requests } = tunnel();
    await open(outgoing);
    await publish(world);
    await dev();
    const { id } = await install(world);
    await expect(update(id, { configuration: { a: 'x'.repeat(66_000) } })).rejects.toMatchObject({
      reason: 'invalid-input',
    });
    await world.core.store.write(async (tx) => {
      const [integration, installation] = [
        await tx.get(integrations, 'bot'),
        await tx.get(installations, id),
      ];
      await recordEvent(
        { tx, now: new Date(world.core.clock()).toISOString() },
        integration!,
        installation!,
        { type: 'task', payload: 'x'.repeat(1_100_000) },
      );
    });
    await work();
    expect(requests).toHaveLength(1);
    expect((await list())[0]!.delivery).toMatchObject({
      state: 'dead',
      error: expect.stringContaining('1024 KiB'),
    });
  });

  it('is sent for other organizations only with all, and not after development mode ends', async () => {
    const { outgoing, requests } = tunnel();
    await open(outgoing);
    await publish(world, 'bot', { visibility: 'public' });
    await dev();
    const { id } = await world
      .as('outsider')
      .call(createInstallation, { params, body: { organization: world.otherOrg } });
    await work();
    expect([requests.length, (await list())[0]!.delivery.state]).toEqual([0, 'no-endpoint']);
    await dev(true);
    await update(id, { configuration: { a: 1 } });
    await work();
    expect([requests.length, (await list())[0]!.delivery.state]).toEqual([1, 'delivered']);
    await update(id, { configuration: { a: 2 } });
    await world.as('admin').call(disableDev, { params });
    await work();
    expect([requests.length, (await list())[0]!.delivery.state]).toEqual([1, 'no-endpoint']);
  });
});
