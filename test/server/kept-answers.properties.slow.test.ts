import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defined } from '../../src/contract/values.ts';
import { signVisitorToken } from '../support/sign-visitor-token.ts';
import { customHostnames } from '../../src/core/rows/custom-hostnames.ts';
import { sites } from '../../src/core/rows/sites.ts';
import { visitorCookie } from '../../src/publishing/admit-visitor.ts';
import { updateAdaptiveSchema } from '../../src/resources/site-adaptive-schema/contract.ts';
import { replaceSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { regeneratePublishingAuth } from '../../src/resources/site-publishing-auth/contract.ts';
import { createShareLink } from '../../src/resources/site-share-links/contract.ts';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { createSite, publishSite, updateSite } from '../../src/resources/sites/contract.ts';
import { publishedSite } from '../publishing/published-site.ts';
import { startReader } from './site-reader.ts';

const long = 'Much to read, so that it is worth to compress it. '.repeat(40);
const ownHost = 'docs.example.com';
const proxy = 'www.example.com/guide';

const schema = {
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
};

/**
 * Sites of every audience with the same space: `docs` with claims, and others on a host, behind a proxy and with
 * keys.
 */
async function furnish() {
  const site = await publishedSite([
    { title: 'Start', text: long },
    {
      title: 'Offer',
      text: `${long}\n\n{% if visitor.claims.plan == "pro" %}\n\nSIGNED\n\n{% endif %}\n\n{% if visitor.claims.unsigned.plan == "pro" %}\n\nUNSIGNED\n\n{% endif %}\n\nYou have <code class="expression">visitor.claims.unsigned.plan</code>.`,
    },
    { title: 'Secret', text: 'For some.', condition: 'visitor.claims.plan == "pro"' },
  ]);
  const { call, world } = site;
  const org = { organizationId: world.org };
  const { privateKey } = await call(regeneratePublishingAuth, site.site);
  await call(updateAdaptiveSchema, site.site, { body: { jsonSchema: schema } });
  await call(updateSite, site.site, { body: { adaptiveContent: { enabled: true } } });
  await call(replaceSiteCustomization, site.site, { body: { pdf: { enabled: false } } });
  const add = async (basename: string, settings: object) => {
    const at = { ...org, siteId: (await call(createSite, org, { body: { title: basename } })).id };
    await call(addSiteSpace, at, { body: { spaceId: site.spaceId } });
    await call(updateSite, at, { body: { basename, ...settings } });
    await call(publishSite, at);
    return at;
  };
  const links = await add('links', { visibility: 'share-link' });
  const link = await call(createShareLink, links, { body: { name: 'Friends' } });
  const share = new URL(link.urls.published ?? '').pathname;
  const members = await add('members', { visibility: 'visitor-auth' });
  const { privateKey: membersKey } = await call(regeneratePublishingAuth, members);
  await add('proxied', { proxy });
  const hosted = await add('hosted', {});
  await world.core.store.write(async (tx) => {
    await tx.insert(customHostnames, {
      id: ownHost,
      organization: world.org,
      site: hosted.siteId,
      createdAt: '',
    });
    await tx.update(sites, hosted.siteId, { hostname: ownHost });
  });
  const expires = Math.floor(world.core.clock() / 1000) + 100 * 24 * 3600;
  const [pro, free, member] = await Promise.all([
    signVisitorToken({ plan: 'pro' }, privateKey, expires),
    signVisitorToken({ plan: 'free' }, privateKey, expires),
    signVisitorToken({ plan: 'pro' }, membersKey, expires),
  ]);
  const now = world.core.clock();
  return { core: { ...site.core, clock: () => now }, share, pro, free, member };
}

it('no visitor receives a response that was cached for another, whatever the requests contain', async () => {
  const { core, share, pro, free, member } = await furnish();
  const options = { proxies: ['127.0.0.1'] };
  const servers = {
    plain: [await startReader(core), await startReader(core, { keeps: false })],
    proxied: [await startReader(core, options), await startReader(core, { ...options, keeps: false })],
  } as const;
  const base = '/sites/acme/docs/';
  const kept = (token: string) =>
    `${visitorCookie(base)}=${encodeURIComponent(JSON.stringify({ basePath: base, token }))}`;
  const unsigned = (plan: string) => `gitbook-visitor-public=${encodeURIComponent(JSON.stringify({ plan }))}`;
  const values: Readonly<Record<string, readonly string[]>> = {
    cookie: [
      kept(pro),
      kept(free),
      `gitbook-visitor-token=${pro}`,
      `gitbook-visitor-token=${member}`,
      `a=b; ${unsigned('pro')}`,
      unsigned('free'),
      'theme=dark',
      `GITBOOK-VISITOR-TOKEN=${pro}`,
      `"gitbook-visitor-token"=${pro}`,
      `gitbook-visitor-token%20=${pro}`,
    ],
    authorization: [`Bearer ${pro}`, `bearer  ${free}`, `Bearer ${member}`, 'Basic x', 'Bearer x'],
    accept: ['text/markdown', ' text/markdown, */*', 'text/html, text/markdown', 'application/json'],
    'accept-encoding': ['br', 'gzip', 'gzip, br', 'identity', 'br;q=0', '*'],
    'if-none-match': ['"x"', '*', 'W/"x"'],
    range: ['bytes=0-9'],
    'x-forwarded-host': [ownHost, 'evil.test', `evil.test, ${ownHost}`, 'evil.test https', ''],
    'x-forwarded-proto': ['https', 'http', 'https, http', 'x'],
    'x-forwarded-for': ['192.0.2.1', '127.0.0.1'],
    'x-original-url': ['/sites/acme/docs/secret'],
    'x-http-method-override': ['POST'],
    forwarded: [`host=${ownHost};proto=https`],
  };
  const header = fc
    .constantFrom('cookie', 'cookie', 'authorization', 'accept', ...Object.keys(values))
    .chain((name) => fc.record({ [name]: fc.constantFrom(...(values[name] ?? [])) }));
  const hosts = [ownHost, `${ownHost}:8081`, 'DOCS.example.com', 'docs.test', 'evil.test', 'www.example.com'];
  const headers = fc
    .tuple(fc.constantFrom({}, {}, {}, ...hosts.map((host) => ({ host }))), header, fc.option(header))
    .map(([host, one, other]): Readonly<Record<string, string>> => ({ ...host, ...one, ...other }));
  const request = fc.record({
    place: fc.constantFrom('plain' as const, 'proxied' as const),
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD'),
    root: fc.constantFrom(
      '',
      '',
      '',
      '',
      '',
      '',
      '',
      '/',
      share,
      `${share}wrong/`,
      '/sites/acme/links/',
      '/sites/acme/members/',
      '/sites/acme/hosted/',
      '/sites/acme/proxied/',
      '/sites/ACME/docs/',
      '//sites/acme/docs/',
    ),
    path: fc.constantFrom(
      '',
      '',
      'offer',
      'offer',
      'offer',
      'offer',
      'offer.md',
      'offer',
      'offer.md',
      'secret',
      'OFFER',
      'offer/',
      'offer%2F',
      './offer',
      'robots.txt',
      'llms.txt',
      'llms-full.txt',
      'sitemap.xml',
      'sitemap-pages.xml',
      '~gitbook/site-index',
      '~gitbook/visitor',
      '~gitbook/search',
      'gone',
    ),
    query: fc.constantFrom(
      '',
      '',
      '',
      '',
      '',
      '',
      '',
      '',
      '',
      '?',
      '?q=pro',
      '?visitor.plan=pro',
      '?a=1&b=2',
      '?b=2&a=1',
      `?jwt_token=${pro}`,
      '?fallback=true',
    ),
    headers,
  });
  let hits = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 4 }), async (requests) => {
      for (const { place, method, root, path, query, headers: sent } of requests) {
        const [keeping, other] = servers[place];
        const ask = async (...sent: Parameters<typeof keeping.ask>) => {
          keeping.reads();
          const answer = await keeping.ask(...sent);
          if (keeping.reads() === 0) hits++;
          expect(answer).toEqual(await other.ask(...sent));
        };
        // The response for a stranger is cached, then a special request is sent, and then the stranger requests it again.
        const stranger = defined({ host: sent['host'] });
        await ask(root + path, stranger);
        await ask(root + path + query, sent, method);
        await ask(root + path, stranger);
      }
    }),
    { numRuns: 150 },
  );
  // Otherwise the cache was never used.
  expect(hits).toBeGreaterThan(10);
});
