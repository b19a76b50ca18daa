import { beforeAll, describe, expect, it } from 'vitest';
import { siteEvents } from '../../src/resources/site-insights/rows.ts';
import { aggregateSiteEvents } from '../../src/resources/site-insights/contract.ts';
import { replaceSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { createShareLink } from '../../src/resources/site-share-links/contract.ts';
import { updateSite } from '../../src/resources/sites/contract.ts';
import { createSitesServer } from '../../src/server/sites-app.ts';
import { VisitorNames } from '../../src/server/visitor-names.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

let site: PublishedSite;
const base = '/sites/acme/docs/';
type Fields = Readonly<Record<string, string>>;

/** Returns the form of a page, as a browser reads it. */
async function formOn(
  path: string,
): Promise<{ action: string; fields: Fields; values: string[] } | undefined> {
  const { body } = await site.visit(path);
  const form = /<form class="feedback" method="post" action="([^"]*)".*?<\/form>/s.exec(body);
  if (form === null) return undefined;
  const [html, action = ''] = form;
  const fields = [...html.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return {
    action,
    fields: Object.fromEntries(fields.map(([, name, value]) => [name, value])),
    values: [...html.matchAll(/name="rating" value="([^"]*)"/g)].map(([, value]) => value ?? ''),
  };
}
const send = (
  action: string,
  fields: Fields,
  headers: Fields = {},
  remoteAddress = '192.0.2.1',
  server = site.server,
) =>
  server.inject({
    method: 'POST',
    url: action,
    remoteAddress,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
const rows = () =>
  site.core.store.read((view) =>
    view.find(siteEvents, { index: 'bySite', equals: [site.site.siteId], limit: 1000 }),
  );

beforeAll(async () => {
  site = await publishedSite([
    { title: 'Start', text: 'Here.' },
    { title: 'Setup', text: 'Run it.' },
  ]);
});

describe('the feedback form', () => {
  it('is shown only if the customization enables it', async () => {
    expect(await formOn('setup')).toBeUndefined();
    const id = site.pages.get('Setup') ?? '';
    const none = await send(`${base}~gitbook/feedback`, { siteSpace: 'x', page: id, rating: 'good' });
    expect(none.statusCode).toBe(404);
    await site.call(replaceSiteCustomization, site.site, { body: { feedback: { enabled: true } } });
    const form = await formOn('setup');
    expect(form).toMatchObject({ action: `${base}~gitbook/feedback`, fields: { page: id } });
    expect(form?.values).toEqual(['good', 'ok', 'bad']);
  });

  it('is counted in the events of the site, without a script', async () => {
    const { action, fields } = (await formOn('setup')) ?? { action: '', fields: {} };
    const thanks = await send(action, { ...fields, rating: 'good' }, { 'user-agent': 'Firefox/140.0' });
    expect([thanks.statusCode, thanks.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(thanks.body).toContain('Thank you for your feedback.');
    expect(thanks.body).toContain(`href="${base}setup"`);
    await send(action, { ...fields, rating: 'good' }, { accept: 'application/json' }, '198.51.100.7');
    await send(action, { ...fields, rating: 'bad' }, {}, '198.51.100.7');
    const counted = await site.call(aggregateSiteEvents, site.site, {
      body: {
        range: 'last24Hours',
        groupBy: [{ column: 'eventPageFeedbackRating' }],
        select: [
          { column: 'eventPageFeedbackRating' },
          { column: 'eventsCount' },
          { column: 'visitorsCount' },
        ],
      },
    });
    expect(counted.columns.map(({ values }) => values)).toEqual([
      ['bad', 'good'],
      [1, 2],
      [1, 2],
    ]);
  });

  it('records nothing that identifies the reader', async () => {
    const [first, ...others] = await rows();
    expect(others).toHaveLength(2);
    expect(first).toMatchObject({
      type: 'page_post_feedback',
      url: `https://docs.test${base}setup`,
      page: site.pages.get('Setup'),
      browser: 'firefox',
      detail: { feedback: 'good' },
      isAuthenticated: false,
    });
    const text = JSON.stringify([first, ...others]);
    expect(text).not.toMatch(/192\.0\.2\.1|198\.51\.100\.7|claims|referrer|cookie/);
    expect(first?.visitor).not.toBe(others[0]?.visitor);
  });

  it('accepts a comment with the rating, and removes private data from it', async () => {
    const { action, fields } = (await formOn('setup')) ?? { action: '', fields: {} };
    expect((await site.visit('setup')).body).toContain('<textarea name="comment" maxlength="512"');
    const before = (await rows()).length;
    const long = `Write to ana@example.com. ${'設定'.repeat(300)}`;
    const sent = await send(action, { ...fields, rating: 'bad', comment: `  ${long}` }, {}, '192.0.2.77');
    expect(sent.statusCode).toBe(200);
    await send(action, { ...fields, rating: 'ok', comment: ' \n ' }, {}, '192.0.2.78');
    const added = (await rows()).slice(before);
    expect(added.map(({ type }) => type).sort()).toEqual([
      'page_post_feedback',
      'page_post_feedback',
      'page_post_feedback_comment',
    ]);
    const { columns } = await site.call(aggregateSiteEvents, site.site, {
      body: {
        range: 'last24Hours',
        groupBy: [{ column: 'eventPageFeedbackComment' }],
        select: [{ column: 'eventPageFeedbackComment' }, { column: 'eventsCount' }],
      },
    });
    const comments = columns[0]?.values.filter((value) => typeof value === 'string' && value !== '');
    expect(comments).toEqual([expect.stringMatching(/^Write to (?!ana@)\S+\.? 設定/)]);
  });

  it('does not record the key of a share link', async () => {
    await site.call(updateSite, site.site, { body: { visibility: 'share-link' } });
    const link = await site.call(createShareLink, site.site, { body: { name: 'Friends' } });
    const key = new URL(link.urls.published ?? '').pathname.split('/')[4] ?? '';
    const { action, fields } = (await formOn(`${key}/setup`)) ?? { action: '', fields: {} };
    expect(action).toBe(`${base}${key}/~gitbook/feedback`);
    expect((await send(action, { ...fields, rating: 'ok' })).statusCode).toBe(200);
    const last = (await rows()).at(-1);
    expect([last?.shareLink, JSON.stringify(last).includes(key)]).toEqual([link.id, false]);
    expect((await send(`${base}wrong/~gitbook/feedback`, { ...fields, rating: 'ok' })).statusCode).toBe(404);
    await site.call(updateSite, site.site, { body: { visibility: 'public' } });
  });

  it('refuses invalid ratings, unknown pages and requests from other sites', async () => {
    const { action, fields } = (await formOn('setup')) ?? { action: '', fields: {} };
    const before = (await rows()).length;
    const refused: readonly [Fields, Fields, number][] = [
      [{ ...fields, rating: 'great' }, {}, 400],
      [fields, {}, 400],
      [{ ...fields, rating: 'good' }, { 'content-type': 'text/plain' }, 400],
      [{ ...fields, rating: 'good', x: 'y'.repeat(9000) }, {}, 400],
      [{ ...fields, page: 'pag_none', rating: 'good' }, {}, 404],
      [{ ...fields, siteSpace: 'none', rating: 'good' }, {}, 404],
      [{ ...fields, rating: 'good' }, { origin: 'https://evil.test' }, 403],
      [{ ...fields, rating: 'good' }, { 'sec-fetch-site': 'cross-site' }, 403],
    ];
    for (const [sent, headers, status] of refused)
      expect([sent, (await send(action, sent, headers, '203.0.113.9')).statusCode]).toEqual([sent, status]);
    expect(await rows()).toHaveLength(before);
  });

  it('is limited for each IP address', async () => {
    const { action, fields } = (await formOn('setup')) ?? { action: '', fields: {} };
    const now = site.core.clock();
    const core = { ...site.core, clock: () => now };
    const server = await createSitesServer({ core, newRequestId: () => 'req', log: undefined });
    const statusFor = async (remoteAddress: string) =>
      (await send(action, { ...fields, rating: 'ok' }, {}, remoteAddress, server)).statusCode;
    const statuses: number[] = [];
    for (let count = 0; count < 22; count++) statuses.push(await statusFor('203.0.113.50'));
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429, 429]);
    for (const [written, other] of [
      ['feedback', 'feedback/'],
      ['~gitbook', '%7Egitbook'],
      ['/feedback', '//feedback'],
      ['feedback', '%66eedback'],
    ] as const) {
      const body = { ...fields, rating: 'ok' };
      const answer = await send(action.replace(written, other), body, {}, '203.0.113.50', server);
      expect([other, answer.statusCode]).toEqual([other, 429]);
    }
    expect(await statusFor('203.0.113.51')).toBe(200);
  });
});

it('the names of visitors differ by IP address, browser and day', () => {
  let time = Date.parse('2026-01-05T23:59:00Z');
  const names = new VisitorNames(() => time);
  const first = names.nameOf('192.0.2.1', 'Firefox');
  expect(names.nameOf('192.0.2.1', 'Firefox')).toBe(first);
  expect(
    new Set([first, names.nameOf('192.0.2.2', 'Firefox'), names.nameOf('192.0.2.1', 'Chrome')]).size,
  ).toBe(3);
  time += 120_000;
  expect(names.nameOf('192.0.2.1', 'Firefox')).not.toBe(first);
  expect(new VisitorNames(() => time).nameOf('192.0.2.1', 'Firefox')).not.toBe(
    names.nameOf('192.0.2.1', 'Firefox'),
  );
});

describe('page views', () => {
  it('are counted if the server is configured so, once for each request that shows a page', async () => {
    const counted = await publishedSite([
      { title: 'Start', text: 'Here.' },
      {
        title: 'Setup',
        text: '{% updates %}\n{% update date="2026-01-01" %}\nOne.\n{% endupdate %}\n{% endupdates %}',
      },
    ]);
    const { core } = counted;
    const server = await createSitesServer({
      core,
      newRequestId: () => 'req',
      log: undefined,
      countViews: true,
    });
    const get = (path: string, method: 'GET' | 'HEAD' = 'GET') =>
      server.inject({ url: base + path, method, remoteAddress: '192.0.2.1', headers: { cookie: 'a=b' } });
    for (const path of [
      '',
      'setup',
      'setup',
      'setup.md',
      'setup/rss.xml',
      'gone',
      'Setup',
      'llms.txt',
      '~gitbook/search?q=a',
    ])
      await get(path);
    await get('setup', 'HEAD');
    await counted.visit('setup');
    await server.close(0);
    const all = await core.store.read((view) =>
      view.find(siteEvents, { index: 'bySite', equals: [counted.site.siteId], limit: 100 }),
    );
    expect(all.map(({ type, url }) => `${type} ${url.replace('https://docs.test', '')}`).sort()).toEqual(
      [
        `page_view ${base}`,
        `page_view ${base}setup`,
        `page_view ${base}setup`,
        `page_markdown_request ${base}setup`,
        `rss_request ${base}setup`,
      ].sort(),
    );
    expect(new Set(all.map(({ visitor }) => visitor)).size).toBe(1);
    expect(JSON.stringify(all)).not.toMatch(/192\.0\.2|a=b/);
  });
});
