import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backgroundEnded } from '../../src/core/background.ts';
import type { ScriptRuntime } from '../../src/core/scripts.ts';
import { signVisitorToken } from '../support/sign-visitor-token.ts';
import { visitorCookie } from '../../src/publishing/admit-visitor.ts';
import { updateAdaptiveSchema } from '../../src/resources/site-adaptive-schema/contract.ts';
import {
  getPublishingAuth,
  regeneratePublishingAuth,
  updatePublishingAuth,
} from '../../src/resources/site-publishing-auth/contract.ts';
import { createShareLink, updateShareLink } from '../../src/resources/site-share-links/contract.ts';
import { createSite, publishSite, updateSite } from '../../src/resources/sites/contract.ts';
import { addSiteSpace, updateSiteSpace, listSiteSpaces } from '../../src/resources/site-spaces/contract.ts';
import { replaceSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { install, publish } from '../resources/integrations/support.ts';
import { panels, quickjs } from '../script-runtime/samples.ts';
import { inflatePdf, readPdf } from '../pdf/read-pdf.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

const isPro = 'visitor.claims.plan == "pro"';
const base = '/sites/acme/docs/';
/** Texts that only some visitors may see, and where they are. */
const canaries = {
  page: 'PROPAGE',
  below: 'PROBELOW',
  block: 'PROBLOCK',
  value: 'PROVALUE',
  news: 'PRONEWS',
  widget: 'PROWIDGET',
};
/** Every kind of answer that can show content. */
const answers = [
  '',
  'open',
  'open.md',
  'pro',
  'pro.md',
  'pro/below',
  'llms.txt',
  'llms-full.txt',
  'sitemap.xml',
  'sitemap-pages.xml',
  'robots.txt',
  '~gitbook/search?q=PROPAGE',
  '~gitbook/search?q=PROBLOCK',
  '~gitbook/search?q=PROBELOW',
  '~gitbook/visitor',
  '~gitbook/pdf',
  'news',
  'news/rss.xml',
  '~gitbook/site-index',
  'BLOCK',
  'FEEDBACK',
  'MCP {"name":"searchDocumentation","arguments":{"query":"PROPAGE"}}',
  'MCP {"name":"searchDocumentation","arguments":{"query":"PROBLOCK"}}',
  'MCP {"name":"getPage","arguments":{"url":"/pro/below"}}',
  'MCP {"name":"getPage","arguments":{"url":"/open"}}',
  'MCP {"name":"getPage","arguments":{"url":"/news"}}',
];

let site: PublishedSite;
let key: string;
let share: { readonly key: string; readonly id: string };
let otherShare: string;
let otherKey: string;
let navigation: string;
/** The position of the block on the page that only some visitors see. */
let block: Readonly<Record<string, string>>;
let runtime: ScriptRuntime;
afterAll(() => runtime.close());

/** The text of an answer; for a PDF, with the targets of its links. */
function textOf({ headers, body, rawPayload }: Awaited<ReturnType<PublishedSite['visit']>>): string {
  if (headers['content-type'] !== 'application/pdf') return body;
  const { pages, urls } = readPdf(inflatePdf(rawPayload));
  return `${pages.join('\n')}\n${urls.map((url) => `href="${url}"`).join('\n')}`;
}

/** Requests an answer: a path, an action of the block that only some see, or a message to the MCP server. */
const ask = (path: string, answer: string, headers: Readonly<Record<string, string>>) => {
  const post = (to: string, type: string, payload: string) =>
    site.server.inject({
      method: 'POST',
      url: `${base}${path}~gitbook/${to}`,
      headers: { ...headers, 'content-type': type },
      payload,
    });
  const json = 'application/json';
  if (answer === 'BLOCK')
    return post('blocks', json, JSON.stringify({ ...block, action: { action: 'count', step: 1 } }));
  if (answer === 'FEEDBACK')
    return post(
      'feedback',
      'application/x-www-form-urlencoded',
      new URLSearchParams({ ...block, rating: 'ok' }).toString(),
    );
  return answer.startsWith('MCP ')
    ? post('mcp', json, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${answer.slice(4)}}`)
    : site.visit(path + answer, { ...headers, accept: 'text/html' });
};

const sign = async (claims: object, secret: string, seconds = 3600): Promise<string> =>
  signVisitorToken({ ...claims }, secret, Math.floor(site.world.core.clock() / 1000) + seconds);

beforeAll(async () => {
  site = await publishedSite([
    { title: 'Start', text: 'Welcome to everybody.' },
    {
      title: 'Open',
      text: `For all.\n\n{% if ${isPro} %}\n${canaries.block} for some.\n\n{% @bot/panel content="${canaries.widget}" %}\n{% endif %}\n\nYour plan: <code class="expression">visitor.claims.plan</code>.`,
    },
    {
      title: 'News',
      text: `{% updates %}\n{% update date="2026-01-02" %}\nFor all.\n{% endupdate %}\n\n{% if ${isPro} %}\n{% update date="2026-01-01" %}\n${canaries.news}\n{% endupdate %}\n{% endif %}\n{% endupdates %}`,
    },
  ]);
  await site.change(site.spaceId, [
    {
      operation: 'insert_page',
      title: 'Pro',
      document: {
        markdown: `---\nif: ${isPro}\n---\n\n${canaries.page}\n\n{% @bot/panel content="${canaries.widget}" %}`,
      },
    },
  ]);
  await site.change(site.spaceId, [
    {
      operation: 'insert_page',
      title: 'Below',
      into: site.pages.get('Pro'),
      document: { markdown: canaries.below },
    },
  ]);
  runtime = quickjs();
  Object.assign(site.core, { scripts: runtime });
  await publish(site.world, 'bot', {
    blocks: [{ id: 'panel', title: 'Panel' }],
    script: panels.v2,
    runtime: 'v2',
  });
  await install(site.world);
  navigation = `~gitbook/navigation?page=${site.pages.get('Pro')}`;
  const { call, world } = site;
  await call(replaceSiteCustomization, site.site, {
    body: { pdf: { enabled: true }, feedback: { enabled: true } },
  });
  key = (await call(regeneratePublishingAuth, site.site)).privateKey;
  const link = await call(createShareLink, site.site, { body: { name: 'Friends' } });
  share = { id: link.id, key: new URL(link.urls.published ?? '').pathname.split('/')[4] ?? '' };
  const other = {
    organizationId: world.org,
    siteId: (await call(createSite, site.site, { body: { title: 'Other' } })).id,
  };
  await call(addSiteSpace, other, { body: { spaceId: site.spaceId } });
  await call(updateSite, other, { body: { basename: 'other', visibility: 'share-link' } });
  await call(publishSite, other);
  const otherLink = await call(createShareLink, other, { body: { name: 'Others' } });
  otherShare = new URL(otherLink.urls.published ?? '').pathname.split('/')[4] ?? '';
  otherKey = (await call(regeneratePublishingAuth, other)).privateKey;
  await call(updateAdaptiveSchema, site.site, {
    body: {
      jsonSchema: {
        type: 'object',
        properties: {
          plan: { type: 'string', enum: ['pro', 'free'], description: 'plan' },
          unsigned: {
            type: 'object',
            description: 'Unsigned claims of the site visitor.',
            properties: { plan: { type: 'string', description: 'plan' } },
            additionalProperties: false,
          },
        },
        additionalProperties: false,
      },
    },
  });
  await call(updateSite, site.site, { body: { adaptiveContent: { enabled: true } } });
  const authorization = `Bearer ${await sign({ plan: 'pro' }, key)}`;
  await site.visit('pro', { authorization });
  // The script of the block takes a while to start.
  await backgroundEnded(site.core);
  const { body } = await site.visit('pro', { authorization });
  const place = /data-ck-block="([^"]*)"/.exec(body)?.[1] ?? '';
  block = JSON.parse(place.replaceAll('&quot;', '"')) as Record<string, string>;
});

describe.each(['public', 'unlisted', 'share-link', 'visitor-auth'])(
  'a site for %s visitors',
  (visibility) => {
    beforeAll(async () => {
      await site.call(updateSite, site.site, { body: { visibility, adaptiveContent: { enabled: true } } });
    });

    const credentials: Record<
      string,
      () => Promise<{ path?: string; query?: string; headers?: Record<string, string> }>
    > = {
      'no credential': async () => ({}),
      'an invalid token': async () => ({ headers: { authorization: 'Bearer nonsense' } }),
      'an expired token': async () => ({
        headers: { authorization: `Bearer ${await sign({ plan: 'pro' }, key, -10)}` },
      }),
      'a token of another site': async () => ({
        headers: { authorization: `Bearer ${await sign({ plan: 'pro' }, otherKey)}` },
      }),
      'a token for another audience': async () => ({
        headers: { authorization: `Bearer ${await sign({ plan: 'pro', aud: 'https://other.test' }, key)}` },
      }),
      'a token with a claim that does not match': async () => ({
        headers: { authorization: `Bearer ${await sign({ plan: 'free' }, key)}` },
      }),
      'a token with a claim that matches': async () => ({
        headers: { authorization: `Bearer ${await sign({ plan: 'pro' }, key)}` },
      }),
      'a cookie with a claim that matches': async () => ({
        headers: {
          cookie: `${visitorCookie(base)}=${encodeURIComponent(JSON.stringify({ basePath: base, token: await sign({ plan: 'pro' }, key) }))}`,
        },
      }),
      'a cookie that a backend set': async () => ({
        headers: { cookie: `gitbook-visitor-token=${await sign({ plan: 'pro' }, key)}` },
      }),
      'unsigned claims': async () => ({
        headers: {
          cookie: `gitbook-visitor-public=${encodeURIComponent('{"plan":"pro","unsigned":{"plan":"pro"}}')}`,
        },
      }),
      'the key of the share link': async () => ({ path: `${share.key}/` }),
      'the key of another share link': async () => ({ path: `${otherShare}/` }),
      'a wrong key': async () => ({ path: 'wrong/' }),
    };
    const good = new Set([
      'a token with a claim that matches',
      'a cookie with a claim that matches',
      'a cookie that a backend set',
    ]);
    const valid = new Set([...good, 'a token with a claim that does not match']);

    it.each(Object.keys(credentials))('with %s shows only what they may see', async (name) => {
      const { path = '', headers = {} } = (await credentials[name]?.()) ?? {};
      const isPathOfSite = visibility === 'share-link' ? name === 'the key of the share link' : path === '';
      const mayRead = isPathOfSite && (visibility !== 'visitor-auth' || valid.has(name));
      const maySeeAll = mayRead && visibility !== 'share-link' && good.has(name);
      let seen = '';
      for (const answer of [...answers, navigation]) {
        const answered = await ask(path, answer, headers);
        const { statusCode, headers: sent } = answered;
        const body = textOf(answered);
        const label = `${answer}: ${statusCode}`;
        if (!mayRead && answer !== 'robots.txt') {
          expect([label, [401, 404, 405].includes(statusCode)]).toEqual([label, true]);
          expect(body).not.toContain('everybody');
        }
        if (!maySeeAll)
          for (const canary of Object.values(canaries))
            expect([label, body.replace(`value="${canary}"`, '').includes(canary)]).toEqual([label, false]);
        if (
          mayRead &&
          answer !== navigation &&
          !['BLOCK', 'FEEDBACK'].includes(answer) &&
          !answer.startsWith('pro') &&
          visibility === 'public'
        )
          expect([label, statusCode]).toEqual([label, 200]);
        // Only visitors who see the page can use its block or send feedback about it.
        if (['BLOCK', 'FEEDBACK'].includes(answer))
          expect([label, statusCode === 200]).toEqual([label, maySeeAll]);
        if (!maySeeAll) expect([label, /href="[^"]*\/pro\b/.test(body)]).toEqual([label, false]);
        // Answers that depend on the visitor must not be cached for others.
        if (mayRead && (visibility === 'visitor-auth' || visibility === 'share-link' || valid.has(name)))
          expect([label, sent['cache-control']]).toEqual([label, 'private, no-store']);
        seen += body;
      }
      for (const canary of [
        canaries.page,
        canaries.below,
        canaries.block,
        canaries.news,
        `${canaries.widget}: 0 `,
        `${canaries.widget}: 1 `,
      ])
        expect([
          canary,
          (canary.endsWith(' ') && seen.includes(canary)) ||
            seen.includes(`${canary}<`) ||
            seen.includes(`${canary} for`) ||
            seen.includes(`\n${canary}`),
        ]).toEqual([canary, maySeeAll]);
      if (mayRead) expect((await site.visit(`${path}open`, headers)).body).toContain('For all.');
      for (const canary of [canaries.page, canaries.block]) {
        const search = `${path}~gitbook/search?q=${canary}`;
        const { statusCode, body } = await site.visit(search, { ...headers, accept: 'application/json' });
        if (mayRead) expect([canary, statusCode, body !== '{"items":[]}']).toEqual([canary, 200, maySeeAll]);
      }
    });
  },
);

describe('a token in the address', () => {
  it('is stored in a cookie of the site and removed from the address', async () => {
    await site.call(updateSite, site.site, { body: { visibility: 'visitor-auth' } });
    const token = await sign({ plan: 'pro' }, key, 600);
    const answer = await site.visit(`open?jwt_token=${token}&q=1&visitor.plan=free`);
    expect([answer.statusCode, answer.headers.location]).toEqual([307, `${base}open?q=1`]);
    const cookies = [answer.headers['set-cookie']].flat().map(String);
    expect(cookies[0]).toMatch(
      /^gitbook-visitor-token~[\da-f]{40}=[^;]+; Path=\/sites\/acme\/docs\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
    );
    const age = Number(/Max-Age=(\d+)/.exec(cookies[0] ?? '')?.[1]);
    expect(age > 500 && age <= 600).toBe(true);
    const cookie = cookies.map((each) => each.replace(/;.*/, '')).join('; ');
    expect((await site.visit('open', { cookie })).body).toContain(canaries.block);
  });

  it('that is valid for a very long time is stored for 400 days', async () => {
    const token = await sign({ plan: 'pro' }, key, 1e13);
    const answer = await site.visit(`open?jwt_token=${token}`);
    expect([answer.headers['set-cookie']].flat().join()).toContain('; Max-Age=34560000; ');
  });

  it('that is wrong does not lock out a visitor who has a valid cookie', async () => {
    const cookie = `gitbook-visitor-token=${await sign({ plan: 'pro' }, key)}`;
    expect((await site.visit('open?jwt_token=wrong', { cookie })).statusCode).toBe(200);
  });

  it('that is too long for a cookie is refused without an endless redirect to the sign-in page', async () => {
    const token = await sign({ plan: 'pro', note: 'x'.repeat(4000) }, key);
    const answer = await site.visit(`open?jwt_token=${token}`);
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([400, undefined]);
    expect(answer.body).toContain('The visitor token is too long for a cookie');
    expect((await site.visit('open', { authorization: `Bearer ${token}` })).statusCode).toBe(200);
  });

  it('never redirects to another host', async () => {
    const token = await sign({ plan: 'pro' }, key);
    const { headers } = await site.server.inject({ url: `//evil.test/sites/acme/docs/?jwt_token=${token}` });
    expect(headers.location ?? '').not.toMatch(/^\/\/|^https?:/);
  });
});

it('a visitor without a token is redirected to the sign-in page, with the path of the request', async () => {
  await site.call(updateSite, site.site, { body: { visibility: 'visitor-auth' } });
  const fallbackURL = 'https://login.example.com/docs?from=docs';
  await site.call(updatePublishingAuth, site.site, { body: { fallbackURL } });
  const answer = await site.visit('open?x=1');
  expect([answer.statusCode, answer.headers.location]).toEqual([307, `${fallbackURL}&location=%2Fopen`]);
});

describe('content for some visitors only', () => {
  const ask = async (path: string, headers = {}): Promise<string> =>
    (await site.visit(path, { accept: 'text/html', ...headers })).body;
  beforeAll(async () => {
    await site.call(updateSite, site.site, { body: { visibility: 'public' } });
    await site.change(site.spaceId, [
      ...[
        `{% if(${isPro}) %}\nSECRET1\n{% endif %}`,
        `a {% if ${isPro} %}SECRET2{% endif %} b`,
        `{% if visitor.claims.plan = "pro" %}\nSECRET3\n{% endif %}`,
        `{% if ${isPro} %}\nSECRET4`,
        `<table><tr><td>{% if ${isPro} %}SECRET5{% endif %}</td></tr></table>`,
        `{% if\n${isPro} %}\nSECRET6\n{% endif %}`,
        `{% IF ${isPro} %}\nSECRET7\n{% endif %}`,
      ].map((text, index) => ({
        operation: 'insert_page',
        title: `Form ${index + 1}`,
        document: { markdown: `Before.\n\n${text}\n\n\`\`\`\n{% if example %}\n\`\`\`` },
      })),
      {
        operation: 'insert_page',
        title: 'Rank',
        document: { markdown: `common\n\n{% if ${isPro} %}\nZEBRAWORD\n{% endif %}` },
      },
      { operation: 'insert_page', title: 'Other', document: { markdown: 'common' } },
      {
        operation: 'insert_page',
        title: 'Links',
        document: {
          markdown: `[x](/pages/${site.pages.get('Pro')})\n\n{% content-ref url="/pages/${site.pages.get('Pro')}" %}\n[pro](pro.md)\n{% endcontent-ref %}\n\nHi <code class="expression">visitor.claims.unsigned.plan</code>`,
        },
      },
    ]);
  });

  it('is hidden if its condition cannot be evaluated', async () => {
    for (let form = 1; form <= 7; form++)
      for (const path of [`form-${form}`, `form-${form}.md`, 'llms-full.txt']) {
        const body = await ask(path);
        expect([path, body.includes(`SECRET${form}`), body.includes('Before.')]).toEqual([path, false, true]);
      }
    expect(await ask('form-1')).toContain('{% if example %}');
  });

  it('does not affect the search results of others', async () => {
    const search = async (query: string) =>
      (await site.visit(`~gitbook/search?q=${encodeURIComponent(query)}`, { accept: 'application/json' }))
        .body;
    const usual = await search('common ZEBRAX');
    expect(usual).toContain('"Rank"');
    for (const query of ['common ZEBRAWORD', 'common ZEBRAWO', `common ${canaries.page}`])
      expect([query, await search(query)]).toEqual([query, usual]);
  });

  it('has excerpts without Markdown in search results', async () => {
    const { body } = await site.visit('~gitbook/search?q=example', { accept: 'application/json' });
    const { items } = JSON.parse(body) as { readonly items: readonly { readonly excerpt: string }[] };
    expect(items[0]?.excerpt).toMatch(/^Before\./);
    expect(items[0]?.excerpt).toContain('example');
    expect(body).not.toContain('```');
  });

  it('has no title in links to it', async () => {
    const body = await ask('links');
    expect(body).not.toMatch(/>\s*Pro\s*</);
    expect(body).not.toContain(`${base}pro`);
  });

  it('cannot be used to insert markup into a page', async () => {
    const plan = '<a href="https://evil.test">x</a> https://evil.test # `y`';
    const cookie = `gitbook-visitor-public=${encodeURIComponent(JSON.stringify({ plan }))}`;
    const body = await ask('links', { cookie });
    expect(body).toContain('evil.test');
    expect(body).not.toMatch(/href="[^"]*evil/);
  });
});

describe('a share link', () => {
  beforeAll(() => site.call(updateSite, site.site, { body: { visibility: 'share-link' } }));

  it('keeps its key in the links of its pages, and does not reveal it to other sites', async () => {
    const { body, headers } = await site.visit(`${share.key}/`);
    expect(body).toContain(`href="${base}${share.key}/open"`);
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(body).toContain('<meta name="robots" content="noindex">');
  });

  it('stores claims of the address in a cookie of this link only', async () => {
    const { statusCode, headers } = await site.visit(`${share.key}/open?visitor.plan=free`);
    expect([statusCode, headers.location]).toEqual([307, `${base}${share.key}/open`]);
    expect([headers['set-cookie']].flat().map((cookie) => /; Path=[^;]*/.exec(String(cookie))?.[0])).toEqual([
      `; Path=/sites/acme/docs/${share.key}/`,
    ]);
  });

  it('stops working as soon as it is deactivated', async () => {
    await site.call(updateShareLink, { ...site.site, shareLinkId: share.id }, { body: { active: false } });
    expect((await site.visit(`${share.key}/`)).statusCode).toBe(404);
    await site.call(updateShareLink, { ...site.site, shareLinkId: share.id }, { body: { active: true } });
    expect((await site.visit(`${share.key}/`)).statusCode).toBe(200);
  });
});

it('a site returns 404 to visitors who may see none of its spaces', async () => {
  await site.call(updateSite, site.site, { body: { visibility: 'public' } });
  const { items } = await site.call(listSiteSpaces, site.site);
  const siteSpaceId = items[0]?.id ?? '';
  await site.call(updateSiteSpace, { ...site.site, siteSpaceId }, { body: { condition: isPro } });
  expect((await site.visit('')).statusCode).toBe(404);
  const authorization = `Bearer ${await sign({ plan: 'pro' }, key)}`;
  expect((await site.visit('', { authorization })).statusCode).toBe(200);
  await site.call(getPublishingAuth, site.site);
});
