import { beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../../src/contract/api.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { embeddedApi, type Core } from '../../src/core/embedded.ts';
import { auditEvents, type AuditEventRow } from '../../src/core/rows/audit-events.ts';
import { organizations } from '../../src/core/rows/organizations.ts';
import { collectRows, type ReadTransaction } from '../../src/core/store.ts';
import { trustDomains } from '../support/trust-domains.ts';
import { tables } from '../../src/resources/tables.ts';
import { Problem } from '../../src/errors/problem.ts';
import { createWorld, type Who, type World } from '../support/world.ts';
import { inputOf } from './bodies.ts';
import { furnish, paramsOf, type Ids } from './furnished.ts';
import { allOperations, outcomeOf, type Given } from './operations.ts';

const operations = await allOperations();
const canary = 'canary-3b9d71';

/** Operations that write, but record no audit event, with the reason. */
const silent: Readonly<Record<string, string>> = {
  'orgs.ping': 'it records when a member was last seen',
  'sites.preview-links.create': 'the event is written when the link is opened',
  'users.sign-in-links': 'the event is written when the link is opened',
};

/** Calls whose usual input would change nothing in the furnished world. */
const calls: Readonly<
  Record<string, (ids: Ids) => { who?: Who; params?: Record<string, string>; body?: unknown }>
> = {
  'orgs.join': () => ({ who: 'outsider' }),
  'invites.accept': () => ({ who: 'outsider' }),
  'members.update': ({ colleagueId }) => ({ params: { userId: colleagueId! }, body: { role: 'edit' } }),
  'teams.members.add': ({ colleagueId }) => ({ params: { userId: colleagueId! } }),
  'teams.members.update': ({ colleagueId }) => ({ body: { add: [colleagueId] } }),
  'integrations.enable-dev': () => ({ body: { tunnelUrl: `https://tunnel.example/?key=${canary}` } }),
  'openapi.update': () => ({ body: { visibility: 'private' } }),
  'translations.update': () => ({
    body: { instructions: { object: 'document', data: {}, nodes: [{ object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: canary, marks: [] }] }] }] } }, // prettier-ignore
  }),
  'change-requests.reviewers.request': () => ({ body: { users: ['usr_review'] } }),
  'spaces.content.apply-template': ({ freeSpaceId, spaceId }) => ({
    params: { spaceId: freeSpaceId! },
    body: { id: spaceId },
  }),
  'sites.publish': ({ freeSiteId }) => ({ params: { siteId: freeSiteId! } }),
  // These contain secrets.
  'change-requests.comments.create': () => ({ body: { body: { markdown: canary } } }),
  'change-requests.content.batch': () => ({
    body: { changes: [{ operation: 'insert_page', title: 'New', document: { markdown: canary } }] },
  }),
  'integrations.installations.update': () => ({ body: { configuration: { key: canary } } }),
  'openapi.create': () => ({
    body: { slug: 'new', source: { url: `https://spec.example/openapi.json?key=${canary}` } },
  }),
};

async function eventsIn(view: ReadTransaction): Promise<AuditEventRow[]> {
  const all = await collectRows(view, organizations, 'all', []);
  const lists = await Promise.all(all.map(({ id }) => collectRows(view, auditEvents, 'byTime', [id])));
  return lists.flat();
}

/** Returns a core that undoes each write after it has collected the new events. */
function observed(core: Core, seen: AuditEventRow[]): Core {
  const { store } = core;
  const undo = new Error('undone');
  const write = async <T>(work: Parameters<typeof store.write<T>>[0]): Promise<T> => {
    let result: { readonly answer: T } | undefined;
    await store
      .write(async (tx) => {
        const before = new Set((await eventsIn(tx)).map(({ hash }) => hash));
        result = { answer: await work(tx) };
        seen.push(...(await eventsIn(tx)).filter(({ hash }) => !before.has(hash)));
        throw undo;
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error;
      });
    return result!.answer;
  };
  return {
    ...core,
    store: { url: store.url, read: (work) => store.read(work), write, close: () => store.close() },
  };
}

interface Seen {
  readonly who: Who;
  readonly events: readonly AuditEventRow[];
  readonly answer: unknown;
}

const seenOf = new Map<string, Seen>();
let world: World;
let ids: Ids;

function givenTo(operation: Operation): Given & { readonly who: Who } {
  const { who = 'admin', params, body } = calls[operation.id]?.(ids) ?? {};
  const given = { params: { ...paramsOf(operation, ids), ...params }, ...inputOf(operation, ids) };
  return { who, ...given, ...(body === undefined ? {} : { body }) };
}

beforeAll(async () => {
  world = await createWorld('memory:', { sitesUrl: 'http://localhost:8081' });
  ids = await furnish(world, operations, 'admin', world.org);
  await prepare(world.as('admin'));
  for (const [id, { operation }] of operations) {
    const events: AuditEventRow[] = [];
    const { who, ...given } = givenTo(operation);
    const api = embeddedApi(observed(world.core, events), world.credential(who));
    const { reason, message, answer } = await outcomeOf(api, operation, given);
    // Blocks are rendered by a service that does not exist in this test.
    const ends = operation.safe ? ['done', 'unreachable'] : ['done'];
    expect(ends, `${id}: ${message}`).toContain(reason);
    seenOf.set(id, { who, events, answer });
  }
});

/** Prepares the world so that sync, restore and join change something. */
async function prepare(api: Api): Promise<void> {
  const call = async (id: string, body: unknown, more: Record<string, string> = {}) => {
    const { operation } = operations.get(id)!;
    const given = {
      params: { ...paramsOf(operation, ids), ...more },
      ...(body === undefined ? {} : { body }),
    };
    const outcome = await outcomeOf(api, operation, given);
    expect(outcome.reason, `${id}: ${outcome.message}`).toBe('done');
    return outcome.answer as { readonly id: string };
  };
  const page = { changes: [{ operation: 'insert_page', title: 'Added', document: {} }] };
  await call('change-requests.content.update', page);
  const { id: changeRequestId } = await call('change-requests.create', { subject: 'Other' });
  await call('change-requests.content.update', page, { changeRequestId });
  await call('change-requests.merge', undefined, { changeRequestId });
  await call('orgs.update', { emailDomains: ['acme.test', ids['emailDomain']] });
  await trustDomains(world.core);
  await call('sites.site-spaces.add', { spaceId: ids['spaceId'] }, { siteId: ids['freeSiteId']! });
}

const isChange = (operation: Operation) => !operation.safe && silent[operation.id] === undefined;
const byId = [...operations.values()].map(({ operation }) => [operation.id, operation] as const);

it.each(byId.filter(([, operation]) => !isChange(operation)))('%s records no audit event', (id) => {
  expect(seenOf.get(id)!.events).toEqual([]);
});

describe.each(byId.filter(([, operation]) => isChange(operation)))('%s', (id, operation) => {
  it('records one audit event in each organization that it changes', () => {
    const { events, who } = seenOf.get(id)!;
    expect(events.length).toBe(id.endsWith('.transfer') || id === 'users.update' ? 2 : 1);
    expect(new Set(events.map(({ organization }) => organization)).size).toBe(events.length);
    for (const event of events) {
      const user = world.user(who as 'admin');
      expect(event).toMatchObject({
        action: id,
        actor: user,
        who: { type: 'user', id: user, label: `${who}@acme.test` },
        source: 'script',
        payload: { origin: { kind: 'local' } },
      });
      expect(event.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      expect(event.target).toBe(event.what.id);
    }
  });

  it('records no audit event if it fails after writing', async () => {
    const { who, ...given } = givenTo(operation);
    const before = await world.core.store.read(eventsIn);
    const failing: Core = {
      ...world.core,
      handlerOf: async (one) => {
        const handler = await world.core.handlerOf(one);
        return async (context, input) => {
          await handler(context, input);
          throw new Problem('conflict', 'Too late.');
        };
      },
    };
    const outcome = await outcomeOf(embeddedApi(failing, world.credential(who)), operation, given);
    expect(outcome.message).toBe('Too late.');
    expect(await world.core.store.read(eventsIn)).toEqual(before);
  });

  it('records no audit event if it is refused', async () => {
    const events: AuditEventRow[] = [];
    const { who: _, ...given } = givenTo(operation);
    const api = embeddedApi(observed(world.core, events), world.credential('nobody'));
    expect((await outcomeOf(api, operation, given)).reason).toBe('unauthenticated');
    expect(events).toEqual([]);
  });
});

/** Tables whose changes no audit event shows, grouped by the reason. */
const unseen: Readonly<Record<string, readonly string[]>> = {
  'made by jobs': ['analysis_batches', 'analysis_states', 'conversation_issues', 'translation_memory'],
  'the content of revisions': ['blobs', 'content_nodes', 'sections'],
  'the state of the removal of content': [
    'content_collections',
    'content_loose_objects',
    'content_new_references',
  ],
  'records of the server': ['answers', 'audit_events', 'audit_heads', 'integration_events', 'settings'],
  'made and removed by themselves': [
    'app_sessions',
    'integration_tokens',
    'saml_assertions',
    'saml_codes',
    'sign_in_links',
  ],
  'what visitors do': ['site_events'],
  'copies of other rows': ['commenters', 'contributors', 'email_domains'],
};

it('each table declares how audit events show it, or is listed as not shown', () => {
  const undeclared = tables.filter(({ audit }) => audit === undefined).map(({ name }) => name);
  expect(undeclared.sort(), 'Wrap the table in `audited`, see CONTRIBUTING.md.').toEqual(
    Object.values(unseen).flat().sort(),
  );
});

it('the exceptions of this test name existing operations', () => {
  for (const id of [...Object.keys(silent), ...Object.keys(calls)]) expect(operations.has(id), id).toBe(true);
});

it('audit events have the values before and after, and belong to the right organization', () => {
  const [event] = seenOf.get('spaces.update')!.events;
  expect(event).toMatchObject({
    organization: 'org_acme',
    what: { type: 'space', id: ids['spaceId'], label: 'New' },
    payload: { change: 'updated', before: { title: 'Secret of org_acme' }, after: { title: 'New' } },
  });
  expect(Object.keys(event!.payload.after!)).toEqual(['title', 'mergeRules']);
  const transfer = seenOf.get('spaces.transfer')!.events.map(({ organization }) => organization);
  expect(transfer.sort()).toEqual([ids['secondOrganizationId'], 'org_acme'].sort());
});

/** The audit events of each operation, in a file that makes changes visible in a review. */
it('the audit events are those of audit.txt', async () => {
  const lines = [...seenOf].flatMap(([id, { events }]) =>
    events.slice(0, 1).map(({ what, payload: { change, before, after, related = [], counts } }) => {
      const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
      return [
        id.padEnd(40),
        what.type.padEnd(34),
        (change ?? 'requested').padEnd(9),
        [fields.join(' '), ...related.map((one) => `+${one.type}`), ...Object.keys(counts ?? {}).map((type) => `#${type}`)].filter((text) => text !== '').join('  '), // prettier-ignore
      ].join(' ').trimEnd(); // prettier-ignore
    }),
  );
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('audit.txt');
});

it('audit events name their target with a readable label', () => {
  const nameless = [...seenOf].flatMap(([id, { events }]) =>
    events.filter(({ what }) => what.label === undefined).map(({ what }) => `${id}: ${what.type}`),
  );
  expect(nameless).toEqual([]);
  const labelOf = (id: string): string | undefined => seenOf.get(id)?.events[0]?.what.label;
  expect(labelOf('spaces.permissions.set')).toBe('admin@acme.test: read on space Secret of org_acme');
  expect(labelOf('sites.permissions.update-team')).toBe(
    'Secret of org_acme: read on site Secret of org_acme',
  );
  expect(labelOf('teams.members.add')).toBe('colleague@acme.example as owner of team Secret of org_acme');
  expect(labelOf('translations.run')).toBe(labelOf('translations.delete'));
  expect(labelOf('jobs.retry')).toBe('translation');
  expect(labelOf('spaces.comments.create')).toMatch(/^comment of \S+ on space /);
  expect(labelOf('spaces.comments.replies.create')).toMatch(/^reply of \S+ on space /);
});

it('audit events contain no secrets and no texts', async () => {
  const secretsIn = (value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, inner]) =>
      typeof inner === 'string' && inner.length > 15 && /^(token|signingSecret|privateKey|key)$/.test(key)
        ? [inner]
        : secretsIn(inner),
    );
  };
  const secrets = [...seenOf.values()].flatMap(({ answer }) => secretsIn(answer));
  const inviteId = (seenOf.get('invites.create')!.answer as { readonly id: string }).id;
  const shareLink = seenOf.get('sites.share-links.create')!.answer as {
    readonly urls: { published: string };
  };
  const shareKey = new URL(shareLink.urls.published).pathname.split('/').filter((part) => part.length > 20);
  expect(secrets.length).toBeGreaterThan(3);
  expect(shareKey.length).toBeGreaterThan(0);
  const all = [...seenOf.values()].flatMap(({ events }) => events);
  const text = JSON.stringify([all, await world.core.store.read(eventsIn)]);
  for (const secret of [
    canary,
    inviteId,
    ids['inviteId']!,
    ...shareKey,
    ...secrets,
    ...['admin', 'read'].map((who) => world.token(who as 'admin')),
  ])
    // prettier-ignore
    expect(text.includes(secret), secret).toBe(false);
});
