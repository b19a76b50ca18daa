import { beforeAll, describe, expect, it } from 'vitest';
import { signVisitorToken } from '../support/sign-visitor-token.ts';
import { sites } from '../../src/core/rows/sites.ts';
import { updateAdaptiveSchema } from '../../src/resources/site-adaptive-schema/contract.ts';
import { regeneratePublishingAuth } from '../../src/resources/site-publishing-auth/contract.ts';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { createSite, publishSite, updateSite } from '../../src/resources/sites/contract.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

const jsonSchema = {
  type: 'object',
  properties: {
    unsigned: {
      type: 'object',
      description: 'Unsigned claims of the site visitor.',
      properties: { plan: { type: 'string', description: 'plan' } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

let site: PublishedSite;
let other: { readonly organizationId: string; readonly siteId: string };
beforeAll(async () => {
  const text = 'You have <code class="expression">visitor.claims.unsigned.plan</code>.';
  site = await publishedSite([{ title: 'Offer', text }], { adaptiveContent: { enabled: true } });
  const { call } = site;
  const org = { organizationId: site.world.org };
  other = { ...org, siteId: (await call(createSite, org, { body: { title: 'Other' } })).id };
  await call(addSiteSpace, other, { body: { spaceId: site.spaceId } });
  await call(updateSite, other, { body: { basename: 'other', adaptiveContent: { enabled: true } } });
  await call(publishSite, other);
  for (const each of [site.site, other]) await call(updateAdaptiveSchema, each, { body: { jsonSchema } });
});

const visit = (path: string, cookie = '') =>
  site.server.inject({ url: `/sites/acme/${path}`, headers: cookie === '' ? {} : { cookie } });
const cookiesOf = ({ headers }: Awaited<ReturnType<typeof visit>>) =>
  [headers['set-cookie'] ?? []].flat().map(String);
const pathOf = (cookie: string) => /; Path=([^;]*)/.exec(cookie)?.[1];
/** Puts the other site behind a proxy. Earlier versions may have stored what the API refuses now. */
const behind = (proxy: string | null) =>
  site.world.core.store.write((tx) => tx.update(sites, other.siteId, { proxy }));

describe('several sites at one origin', () => {
  it('do not share unsigned claims, even if a cookie is valid for all paths', async () => {
    await behind('www.example.com');
    const [cookie = ''] = cookiesOf(await visit('other/?visitor.plan=gold'));
    expect(pathOf(cookie)).toBe('/');
    const pair = cookie.replace(/;.*/, '');
    await behind(null);
    expect((await visit('other/', pair)).body).toContain('You have gold.');
    expect((await visit('docs/', pair)).body).not.toContain('gold');
    // The claims of a backend name no site.
    const plain = `gitbook-visitor-public=${encodeURIComponent('{"plan":"silver"}')}`;
    expect((await visit('docs/', `${plain}; ${pair}`)).body).toContain('You have silver.');
    const own = cookiesOf(await visit('docs/?visitor.plan=bronze'))[0]?.replace(/;.*/, '') ?? '';
    expect((await visit('docs/', own)).body).toContain('You have bronze.');
    // Claims in the address apply to the current site, and claims of another site are not stored again.
    const both = cookiesOf(await visit('docs/?visitor.plan=iron', pair))[0] ?? '';
    expect(decodeURIComponent(both)).toContain(`{"plan":"iron","~site":"${site.site.siteId}"}`);
  });

  it.each([
    ['visitor.', {}],
    ['visitor.a..b', {}],
    ['visitor.__proto__.plan', {}],
    ['visitor.a.b.c.d.e.f.g.h', { a: { b: { c: { d: { e: { f: { g: { h: 1 } } } } } } } }],
    ['visitor.a.b.c.d.e.f.g.h.i', {}],
    // Names and values may have 2048 characters together.
    [`${'x'.repeat(2034)}=1&visitor.plan`, { plan: 1 }],
    [`${'x'.repeat(2035)}=1&visitor.plan`, {}],
  ])('read the parameter %.25s=1 as the claims %j', async (name, claims) => {
    const [cookie = ''] = cookiesOf(await visit(`docs/?${name}=1`));
    const { '~site': of, ...kept } = JSON.parse(decodeURIComponent(/=([^;]*)/.exec(cookie)?.[1] ?? ''));
    expect([of, kept]).toEqual([site.site.siteId, claims]);
  });

  it("set no cookies at each other's paths, whatever path their proxy has", async () => {
    await site.call(updateSite, other, { body: { visibility: 'visitor-auth' } });
    const { privateKey } = await site.call(regeneratePublishingAuth, other);
    const token = await signVisitorToken({}, privateKey, Math.floor(site.world.core.clock() / 1000) + 600);
    const ask = async () => cookiesOf(await visit(`other/?jwt_token=${token}&visitor.plan=gold`)).map(pathOf);
    for (const [proxy, path] of [
      ['www.example.com/sites/acme/docs', '/sites/acme/other/'],
      ['www.example.com/sites', '/sites/acme/other/'],
      ['www.example.com/sites/acme/other', '/sites/acme/other/'],
      ['www.example.com/guide', '/guide/'],
    ] as const) {
      await behind(proxy);
      expect([proxy, await ask()]).toEqual([proxy, [path, path]]);
    }
    await behind(null);
    expect(await ask()).toEqual(['/sites/acme/other/', '/sites/acme/other/']);
    await site.call(updateSite, other, { body: { visibility: 'public' } });
  });
});
