import { beforeEach, describe, expect, it } from 'vitest';
import { embeddedApi } from '../../../src/core/embedded.ts';
import * as contract from '../../../src/resources/conversations/contract.ts';
import { createToken } from '../../../src/resources/integration-installations/contract.ts';
import { maxBytes, type IngestedConversation } from '../../../src/resources/conversations/rules.ts';
import { createWorld, type Who, type World } from '../../support/world.ts';
import { callsIn, everybody } from '../calls.ts';
import { install, publish } from '../integrations/support.ts';
import { conversations, conversationId } from '../../../src/resources/conversations/rows.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
const { call, refusal, reason } = callsIn(() => world);
const org = { organizationId: 'org_acme' };

const conversation = (id: string, more: object = {}): IngestedConversation => ({
  id,
  parts: [{ type: 'message', role: 'user', body: `Where is ${id}?` }],
  ...more,
});
const ingest = (body: unknown, who: Who = 'create') => call(contract.ingestConversations, org, { body }, who);
const batch = (...given: IngestedConversation[]) =>
  call(contract.ingestBatch, org, { body: { conversations: given } });
const get = (id: string) => call(contract.getConversation, { ...org, conversationId: id });
const ids = async (query: object = {}) =>
  (await call(contract.listConversations, org, { query })).items.map(({ id }) => id);

describe('the source of a conversation', () => {
  it('is stored as given, can be filtered by, and is email by default', async () => {
    await batch(conversation('t-1', { source: 'integration:intercom:ins_1' }), conversation('t-2'));
    expect(await ids({ source: 'integration:intercom:ins_1' })).toEqual(['t-1']);
    expect(await ids({ source: 'email' })).toEqual(['t-2']);
    // Without a source, the stored source is kept. A given source replaces it.
    expect(await batch(conversation('t-1'))).toMatchObject({ unchanged: 1 });
    expect(await batch(conversation('t-1', { source: 'chat' }))).toMatchObject({ updated: 1 });
    expect((await get('t-1')).conversation.source).toBe('chat');
    expect(
      await reason(contract.ingestBatch, org, {
        body: { conversations: [conversation('t', { source: '' })] },
      }),
    ).toBe('invalid-input');
  });

  it('is the installation of the integration that ingested the conversation', async () => {
    await publish(world, 'desk', { scopes: ['conversations:ingest'] });
    const { id } = await install(world, 'desk');
    const at = { params: { integrationName: 'desk', installationId: id } };
    const { token } = await world.as('admin').call(createToken, at);
    await embeddedApi(world.core, { kind: 'token', token }).call(contract.ingestConversations, {
      params: org,
      body: [conversation('t-1'), conversation('t-2', { source: 'chat' })],
    });
    expect(await ids({ source: `integration:desk:${id}` })).toEqual(['t-1']);
    expect(await ids({ source: 'chat' })).toEqual(['t-2']);
  });
});

describe('conversations', () => {
  it('are ingested one at a time or as an array, and returned with their messages', async () => {
    const metadata = {
      url: 'https://support.example.com/t/1',
      attributes: { channel: 'chat' },
      createdAt: '2025-11-03T10:00:00.000Z',
    };
    const given = conversation('t-1', { subject: 'Where?', metadata });
    expect(await ingest(given)).toBeUndefined();
    await ingest([conversation('t-2'), conversation('t-3')]);
    expect(await get('t-1')).toEqual({
      conversation: {
        object: 'conversation',
        id: 't-1',
        subject: 'Where?',
        createdAt: metadata.createdAt,
        source: 'email',
        urls: { location: 'http://localhost:8080/v1/orgs/org_acme/conversations/t-1', source: metadata.url },
      },
      parts: given.parts,
      metadata,
    });
    const plain = await get('t-2');
    expect(plain.metadata).toEqual({});
    expect(plain.conversation.createdAt.slice(0, 10)).toBe('2026-01-05');
    expect(await ids()).toEqual(['t-1', 't-2', 't-3']);
  });

  it('are listed by source, in pages', async () => {
    await batch(...['a', 'b', 'c'].map((id) => conversation(id)));
    const source = 'integration:slack:ins_1';
    await world.core.store.write((tx) =>
      tx.update(conversations, conversationId(world.org, 'b'), { source }),
    );
    expect(await ids({ source })).toEqual(['b']);
    expect(await ids({ source: 'email' })).toEqual(['a', 'c']);
    expect(await ids({ source: 'fax' })).toEqual([]);
    const first = await call(contract.listConversations, org, { query: { limit: 2 } });
    expect(first.count).toBe(3);
    expect(await ids({ limit: 2, page: first.next!.page })).toEqual(['c']);
  });

  it('are reported as unchanged if they are ingested again with the same content', async () => {
    expect(await batch(conversation('a'), conversation('b', { subject: 'B' }))).toEqual({
      created: 2,
      updated: 0,
      unchanged: 0,
    });
    const before = await get('a');
    expect(
      await batch(conversation('a'), conversation('b', { subject: 'Other' }), conversation('c')),
    ).toEqual({ created: 1, updated: 1, unchanged: 1 });
    expect(await get('a')).toEqual(before);
    expect((await get('b')).conversation.subject).toBe('Other');
    expect(await batch()).toEqual({ created: 0, updated: 0, unchanged: 0 });
    expect(await batch(conversation('d'), conversation('d'), conversation('d', { subject: 'D' }))).toEqual({
      created: 1,
      updated: 1,
      unchanged: 1,
    });
    expect((await call(contract.listConversations, org)).count).toBe(4);
  });

  it('are replaced by new content, keep createdAt, and are analyzed again', async () => {
    await ingest(
      conversation('a', {
        subject: 'A',
        metadata: { attributes: { channel: 'chat' }, createdAt: '2025-11-03T10:00:00.000Z' },
      }),
    );
    await ingest(conversation('b'));
    const began = (await get('b')).conversation.createdAt;
    await world.core.store.write((tx) =>
      tx.update(conversations, conversationId(world.org, 'a'), {
        processedAt: '2026-01-05T10:00:00.000Z',
        impact: 'high',
      }),
    );
    expect((await get('a')).conversation).toMatchObject({
      processedAt: '2026-01-05T10:00:00.000Z',
      impact: 'high',
    });
    world.pass(60_000);
    await ingest([
      conversation('a', { metadata: { url: 'not a link' } }),
      conversation('b', { subject: 'B' }),
    ]);
    const { conversation: shown, metadata } = await get('a');
    expect(shown).toEqual({
      object: 'conversation',
      id: 'a',
      createdAt: '2025-11-03T10:00:00.000Z',
      source: 'email',
      urls: { location: expect.any(String) },
    });
    expect(metadata).toEqual({ url: 'not a link', createdAt: '2025-11-03T10:00:00.000Z' });
    expect((await get('b')).conversation).toMatchObject({ subject: 'B', createdAt: began });
  });

  it('have their times stored in UTC, so that they sort as text', async () => {
    await ingest(conversation('a', { metadata: { createdAt: '2026-02-01T01:30:00+02:00' } }));
    expect((await get('a')).conversation.createdAt).toBe('2026-01-31T23:30:00.000Z');
    expect((await get('a')).metadata).toEqual({ createdAt: '2026-01-31T23:30:00.000Z' });
    expect(await batch(conversation('a', { metadata: { createdAt: '2026-02-01T01:30:00+02:00' } }))).toEqual({
      created: 0,
      updated: 0,
      unchanged: 1,
    });
    await ingest(conversation('b', { metadata: { createdAt: '2026-02-01T01:30:00Z' } }));
    expect((await get('b')).conversation.createdAt).toBe('2026-02-01T01:30:00Z');
  });

  it('of different organizations can have the same ID', async () => {
    await ingest(conversation('a', { subject: 'ours' }));
    await call(
      contract.ingestBatch,
      { organizationId: world.otherOrg },
      { body: { conversations: [conversation('a', { subject: 'theirs' })] } },
      'outsider',
    );
    expect((await get('a')).conversation.subject).toBe('ours');
    expect(
      (
        await call(
          contract.getConversation,
          { organizationId: world.otherOrg, conversationId: 'a' },
          {},
          'outsider',
        )
      ).conversation.subject,
    ).toBe('theirs');
    expect(await reason(contract.getConversation, { ...org, conversationId: 'absent' })).toBe('not-found');
  });

  it('can have any ID that can be part of a URL', async () => {
    for (const id of ['a/b?c#d', 'über 1', '…', 'x'.repeat(255), 'a.b', '__proto__', '%2e']) {
      await ingest(conversation(id));
      expect((await get(id)).conversation).toMatchObject({
        id,
        urls: { location: `http://localhost:8080/v1/orgs/org_acme/conversations/${encodeURIComponent(id)}` },
      });
    }
    for (const id of ['', '.', '..', 'a\nb', 'x'.repeat(256)])
      expect(
        await reason(contract.ingestBatch, org, { body: { conversations: [conversation(id)] } }),
        id,
      ).toBe('invalid-input');
  });

  it('are refused as a whole batch if one is invalid, with the path of each error', async () => {
    const part = { type: 'message', role: 'robot', body: 'x' };
    const attributes = { 'a\nb': 5 };
    const wrong = [
      conversation('fine'),
      conversation('a', { subject: 'x'.repeat(513), parts: [part] }),
      conversation('b', { metadata: { attributes, createdAt: 'today' } }),
      conversation('c', { impact: 'high' }),
    ];
    const { violations } = await refusal(contract.ingestBatch, org, { body: { conversations: wrong } });
    const at = '/body/conversations/';
    expect(violations.map(({ path }) => path).sort()).toEqual(
      [
        `${at}1/parts/0/role`,
        `${at}1/subject`,
        `${at}2/metadata/attributes/a\nb`,
        `${at}2/metadata/createdAt`,
        `${at}3/impact`,
      ].sort(),
    );
    expect(await reason(contract.ingestConversations, org, { body: wrong })).toBe('invalid-input');
    expect(await reason(contract.ingestConversations, org, { body: { id: 'a' } })).toBe('invalid-input');
    const many = Array.from({ length: 501 }, (_, index) => conversation(String(index)));
    expect(await reason(contract.ingestConversations, org, { body: many })).toBe('invalid-input');
    expect(await ids()).toEqual([]);
    expect(await reason(contract.ingestConversations, org, { body: many.slice(1) })).toBe('done');
  });

  it('can have at most 2 MB of text, counted in bytes', async () => {
    const long = (bytes: number, letter = 'x') =>
      conversation('a', {
        parts: [{ type: 'message', role: 'user', body: letter.repeat(bytes / Buffer.byteLength(letter)) }],
      });
    expect(
      await refusal(contract.ingestBatch, org, {
        body: { conversations: [conversation('b'), { ...long(maxBytes), subject: 'x' }] },
      }),
    ).toMatchObject({
      reason: 'too-large',
      violations: [{ path: '/body/conversations/1' }],
    });
    expect(await refusal(contract.ingestConversations, org, { body: long(maxBytes + 2, 'é') })).toMatchObject(
      { reason: 'too-large', violations: [{ path: '/body' }] },
    );
    expect(await ids()).toEqual([]);
    expect(await batch(long(maxBytes))).toMatchObject({ created: 1 });
  });

  it('check the role of the caller, and are not found by outsiders', async () => {
    await ingest(conversation('a'));
    const table = [];
    for (const who of everybody) {
      table.push([
        who,
        await reason(contract.listConversations, org, {}, who),
        await reason(contract.getConversation, { ...org, conversationId: 'a' }, {}, who),
        await reason(contract.ingestConversations, org, { body: [] }, who),
        await reason(contract.ingestBatch, org, { body: { conversations: [] } }, who),
      ]);
    }
    expect(table).toEqual([
      ...['admin', 'create'].map((who) => [who, 'done', 'done', 'done', 'done']),
      ...['review', 'edit', 'comment', 'read'].map((who) => [who, 'done', 'done', 'forbidden', 'forbidden']),
      ['guest', 'forbidden', 'forbidden', 'forbidden', 'forbidden'],
      ['outsider', 'not-found', 'not-found', 'not-found', 'not-found'],
      ['nobody', 'unauthenticated', 'unauthenticated', 'unauthenticated', 'unauthenticated'],
    ]);
  });
});
