import { beforeEach, describe, expect, test } from 'vitest';
import { signVisitorToken } from '../../support/sign-visitor-token.ts';
import { jobs } from '../../../src/core/rows/jobs.ts';
import { collectRows } from '../../../src/core/store.ts';
import { runDueJobs } from '../../../src/core/workers.ts';
import { updateAdaptiveSchema } from '../../../src/resources/site-adaptive-schema/contract.ts';
import * as contract from '../../../src/resources/site-insights/contract.ts';
import { removeExcess } from '../../../src/resources/site-insights/retention.ts';
import { siteEvents } from '../../../src/resources/site-insights/rows.ts';
import { regeneratePublishingAuth } from '../../../src/resources/site-publishing-auth/contract.ts';
import { createShareLink } from '../../../src/resources/site-share-links/contract.ts';
import { deleteSite } from '../../../src/resources/sites/contract.ts';
import { createSitesWorld, type SitesWorld } from '../sites/support.ts';
import { siteEvent } from './support.ts';

let world: SitesWorld;
let site: string;
beforeEach(async () => {
  world = await createSitesWorld();
  site = await world.site('Docs', await world.space('Guide'));
});

const track = (...events: object[]) => world.call(contract.trackSiteEvents, { siteId: site }, { events });
const refuse = (event: object) =>
  world.refusal(contract.trackSiteEvents, { siteId: site }, { events: [event] });
const aggregate = async (query: object) => {
  const body = { range: 'last30Days', ...query };
  const { columns } = await world.call(contract.aggregateSiteEvents, { siteId: site }, body);
  return Object.fromEntries(columns.map(({ column, values }) => [column, values]));
};
const by = (column: string, more: object = {}) =>
  aggregate({ groupBy: [{ column }], select: [{ column }, { column: 'eventsCount' }], ...more });
const refuseQuery = (body: object) =>
  world.refusal(contract.aggregateSiteEvents, { siteId: site }, { range: 'last7Days', ...body });
const rows = () => world.core.store.read((view) => collectRows(view, siteEvents, 'bySite', [site]));

describe('the stored data of a visitor', () => {
  test('contains no IP address, cookies, tokens, IDs or user agent', async () => {
    await track(
      siteEvent({
        visitorId: 'visitor-secret-1',
        sessionId: 'session-secret-2',
        cookies: { session: 'cookie-secret-3' },
        ip: '203.0.113.77',
        userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/141.0 Safari/537.36 ua-secret-4',
        visitorAuthToken: 'token-secret-5',
        visitorAuthClaims: { email: 'claim-secret-6' },
        referrer: 'https://example.org/from?q=referrer-secret-7',
        url: 'https://docs.example.com/page?token=url-secret-8&utm_source=mail#fragment-secret-9',
      }),
    );
    const stored = JSON.stringify(await rows());
    expect(stored).not.toMatch(/secret|203\.0\.113/);
    expect((await rows())[0]).toMatchObject({
      url: 'https://docs.example.com/page',
      referrer: 'https://example.org/from',
      utm: { source: 'mail' },
      browser: 'chrome',
      os: 'linux',
      isAuthenticated: true,
    });
  });

  test('replaces private data in searches and comments by its kind', async () => {
    await track(
      siteEvent({}, { type: 'search_type_query', query: 'invoice for ana@example.com' }),
      siteEvent(
        {},
        {
          type: 'page_post_feedback_comment',
          feedback: { rating: 'bad', comment: 'Call me: +49 30 901820' },
        },
      ),
    );
    expect((await by('eventSearchQuery')).eventSearchQuery).toContain('invoice for [email]');
    expect((await by('eventPageFeedbackComment')).eventPageFeedbackComment).toContain('Call me: [phone]');
  });

  test('has a different digest of the visitor on each site', async () => {
    await track(siteEvent({}));
    const other = await world.site('Help');
    await world.call(contract.trackSiteEvents, { siteId: other }, { events: [siteEvent({})] });
    const [there] = await world.core.store.read((view) => collectRows(view, siteEvents, 'bySite', [other]));
    expect(there!.visitor).not.toBe((await rows())[0]!.visitor);
  });

  test('contains the ID of a share link, not its key', async () => {
    const { id, urls } = await world.call(createShareLink, { siteId: site }, { name: 'Friends' });
    const key = urls.published!.split('/').findLast((part) => part !== '')!;
    await track(siteEvent({ url: `${urls.published}guide`, siteShareKey: key }));
    expect(JSON.stringify(await rows())).not.toContain(key);
    expect(await by('siteShareKey')).toMatchObject({ siteShareKey: [id] });
    expect((await by('urlPath')).urlPath).toEqual([`/sites/acme/docs/${id}/guide`]);
    expect((await refuse(siteEvent({ siteShareKey: 'nobody-has-this' }))).message).toBe(
      'The site "Docs" has no share link with this key.',
    );
  });

  test('contains only claims that the adaptive schema declares', async () => {
    const claims = { plan: 'pro', email: 'ana@example.com' };
    await track(siteEvent({ visitorAuthClaims: claims }));
    await world.call(
      updateAdaptiveSchema,
      { siteId: site },
      {
        jsonSchema: {
          type: 'object',
          properties: { plan: { type: 'string', description: 'The plan', enum: ['pro', 'free'] } },
          additionalProperties: false,
        },
      },
    );
    await track(
      siteEvent({ visitorAuthClaims: claims }),
      siteEvent({ visitorId: 'other', visitorAuthClaims: claims }),
      siteEvent({ visitorAuthClaims: { plan: 'unknown' } }),
    );
    const { items, count } = await world.call(contract.listVisitorSegments, { siteId: site });
    expect(count).toBe(2);
    expect(items).toEqual([
      { title: 'plan: pro', claims: { plan: 'pro' }, events: 2, visitors: 2, sessions: 1 },
      { title: 'No claims', claims: {}, events: 2, visitors: 1, sessions: 1 },
    ]);
    const first = await world.call(contract.listVisitorSegments, { siteId: site }, undefined, { limit: 1 });
    expect(first.items.map(({ title }) => title)).toEqual(['plan: pro']);
    const next = await world.call(contract.listVisitorSegments, { siteId: site }, undefined, {
      page: first.next!.page,
    });
    expect(next.items.map(({ title }) => title)).toEqual(['No claims']);
    const column = { column: 'visitorClaim', claim: 'plan' };
    expect(
      await aggregate({ groupBy: [column], order: { by: { column: 'eventsCount' }, direction: 'desc' } }),
    ).toEqual({
      visitorClaim: ['', 'pro'],
      eventsCount: [2, 2],
      visitorsCount: [1, 2],
      sessionsCount: [1, 1],
    });
  });
});

describe('the visitor token of an event', () => {
  const plan = { column: 'visitorClaim', claim: 'plan' };
  const groups = async (session: object) => {
    await track(siteEvent(session as Record<string, unknown>));
    return aggregate({ groupBy: [plan, { column: 'visitorAuthenticated' }], select: [plan] });
  };

  test('adds its claims if the site accepts it and the event has no claims of its own', async () => {
    const properties = { plan: { type: 'string', description: 'The plan', enum: ['pro', 'free'] } };
    const jsonSchema = { type: 'object', properties, additionalProperties: false };
    await world.call(updateAdaptiveSchema, { siteId: site }, { jsonSchema });
    const { privateKey } = await world.call(regeneratePublishingAuth, { siteId: site });
    const sign = (seconds: number, key = privateKey) =>
      signVisitorToken({ plan: 'pro' }, key, Math.floor(world.core.clock() / 1000) + seconds);
    expect(await groups({ visitorAuthToken: await sign(-60) })).toEqual({ visitorClaim: [''] });
    expect(await groups({ visitorAuthToken: await sign(60, 'x'.repeat(40)) })).toEqual({
      visitorClaim: [''],
    });
    expect(await groups({ visitorAuthToken: await sign(60) })).toEqual({ visitorClaim: ['', 'pro'] });
    const claims = { visitorAuthToken: await sign(60), visitorAuthClaims: { plan: 'free' } };
    expect(await groups(claims)).toEqual({ visitorClaim: ['', 'free', 'pro'] });
  });
});

describe('an event is refused', () => {
  test.each([
    [
      { type: 'search_type_query' },
      '/body/events/0/query',
      'An event of the type search_type_query needs "query".',
    ],
    [{ type: 'link_click' }, '/body/events/0/link', 'An event of the type link_click needs "link".'],
    [
      { type: 'page_post_feedback_comment', feedback: { rating: 'ok' } },
      '/body/events/0/feedback/comment',
      'An event of the type page_post_feedback_comment needs a comment.',
    ],
    [
      { timestamp: '2030-01-01T00:00:00Z' },
      '/body/events/0/timestamp',
      'The event happened in the future: 2030-01-01T00:00:00Z.',
    ],
    [{ type: 'page_veiw' }, '/body/events/0/type', 'must be one of: page_view'],
    [
      { type: 'page_view', goal: 'Set up a server' },
      '/body/events/0/goal',
      'An event of the type page_view does not have the field "goal".',
    ],
    [
      {
        type: 'llms_request',
        llmsVariant: 'full',
        ad: { domain: 'a.test', zoneId: 'z', placement: 'aside' },
      },
      '/body/events/0/ad',
      'An event of the type llms_request does not have the field "ad".',
    ],
  ])('%o', async (more, path, message) => {
    const refused = await refuse(siteEvent({}, more));
    expect(refused.paths).toContain(path);
    expect(refused.message).toContain(message);
  });

  test('with a section of another site, and no event of the request is stored', async () => {
    const other = await world.site('Help');
    const section = await world.section(other, 'Guides');
    const refused = await world.refusal(
      contract.trackSiteEvents,
      { siteId: site },
      { events: [siteEvent({}), siteEvent({ siteSection: section })] },
    );
    expect(refused.reason).toBe('not-found');
    expect(await rows()).toEqual([]);
  });
});

describe('an aggregation', () => {
  const at = (timestamp: string, session: Record<string, unknown> = {}, more: object = {}) =>
    siteEvent(session, { timestamp, ...more });

  test('counts events, visitors and sessions in one row without groups, even if there are none', async () => {
    expect(await aggregate({})).toEqual({ eventsCount: [0], visitorsCount: [0], sessionsCount: [0] });
    await track(
      siteEvent({}),
      siteEvent({ sessionId: 's2' }),
      siteEvent({ visitorId: 'v2', sessionId: 's3' }),
    );
    expect(await aggregate({})).toEqual({ eventsCount: [3], visitorsCount: [2], sessionsCount: [3] });
  });

  test.each([
    ['hour', ['2025-12-30T10:00:00.000Z', '2025-12-30T11:00:00.000Z', '2026-01-01T00:00:00.000Z'], [2, 1, 1]],
    ['day', ['2025-12-30T00:00:00.000Z', '2026-01-01T00:00:00.000Z'], [3, 1]],
    ['week', ['2025-12-29T00:00:00.000Z'], [4]],
    ['month', ['2025-12-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'], [3, 1]],
  ])('groups by %s in UTC', async (interval, starts, counts) => {
    await track(
      at('2025-12-30T10:10:00Z'),
      at('2025-12-30T12:59:59+02:00'),
      at('2025-12-30T12:00:00+01:00'),
      at('2026-01-01T00:00:00Z'),
    );
    const column = { column: 'datetime', interval };
    expect(await aggregate({ groupBy: [column], select: [column, { column: 'eventsCount' }] })).toEqual({
      datetime: starts,
      eventsCount: counts,
    });
  });

  test('groups by the day of the week and the hour', async () => {
    // A Sunday and a Monday.
    await track(at('2026-01-04T23:00:00Z'), at('2026-01-05T01:00:00Z'));
    expect(await by('dayOfWeek')).toEqual({ dayOfWeek: [1, 7], eventsCount: [1, 1] });
    expect(await by('hourOfDay')).toEqual({ hourOfDay: [1, 23], eventsCount: [1, 1] });
  });

  test('groups by columns of a single event type', async () => {
    await track(
      siteEvent(
        {},
        {
          type: 'link_click',
          link: { target: { kind: 'url', url: 'https://example.org/x?secret=1' }, position: 'header' },
        },
      ),
      siteEvent({}, { type: 'api_client_request', operation: { path: '/pets', method: 'GET' } }),
      siteEvent({}, { type: 'search_open_result', query: 'pets', result: { recordId: 'r1' } }),
      siteEvent({}, { type: 'llms_request', llmsVariant: 'full' }),
      siteEvent({}, { type: 'trademark_click', placement: 'footer' }),
    );
    expect((await by('eventLinkTargetDomain')).eventLinkTargetDomain).toEqual([null, 'example.org']);
    expect((await by('eventLinkTargetValue')).eventLinkTargetValue).toEqual([
      null,
      { kind: 'url', url: 'https://example.org/x' },
    ]);
    expect((await by('eventLinkPosition')).eventLinkPosition).toEqual([null, 'header']);
    expect((await by('eventAPIOperationPath')).eventAPIOperationPath).toEqual([null, '/pets']);
    expect((await by('eventAPIOperationMethod')).eventAPIOperationMethod).toEqual([null, 'get']);
    expect((await by('eventSearchQuery')).eventSearchQuery).toEqual(['', 'pets']);
    await track(
      siteEvent({}, { type: 'ask_question', query: 'How?', goal: 'Set up a server' }),
      siteEvent({}, { type: 'search_open_result', query: 'pets', result: { spaceId: 's', pageId: 'p' } }),
    );
    expect((await by('eventSearchQuery')).eventSearchQuery).toEqual(['', 'How?', 'pets']);
    const opened = { where: [{ column: 'eventType', values: ['search_open_result'] }] };
    expect((await by('eventLinkTargetValue', opened)).eventLinkTargetValue).toEqual([
      null,
      { kind: 'page', space: 's', page: 'p' },
    ]);
    expect((await by('eventSearchResultRecordId')).eventSearchResultRecordId).toEqual([null, 'r1']);
    expect((await by('eventLLMSVariant')).eventLLMSVariant).toEqual([null, 'full']);
    expect((await by('eventTrademarkPlacement')).eventTrademarkPlacement).toEqual([null, 'footer']);
    expect((await by('visitorGeoCountry')).visitorGeoCountry).toEqual([null]);
  });

  test('counts ratings by value, but not again for a comment', async () => {
    const rate = (rating: string) => siteEvent({}, { type: 'page_post_feedback', feedback: { rating } });
    await track(
      rate('good'),
      rate('good'),
      rate('bad'),
      siteEvent({}, { type: 'page_post_feedback_comment', feedback: { rating: 'bad', comment: 'Why?' } }),
      siteEvent({}, { type: 'ask_rate_response', query: 'q', rating: -1, responseId: 'r' }),
    );
    const select = [{ column: 'pageFeedbackRating' }, { column: 'askResponseRating' }];
    expect(await aggregate({ select })).toEqual({
      pageFeedbackRating: [{ ok: 0, good: 2, bad: 1 }],
      askResponseRating: [{ positive: 0, negative: 1 }],
    });
  });

  test('counts only the last rating that a visitor gave an answer', async () => {
    const rate = (rating: number, responseId: string, visitorId = 'v1') =>
      siteEvent({ visitorId }, { type: 'ask_rate_response', query: 'q', rating, responseId });
    await track(rate(-1, 'r1'), rate(1, 'r1'), rate(1, 'r2'), rate(-1, 'r1', 'v2'));
    expect(await aggregate({ select: [{ column: 'askResponseRating' }] })).toEqual({
      askResponseRating: [{ positive: 2, negative: 1 }],
    });
  });

  test('sorts and limits its rows', async () => {
    await track(
      siteEvent({ url: 'https://docs.example.com/b' }),
      siteEvent({ url: 'https://docs.example.com/a' }),
      siteEvent({ url: 'https://docs.example.com/b' }),
    );
    expect((await by('urlPath')).urlPath).toEqual(['/a', '/b']);
    const order = { by: { column: 'eventsCount' }, direction: 'desc' };
    expect(await by('urlPath', { order })).toEqual({ urlPath: ['/b', '/a'], eventsCount: [2, 1] });
    expect(await by('urlPath', { order, limit: 1 })).toEqual({ urlPath: ['/b'], eventsCount: [2] });
  });

  test('finds events without a page by null', async () => {
    await track(
      siteEvent({}),
      siteEvent({ space: 'spc_1', page: 'pg_1', url: 'https://docs.example.com/one' }),
    );
    const where = [{ column: 'page', values: [null] }];
    expect(await by('urlPath', { where })).toEqual({ urlPath: ['/page'], eventsCount: [1] });
    const found = [{ column: 'page', values: [{ space: 'spc_1', page: 'pg_1' }] }];
    expect(await by('urlPath', { where: found })).toEqual({ urlPath: ['/one'], eventsCount: [1] });
    const others = [{ column: 'page', values: [null], operator: 'notIn' }];
    expect(await by('urlPath', { where: others })).toEqual({ urlPath: ['/one'], eventsCount: [1] });
  });

  test('filters by times and numbers, and by counts of groups', async () => {
    await track(at('2026-01-02T10:00:00Z'), at('2026-01-03T10:00:00Z'), at('2026-01-03T11:00:00Z'));
    const since = (operator: string, value: unknown, column = 'datetime') => ({
      where: [{ column, values: [value], operator }],
    });
    const count = async (query: object) => (await aggregate(query)).eventsCount;
    expect(await count(since('greaterThan', '2026-01-03T11:00:00+01:00'))).toEqual([1]);
    expect(await count(since('greaterThanOrEqual', '2026-01-03T10:00:00Z'))).toEqual([2]);
    expect(await count(since('lessThan', 11, 'hourOfDay'))).toEqual([2]);
    expect(await count(since('lessThanOrEqual', 11, 'hourOfDay'))).toEqual([3]);
    const day = { column: 'datetime', interval: 'day' };
    expect((await aggregate({ groupBy: [day], ...since('greaterThan', 1, 'eventsCount') })).datetime).toEqual(
      ['2026-01-03T00:00:00.000Z'],
    );
  });

  test('includes the start of a range but not its end', async () => {
    await track(at('2026-01-02T10:00:00Z'), at('2026-01-03T10:00:00Z'));
    const range = { from: '2026-01-02T10:00:00Z', to: '2026-01-03T10:00:00Z' };
    expect((await aggregate({ range })).eventsCount).toEqual([1]);
    expect((await aggregate({ range: 'last24Hours' })).eventsCount).toEqual([0]);
    expect((await aggregate({ range: 'lastYear' })).eventsCount).toEqual([2]);
  });

  test.each([
    [{ groupBy: [{ column: 'eventsCount' }] }, '/body/groupBy/0/column'],
    [{ groupBy: [{ column: 'visitorClaim' }] }, '/body/groupBy/0'],
    [{ select: [{ column: 'url' }] }, '/body/select/0'],
    [{ groupBy: [{ column: 'url', precision: 3 }] }, '/body/groupBy/0/precision'],
    [{ groupBy: [{ column: 'url', interval: 'day' }] }, '/body/groupBy/0/interval'],
    [{ select: [{ column: 'eventsCount', claim: 'plan' }] }, '/body/select/0/claim'],
    [{ where: [{ column: 'url', values: [], claim: 'plan' }] }, '/body/where/0/claim'],
    [
      {
        groupBy: [{ column: 'visitorGeoPoint', precision: 3 }],
        select: [{ column: 'visitorGeoPoint', precision: 5 }],
      },
      '/body/select/0',
    ],
    [
      {
        groupBy: [{ column: 'datetime', interval: 'day' }],
        order: { by: { column: 'datetime', interval: 'hour' }, direction: 'asc' },
      },
      '/body/order/by',
    ],
    [{ where: [{ column: 'hourOfDay', values: [1, 2], operator: 'lessThan' }] }, '/body/where/0/values'],
    [{ range: { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' } }, '/body/range'],
    [{ range: 'lastDecade' }, '/body/range'],
  ])('is refused with %o', async (query, path) => {
    expect((await refuseQuery(query)).paths).toContain(path);
  });
});

describe('events are removed', () => {
  const run = () => runDueJobs(world.core, { kind: 'site-events', signal: new AbortController().signal });
  const day = 24 * 60 * 60 * 1000;

  test('after 400 days, and older ones are not stored', async () => {
    await track(
      siteEvent({}, { timestamp: '2024-11-01T00:00:00Z' }),
      siteEvent({}, { timestamp: '2025-12-01T00:00:00Z' }),
    );
    expect(await rows()).toHaveLength(1);
    await track(siteEvent({}));
    await run();
    expect(await rows()).toHaveLength(2);
    world.pass(366 * day);
    await run();
    expect(await rows()).toHaveLength(1);
    world.pass(40 * day);
    await run();
    expect(await rows()).toEqual([]);
    expect(await world.core.store.read((view) => view.get(jobs, `site-events.${site}`))).toBeUndefined();
  });

  test('oldest first if there are too many', async () => {
    await track(...['03', '01', '02'].map((at) => siteEvent({}, { timestamp: `2026-01-${at}T00:00:00Z` })));
    await world.core.store.write((tx) => removeExcess(tx, site, 2));
    expect((await rows()).map(({ at }) => at.slice(0, 10))).toEqual(['2026-01-02', '2026-01-03']);
  });

  test('when their site is deleted', async () => {
    await track(siteEvent({}), siteEvent({}));
    await world.call(deleteSite, { siteId: site });
    await run();
    expect(await rows()).toEqual([]);
  });
});
