import { beforeAll, expect, it } from 'vitest';
import { signVisitorToken } from '../support/sign-visitor-token.ts';
import { regeneratePublishingAuth } from '../../src/resources/site-publishing-auth/contract.ts';
import { createShareLink } from '../../src/resources/site-share-links/contract.ts';
import { addSiteSpace, updateSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { getPublishedSite, updateSite } from '../../src/resources/sites/contract.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

/** The titles of spaces, and the conditions under which a visitor sees them. */
const conditions = {
  signed: 'visitor.claims.plan == "pro"',
  unsigned: 'visitor.claims.unsigned.plan == "pro"',
  neither: '!(visitor.claims.plan == "pro") && !(visitor.claims.unsigned.plan == "pro")',
} as const;
const unsigned = { plan: 'pro' };

let site: PublishedSite;
let token: string;
let share: string;

beforeAll(async () => {
  site = await publishedSite([{ title: 'Start', text: 'For all.' }]);
  for (const [title, condition] of Object.entries(conditions)) {
    const spaceId = await site.addSpace(title, [{ title: 'Page', text: 'Text.' }]);
    const { id } = await site.call(addSiteSpace, site.site, { body: { spaceId } });
    await site.call(updateSiteSpace, { ...site.site, siteSpaceId: id }, { body: { path: title, condition } });
  }
  const { privateKey } = await site.call(regeneratePublishingAuth, site.site);
  token = await signVisitorToken(
    { plan: 'pro' },
    privateKey,
    Math.floor(site.world.core.clock() / 1000) + 600,
  );
  const link = await site.call(createShareLink, site.site, { body: { name: 'Friends' } });
  share = new URL(link.urls.published ?? '').pathname.split('/')[4] ?? '';
});

it.each([
  ['public', true, ['signed', 'unsigned']],
  ['public', false, ['neither']],
  ['unlisted', true, ['signed', 'unsigned']],
  ['unlisted', false, ['neither']],
  ['share-link', true, ['unsigned']],
  ['share-link', false, ['neither']],
  ['visitor-auth', true, ['signed', 'unsigned']],
  ['visitor-auth', false, ['signed']],
])(
  'a %s site with adaptive content %s shows the same spaces as the API predicts: %j',
  async (visibility, enabled, titles) => {
    await site.call(updateSite, site.site, { body: { visibility, adaptiveContent: { enabled } } });
    const path = visibility === 'share-link' ? `${share}/` : '';
    const cookie = `gitbook-visitor-public=${encodeURIComponent(JSON.stringify(unsigned))}`;
    const shown: string[] = [];
    for (const title of Object.keys(conditions)) {
      const { statusCode } = await site.visit(`${path}${title}/`, {
        authorization: `Bearer ${token}`,
        cookie,
      });
      if (statusCode === 200) shown.push(title);
      else expect(statusCode).toBe(404);
    }
    expect(shown).toEqual(titles);
    const told = async (query: object): Promise<string[]> => {
      const { structure } = await site.call(getPublishedSite, site.site, { query });
      return structure.structure.map(({ title }) => title).filter((title) => title in conditions);
    };
    expect(await told({ visitorToken: token, claims: JSON.stringify({ unsigned }) })).toEqual(titles);
    expect(await told({ claims: JSON.stringify({ plan: 'pro', unsigned }) })).toEqual(titles);
    expect(await told({})).toEqual(Object.keys(conditions));
  },
);
