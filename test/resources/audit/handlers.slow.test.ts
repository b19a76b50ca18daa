import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OutputOf } from '../../../src/contract/operation.ts';
import { violationsOf } from '../../../src/contract/check.ts';
import { auditEvents, type AuditEventRow } from '../../../src/core/rows/audit-events.ts';
import { runDueJobs } from '../../../src/core/workers.ts';
import {
  getAuditEvent,
  getAuditRetention,
  keepAuditEvents,
  listAuditActions,
  listAuditEvents,
} from '../../../src/resources/audit/contract.ts';
import { ChainVerifier } from '../../../src/resources/audit/chain.ts';
import { createChangeRequest, mergeChangeRequest } from '../../../src/resources/change-requests/contract.ts';
import { createCollection } from '../../../src/resources/collections/contract.ts';
import { batchContent } from '../../../src/resources/content/change-request/contract.ts';
import { ingestBatch } from '../../../src/resources/conversations/contract.ts';
import { listJobs } from '../../../src/resources/jobs/contract.ts';
import { createSpec } from '../../../src/resources/openapi/contract.ts';
import { createSpace, deleteSpace, updateSpace } from '../../../src/resources/spaces/contract.ts';
import { createWorld, type World } from '../../support/world.ts';

type Details = OutputOf<typeof getAuditEvent>;

const params = { organizationId: 'org_acme' };
const day = 24 * 60 * 60 * 1000;

describe.each(['memory', 'json', 'sqlite'])('audit events in a store of %s', (kind) => {
  let world: World;
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'docsctl-audit-'));
    world = await createWorld(kind === 'memory' ? 'memory:' : `${kind}:${join(folder, 'store')}`);
  });
  afterEach(async () => {
    await world.core.store.close();
    rmSync(folder, { recursive: true });
  });

  const list = (query: object = {}) =>
    world.as('admin').call(listAuditEvents, { params, query: { details: true, ...query } });
  const eventsOf = async (query: object = {}) => (await list(query)).items as Details[];
  const create = (title: string, who: 'admin' | 'create' = 'admin') =>
    world.as(who).call(createCollection, { params, body: { title } });
  const work = (kind: string) => runDueJobs(world.core, { kind, signal: new AbortController().signal });

  it('are listed newest first, in pages, and match their schema', async () => {
    for (const title of ['A', 'B', 'C', 'D', 'E']) await create(title);
    const pages: (string | undefined)[][] = [];
    let page: string | undefined;
    do {
      const listing = await list({ limit: 2, ...(page === undefined ? {} : { page }) });
      expect(listing.count).toBe(5);
      expect(violationsOf(listAuditEvents.returns.schema, listing, '')).toEqual([]);
      pages.push(listing.items.map(({ target }) => target.label));
      page = listing.next?.page;
    } while (page !== undefined);
    expect(pages).toEqual([['E', 'D'], ['C', 'B'], ['A']]);
    const [plain] = (await world.as('admin').call(listAuditEvents, { params })).items;
    expect(Object.keys(plain!)).toEqual(['object', 'id', 'occurredAt', 'action', 'actor', 'source', 'target', 'urls']); // prettier-ignore
    const [first] = await eventsOf();
    const one = await world
      .as('admin')
      .call(getAuditEvent, { params: { ...params, auditEventId: first!.id } });
    expect(one).toEqual(first);
    expect(violationsOf(getAuditEvent.returns.schema, one, '')).toEqual([]);
  });

  it('are listed in pages of 20 by default and 100 at most', async () => {
    for (let at = 0; at < 25; at++) await create(`C${at}`);
    expect((await world.as('admin').call(listAuditEvents, { params })).items.length).toBe(20);
    expect((await eventsOf({ limit: 100 })).length).toBe(25);
    for (const limit of [0, 101])
      await expect(list({ limit })).rejects.toMatchObject({ reason: 'invalid-input' });
  });

  it('can be filtered by action, actor, target and time, also combined', async () => {
    const { id } = await create('A', 'create');
    const { id: space } = await world.as('admin').call(createSpace, { params, body: { title: 'S' } });
    await world.as('admin').call(updateSpace, { params: { spaceId: space }, body: { title: 'T' } });
    await create('B');
    const labels = async (query: object) => (await eventsOf(query)).map(({ action, target }) => `${action} ${target.label}`); // prettier-ignore
    expect(await labels({ action: 'collections.create' })).toEqual([
      'collections.create B',
      'collections.create A',
    ]);
    expect(await labels({ actor: 'usr_create' })).toEqual(['collections.create A']);
    expect(await labels({ target: space })).toEqual(['spaces.update T', 'spaces.create S']);
    expect(await labels({ target: id, actor: 'usr_admin' })).toEqual([]);
    expect(await labels({ action: 'collections.create', actor: 'usr_admin' })).toEqual([
      'collections.create B',
    ]);
    const times = (await eventsOf()).map(({ occurredAt }) => occurredAt);
    expect(await labels({ from: times[2], to: times[1] })).toEqual(['spaces.update T', 'spaces.create S']);
    expect(await labels({ from: times[0]!.replace('Z', '+00:00') })).toEqual(['collections.create B']);
    expect(await labels({ to: times[3], limit: 1 })).toEqual(['collections.create A']);
    expect((await list({ from: times[1] })).count).toBeUndefined();
    expect((await list({ target: space })).count).toBe(2);
    await expect(list({ from: 'yesterday' })).rejects.toMatchObject({ reason: 'invalid-input' });
    await expect(list({ page: 'x' })).rejects.toMatchObject({ reason: 'invalid-input' });
  });

  it('are neither skipped nor repeated when a filtered list is read in pages', async () => {
    for (let at = 0; at < 30; at++) await create(`C${at}`, at % 3 === 0 ? 'create' : 'admin');
    const seen: string[] = [];
    let page: string | undefined;
    do {
      const listing = await list({
        limit: 3,
        actor: 'usr_create',
        action: 'collections.create',
        ...(page === undefined ? {} : { page }),
      });
      seen.push(...listing.items.map(({ target }) => target.label!));
      page = listing.next?.page;
    } while (page !== undefined);
    expect(seen).toEqual([27, 24, 21, 18, 15, 12, 9, 6, 3, 0].map((at) => `C${at}`));
  });

  it('form a chain of hashes that reveals a changed event', async () => {
    for (const title of ['A', 'B', 'C']) await create(title);
    const rows = await world.core.store.read((view) =>
      view.find(auditEvents, { index: 'byTime', equals: ['org_acme'], limit: 9 }),
    );
    const sorted = (value: unknown): unknown =>
      typeof value !== 'object' || value === null || Array.isArray(value)
        ? value
        : Object.fromEntries(
            Object.entries(value)
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([key, inner]) => [key, sorted(inner)]),
          );
    const hashOf = ({ hash: _hash, ...row }: AuditEventRow) =>
      createHash('sha256').update(JSON.stringify(sorted(row))).digest('hex'); // prettier-ignore
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(rows.map(hashOf)).toEqual(rows.map(({ hash }) => hash));
    expect(rows.map(({ previous }) => previous)).toEqual([null, rows[0]!.hash, rows[1]!.hash]);
    expect(hashOf({ ...rows[1]!, actor: 'usr_read' })).not.toBe(rows[1]!.hash);
  });

  it('combine a series of content requests into one event that counts them', async () => {
    const { id: spaceId } = await world.as('admin').call(createSpace, { params, body: { title: 'S' } });
    const { id: changeRequestId } = await world
      .as('admin')
      .call(createChangeRequest, { params: { spaceId }, body: { subject: 'Import' } });
    const at = { spaceId, changeRequestId };
    const send = (title: string) =>
      world.as('admin').call(batchContent, {
        params: at,
        body: { changes: [{ operation: 'insert_page', title, document: { markdown: 'Text' } }] },
      });
    for (const title of ['One', 'Two', 'Three']) await send(title);
    const [series, ...others] = await eventsOf();
    expect(others.map(({ action }) => action)).toEqual(['change-requests.create', 'spaces.create']);
    expect(series!.payload).toMatchObject({
      requests: 3,
      related: [{ type: 'revision', after: { pages: 3 } }],
    });
    const { before, after } = series!.payload;
    expect(before!['revision']).not.toBe(after!['revision']);
    expect(before!['revision']).toBe(others[0]!.payload.after!['revision']);
    await world.as('admin').call(mergeChangeRequest, { params: at });
    const [merge] = await eventsOf();
    expect(merge).toMatchObject({ action: 'change-requests.merge', target: { id: changeRequestId } });
    expect(merge!.payload.related!.map(({ type }) => type)).toContain('space');
    expect(merge!.payload.chain.previous).toBe(series!.payload.chain.hash);
    const chain = new ChainVerifier();
    for (const event of await eventsOf()) chain.add(event);
    expect(chain.end()).toMatchObject({ events: 4, first: 1, last: 4 });
  });

  it('start another series after a pause or for another user', async () => {
    const ingest = (id: string, who: 'admin' | 'create' = 'admin') =>
      world.as(who).call(ingestBatch, {
        params,
        body: { conversations: [{ id, parts: [{ type: 'message', role: 'user', body: 'Help' }] }] },
      });
    await ingest('a');
    await ingest('b');
    await ingest('c', 'create');
    world.pass(11 * 60 * 1000);
    await ingest('d', 'create');
    expect((await eventsOf()).map(({ payload: { requests, counts } }) => [requests, counts])).toEqual([
      [undefined, { conversation: { added: 1, removed: 0 } }],
      [undefined, { conversation: { added: 1, removed: 0 } }],
      [2, { conversation: { added: 2, removed: 0 } }],
    ]);
  });

  it('name the job that made a change, without the progress of the job', async () => {
    const text = '{"openapi":"3.0.3","info":{"title":"Pets","version":"1"},"paths":{}}';
    await world.as('admin').call(createSpec, { params, body: { slug: 'pets', source: { text } } });
    await work('openapi');
    const [event, ...others] = await eventsOf();
    expect(others.map(({ action }) => action)).toEqual(['openapi.create']);
    expect(event).toMatchObject({
      action: 'openapi.process',
      actor: { type: 'system', id: 'docsctl' },
      source: 'workflow',
      target: { type: 'openapi-spec', label: 'pets' },
      payload: { origin: { kind: 'job' }, related: [{ type: 'openapi-spec-version', label: 'Pets' }] },
    });
    expect(Object.keys(event!.payload.after!)).toEqual(['lastVersion']);
  });

  it('name docsctl as the actor when a space is purged 8 days after its deletion', async () => {
    const { id: spaceId } = await world.as('admin').call(createSpace, { params, body: { title: 'Old' } });
    await world.as('admin').call(deleteSpace, { params: { spaceId } });
    world.pass(8 * day);
    await world.as('create').call(createSpace, { params, body: { title: 'New' } });
    await world.as('owner').work?.({ kind: 'removal', signal: new AbortController().signal });
    const events = await eventsOf();
    expect(events.map(({ action, actor }) => [action, actor.id])).toEqual([
      ['spaces.purge', 'docsctl'],
      ['spaces.create', 'usr_create'],
      ['spaces.delete', 'usr_admin'],
      ['spaces.create', 'usr_admin'],
    ]);
    expect(events[0]!.payload.related!.map(({ type }) => type)).toEqual(['revision']);
  });

  it('are kept as long as the retention of the organization says, then removed by a job', async () => {
    await create('A');
    world.pass(100 * day);
    for (let at = 0; at < 450; at++) await create(`B${at}`);
    world.pass(50 * day);
    await create('C');
    const retention = () => world.as('admin').call(getAuditRetention, { params });
    expect(await retention()).toMatchObject({ days: 365, events: 452 });
    expect((await world.as('admin').call(listJobs, { params })).items).toEqual([]);
    await world.as('admin').call(keepAuditEvents, { params, body: { days: 60 } });
    // The events are hidden immediately, and removed by the job.
    const [first] = (await world.core.store.read((view) => view.find(auditEvents, { index: 'byTime', equals: ['org_acme'], limit: 1 }))); // prettier-ignore
    await expect(
      world.as('admin').call(getAuditEvent, { params: { ...params, auditEventId: first!.id } }),
    ).rejects.toMatchObject({ reason: 'not-found' });
    expect((await list({ action: 'collections.create' })).count).toBeUndefined();
    await work('audit');
    expect(await retention()).toMatchObject({ days: 60, events: 452 });
    expect((await list({ action: 'collections.create' })).count).toBe(451);
    world.pass(15 * day);
    await work('audit');
    expect((await eventsOf()).map(({ action, target }) => [action, target.label])).toEqual([
      ['audit.keep', 'Acme'],
      ['collections.create', 'C'],
    ]);
    world.pass(61 * day);
    await work('audit');
    expect(await retention()).toMatchObject({ events: 0 });
    await create('D');
    // The numbers continue after a removal.
    expect((await eventsOf()).map(({ payload }) => payload.chain.number)).toEqual([454]);
    world.pass(61 * day);
    await work('audit');
    expect(await retention()).toMatchObject({ events: 0 });
  });

  it('can be read only by administrators of the same organization', async () => {
    await create('A');
    const [{ id }] = (await eventsOf()) as [Details];
    for (const who of ['create', 'read', 'guest'] as const)
      await expect(world.as(who).call(listAuditEvents, { params })).rejects.toMatchObject({
        reason: 'forbidden',
      });
    const other = { organizationId: 'org_other' };
    await expect(
      world.as('outsider').call(getAuditEvent, { params: { ...other, auditEventId: id } }),
    ).rejects.toMatchObject({ reason: 'not-found' });
    expect((await world.as('outsider').call(listAuditEvents, { params: other })).items).toEqual([]);
  });

  it('have actions from a sorted list of labeled actions', async () => {
    const { items } = await world.as('admin').call(listAuditActions, { params });
    const ids = items.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(
      expect.arrayContaining(['spaces.update', 'saml.sign-in', 'openapi.process', 'spaces.purge']),
    );
    expect(ids).not.toContain('spaces.get');
    expect(items.every(({ label }) => label.length > 5)).toBe(true);
  });
});
