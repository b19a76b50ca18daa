import { beforeEach, describe, expect, test } from 'vitest';
import { organizations } from '../../../src/core/rows/organizations.ts';
import { addSection } from '../../../src/resources/site-sections/contract.ts';
import { addSiteSpace, listSiteSpaces } from '../../../src/resources/site-spaces/contract.ts';
import { createShareLink, updateShareLink } from '../../../src/resources/site-share-links/contract.ts';
import {
  createSite,
  deleteSite,
  getPublishedSite,
  getSite,
  getSiteStructure,
  listSites,
  publishSite,
  unpublishSite,
  updateSite,
} from '../../../src/resources/sites/contract.ts';
import { createSitesWorld, type SitesWorld } from './support.ts';
import { siteSpaces } from '../../../src/core/rows/site-spaces.ts';
import { sites } from '../../../src/core/rows/sites.ts';
import { siteSections } from '../../../src/resources/site-sections/rows.ts';
import { shareLinks } from '../../../src/resources/site-share-links/rows.ts';

let world: SitesWorld;
beforeEach(async () => {
  world = await createSitesWorld();
});

describe('creating a site', () => {
  test('makes it unpublished, public and basic by default', async () => {
    const site = await world.call(createSite, {}, {});
    expect(site).toMatchObject({
      object: 'site',
      type: 'basic',
      title: 'Untitled site',
      basename: 'untitled-site',
      visibility: 'public',
      published: false,
      siteSpaces: 0,
      features: [],
      agentsContext: 'included',
      adaptiveContent: { enabled: false },
    });
    expect(site.urls).toEqual({
      location: `http://localhost:8080/v1/orgs/org_acme/sites/${site.id}`,
      app: `http://localhost:8080/o/org_acme/sites/${site.id}`,
    });
    expect(
      await world.call(createSite, {}, { type: 'premium', visibility: 'unlisted', title: 'Docs' }),
    ).toMatchObject({ type: 'premium', visibility: 'unlisted', title: 'Docs' });
  });

  test('adds the given spaces in order, and the first one is the default', async () => {
    const site = await world.site('Docs', await world.space('One'), await world.space('Two'));
    expect(await world.call(getSite, { siteId: site })).toMatchObject({ siteSpaces: 2 });
    expect(await world.sketch(site)).toBe('One* Two');
  });

  test('makes a basename from the title that is unique in the organization', async () => {
    const basenames: (string | undefined)[] = [];
    for (let count = 0; count < 11; count++)
      basenames.push((await world.call(createSite, {}, { title: 'Ünser Handbuch!' })).basename);
    expect(basenames.slice(0, 3)).toEqual(['unser-handbuch', 'unser-handbuch-2', 'unser-handbuch-3']);
    expect(new Set(basenames).size).toBe(11);
    expect(
      (
        await world.call(
          createSite,
          { organizationId: world.otherOrg },
          { title: 'Ünser Handbuch!' },
          undefined,
          'outsider',
        )
      ).basename,
    ).toBe('unser-handbuch');
    expect((await world.call(createSite, {}, { title: '!!' })).basename).toBe('site');
  });

  test('refuses deleted, foreign and missing spaces', async () => {
    const deleted = await world.space('Gone', { state: 'deleted', deletedAt: '2026-01-01T00:00:00.000Z' });
    const foreign = await world.space('Foreign', { organization: world.otherOrg });
    for (const id of [deleted, foreign, 'spc_none']) {
      expect(await world.refusal(createSite, {}, { spaces: [id] })).toMatchObject({
        reason: 'not-found',
        message: `There is no space "${id}" that you can see.`,
      });
    }
    expect((await world.call(listSites, {})).count).toBe(0);
  });

  test('refuses invalid fields', async () => {
    const wrong: [unknown, string][] = [
      [{ title: 'x' }, '/body/title'],
      [{ title: 'x'.repeat(129) }, '/body/title'],
      [{ type: 'gold' }, '/body/type'],
      [{ visibility: 'private' }, '/body/visibility'],
      [{ published: true }, '/body/published'],
      [{ spaces: ['spc_1', 'spc_1'] }, '/body/spaces'],
    ];
    for (const [body, path] of wrong)
      expect(await world.refusal(createSite, {}, body)).toMatchObject({
        reason: 'invalid-input',
        paths: [path],
      });
    expect(await world.call(createSite, {}, { title: 'xy' })).toBeDefined();
    expect(await world.call(createSite, {}, { title: 'x'.repeat(128) })).toBeDefined();
  });
});

describe('listing sites', () => {
  test('filters by space, title, published and type, also combined', async () => {
    const space = await world.space('Shared');
    const docs = await world.site('Docs', space);
    const api = await world.site('API docs', space);
    await world.call(addSection, { siteId: api }, { spaceId: space });
    await world.site('Blog');
    await world.call(createSite, {}, { title: 'Gold', type: 'premium' });
    await world.call(publishSite, { siteId: docs });
    const titles = async (query: unknown) =>
      (await world.call(listSites, {}, undefined, query)).items.map(({ title }) => title);
    expect(await titles({})).toEqual(['Docs', 'API docs', 'Blog', 'Gold']);
    expect(await titles({ space })).toEqual(['Docs', 'API docs']);
    expect(await titles({ title: 'DOCS' })).toEqual(['Docs', 'API docs']);
    expect(await titles({ published: true })).toEqual(['Docs']);
    expect(await titles({ published: false })).toEqual(['API docs', 'Blog', 'Gold']);
    expect(await titles({ type: ['premium'] })).toEqual(['Gold']);
    expect(await titles({ type: ['premium', 'basic'] })).toEqual(await titles({}));
    expect(await titles({ space, published: false, title: 'api' })).toEqual(['API docs']);
    expect(await titles({ space: 'spc_none' })).toEqual([]);
  });

  test('returns each site once over all pages', async () => {
    for (const title of ['Aa', 'Bb', 'Cc', 'Dd', 'Ee']) await world.site(title);
    const seen: string[] = [];
    let page: string | undefined;
    do {
      const answer = await world.call(listSites, {}, undefined, {
        limit: 2,
        ...(page === undefined ? {} : { page }),
      });
      expect(answer.count).toBe(5);
      seen.push(...answer.items.map(({ title }) => title));
      page = answer.next?.page;
    } while (page !== undefined);
    expect(seen).toEqual(['Aa', 'Bb', 'Cc', 'Dd', 'Ee']);
  });
});

describe('changing a site', () => {
  test('changes only the given fields', async () => {
    const site = await world.site('Docs');
    const changed = await world.call(
      updateSite,
      { siteId: site },
      {
        title: 'Handbook',
        visibility: 'visitor-auth',
        basename: 'hb',
        adaptiveContent: { enabled: true },
        agentsContext: 'excluded',
      },
    );
    expect(changed).toMatchObject({
      title: 'Handbook',
      visibility: 'visitor-auth',
      basename: 'hb',
      adaptiveContent: { enabled: true },
      agentsContext: 'excluded',
    });
    expect(await world.call(updateSite, { siteId: site }, {})).toEqual(changed);
    expect(await world.call(getSite, { siteId: site })).toEqual(changed);
  });

  test('refuses the basename and the ID of another site, but accepts its own', async () => {
    const site = await world.site('Docs');
    const blog = await world.site('Blog');
    expect(await world.refusal(updateSite, { siteId: site }, { basename: blog })).toMatchObject({
      reason: 'conflict',
      hint: 'Choose another basename.',
    });
    expect(await world.refusal(updateSite, { siteId: site }, { basename: 'blog' })).toMatchObject({
      reason: 'conflict',
      hint: expect.stringContaining('another basename'),
    });
    expect(await world.call(updateSite, { siteId: site }, { basename: 'docs' })).toMatchObject({
      basename: 'docs',
    });
  });

  test('with a proxy changes the published URL, and null removes the proxy', async () => {
    const site = await world.site('Docs', await world.space('One'));
    await world.call(publishSite, { siteId: site });
    const direct = 'http://localhost:8080/sites/acme/docs/';
    const proxied = await world.call(updateSite, { siteId: site }, { proxy: 'www.example.com/docs/v2' });
    expect(proxied.proxy).toEqual({ origin: 'www.example.com/docs/v2', target: direct });
    expect(proxied.urls.published).toBe('https://www.example.com/docs/v2/');
    const plain = await world.call(updateSite, { siteId: site }, { proxy: null });
    expect(plain).not.toHaveProperty('proxy');
    expect(plain.urls.published).toBe(direct);
    for (const proxy of [
      'example.com',
      'https://example.com/docs',
      'example.com/',
      `example.com/${'a'.repeat(512)}`,
    ]) {
      expect(await world.refusal(updateSite, { siteId: site }, { proxy })).toMatchObject({
        reason: 'invalid-input',
        paths: ['/body/proxy'],
      });
    }
  });

  test('encodes an invalid stored basename as one segment of the URL', async () => {
    const site = await world.site('Docs', await world.space('One'));
    await world.call(publishSite, { siteId: site });
    // Earlier versions stored any text.
    for (const basename of ['../..', '..', 'a/b?c#d', 'ü 1%']) {
      await world.core.store.write((tx) => tx.update(sites, site, { basename }));
      const { published } = (await world.call(getSite, { siteId: site })).urls;
      expect(new URL(published!).pathname.split('/').slice(0, 3)).toEqual(['', 'sites', 'acme']);
      expect(new URL(published!).pathname.split('/')).toHaveLength(5);
    }
  });

  test.each(['..', '.', 'a/b', 'a b', 'Docs!', 'a?b', 'a%20b', 'a\u0085b', 'a\\b'])(
    'refuses a basename that is not a URL segment: %j',
    async (basename) => {
      const site = await world.site('Docs', await world.space('One'));
      expect(await world.refusal(updateSite, { siteId: site }, { basename })).toEqual({
        reason: 'invalid-input',
        message:
          'The input is not valid: basename does not have the expected format (letters, digits and -._~, but not "." or "..").',
        hint: expect.any(String),
        paths: ['/body/basename'],
      });
    },
  );

  test.each(['docs', 'Docs', 'v2.0', 'a_b~c-d', 'über', 'Über', 'गाइड', '...'])(
    'accepts a basename of letters, digits and -._~: %s',
    async (basename) => {
      const site = await world.site('Docs', await world.space('One'));
      expect(await world.call(updateSite, { siteId: site }, { basename })).toMatchObject({ basename });
    },
  );

  test('can set the default site space at the root or in the default section', async () => {
    const [one, two, three] = [
      await world.space('One'),
      await world.space('Two'),
      await world.space('Three'),
    ];
    const site = await world.site('Docs', one, two);
    const [, second] = (await world.call(listSiteSpaces, { siteId: site })).items;
    await world.call(updateSite, { siteId: site }, { defaultSiteSpace: second!.id });
    expect(await world.sketch(site)).toBe('One Two*');
    const section = await world.call(addSection, { siteId: site }, { spaceId: three });
    expect(await world.sketch(site)).toBe('Two*[One Two*] Three[Three*]');
    expect(
      await world.refusal(updateSite, { siteId: site }, { defaultSiteSpace: section.siteSpaces[0]!.id }),
    ).toMatchObject({
      reason: 'invalid-input',
      paths: ['/body/defaultSiteSpace'],
    });
    const fourth = await world.call(addSiteSpace, { siteId: site }, { spaceId: one, sectionId: section.id });
    await world.call(
      updateSite,
      { siteId: site },
      { defaultSiteSection: section.id, defaultSiteSpace: fourth.id },
    );
    expect(await world.sketch(site)).toBe('Two[One Two*] Three*[Three One*]');
  });

  test('refuses defaults of another site, and changes nothing else', async () => {
    const site = await world.site('Docs', await world.space('One'));
    const other = await world.site('Other', await world.space('Two'));
    const [foreign] = (await world.call(listSiteSpaces, { siteId: other })).items;
    expect(
      await world.refusal(updateSite, { siteId: site }, { title: 'New', defaultSiteSpace: foreign!.id }),
    ).toMatchObject({ reason: 'not-found' });
    expect(
      await world.refusal(updateSite, { siteId: site }, { title: 'New', defaultSiteSection: 'sitesc_none' }),
    ).toMatchObject({ reason: 'not-found' });
    expect(await world.call(getSite, { siteId: site })).toMatchObject({ title: 'Docs' });
  });
});

describe('publishing a site', () => {
  test('requires a space, returns its URL, and can be undone', async () => {
    const site = await world.site('Docs');
    expect(await world.refusal(publishSite, { siteId: site })).toMatchObject({
      reason: 'conflict',
      hint: expect.stringContaining('site-spaces add'),
    });
    await world.call(addSiteSpace, { siteId: site }, { spaceId: await world.space('One') });
    expect(await world.call(publishSite, { siteId: site })).toMatchObject({
      published: true,
      urls: { published: 'http://localhost:8080/sites/acme/docs/' },
    });
    const off = await world.call(unpublishSite, { siteId: site });
    expect(off.published).toBe(false);
    expect(off.urls).not.toHaveProperty('published');
  });

  test('makes the published site readable, with the URLs of its structure', async () => {
    const site = await world.site('Docs', await world.space('One'), await world.space('Two'));
    expect(await world.refusal(getPublishedSite, { siteId: site })).toMatchObject({
      reason: 'not-found',
      hint: expect.stringContaining('sites publish'),
    });
    await world.call(publishSite, { siteId: site });
    const published = await world.call(getPublishedSite, { siteId: site });
    expect(published).toMatchObject({
      object: 'published-content-site',
      site: { id: site },
      structure: { type: 'siteSpaces' },
      scripts: [],
      customizations: { siteSpaces: {} },
    });
    expect(
      published.structure.structure.map(({ urls }: { urls?: { published?: string } }) => urls?.published),
    ).toEqual(['http://localhost:8080/sites/acme/docs/', 'http://localhost:8080/sites/acme/docs/two/']);
    await world.call(addSection, { siteId: site }, { spaceId: await world.space('Three'), title: 'API' });
    const { structure } = await world.call(getPublishedSite, { siteId: site });
    expect(structure.type).toBe('sections');
    expect(structure.structure.map(({ urls }: { urls?: { published?: string } }) => urls?.published)).toEqual(
      ['http://localhost:8080/sites/acme/docs/', 'http://localhost:8080/sites/acme/docs/api/'],
    );
  });

  test('with share links shows inner URLs only with the key of an active link of the site', async () => {
    const site = await world.site('Docs', await world.space('One'));
    const other = await world.site('Other', await world.space('Two'));
    for (const siteId of [site, other])
      await world.call(updateSite, { siteId }, { visibility: 'share-link' });
    await world.call(publishSite, { siteId: site });
    const link = await world.call(createShareLink, { siteId: site }, { name: 'Partners' });
    const foreign = await world.call(createShareLink, { siteId: other }, { name: 'Elsewhere' });
    const keyOf = (url: string | undefined) => url!.split('/').at(-2)!;
    const key = keyOf(link.urls.published);
    const address = async (query: unknown) => {
      const { structure } = await world.call(getSiteStructure, { siteId: site }, undefined, query, 'read');
      return (structure[0] as { urls: { published?: string } }).urls.published;
    };
    expect(await address({})).toBeUndefined();
    expect(await address({ shareKey: key })).toBe(`http://localhost:8080/sites/acme/docs/${key}/`);
    for (const shareKey of ['', 'x', keyOf(foreign.urls.published), key.slice(0, -1), `${key} `]) {
      expect(await address({ shareKey })).toBeUndefined();
      expect(await world.refusal(getPublishedSite, { siteId: site }, undefined, { shareKey })).toMatchObject({
        reason: 'not-found',
      });
    }
    expect(
      await world.call(getPublishedSite, { siteId: site }, undefined, { shareKey: key }, 'read'),
    ).toBeDefined();
    expect(await world.call(getPublishedSite, { siteId: site }, undefined, {}, 'read')).toBeDefined();
    await world.call(updateShareLink, { siteId: site, shareLinkId: link.id }, { active: false });
    expect(await address({ shareKey: key })).toBeUndefined();
    expect(
      await world.refusal(getPublishedSite, { siteId: site }, undefined, { shareKey: key }),
    ).toMatchObject({ reason: 'not-found' });
  });
});

describe('deleting a site', () => {
  test('deletes what belongs only to the site, and clears defaultContent of the organization', async () => {
    const space = await world.space('One');
    const site = await world.site('Docs', space);
    const kept = await world.site('Kept', space);
    await world.call(addSection, { siteId: site }, { spaceId: space });
    await world.call(createShareLink, { siteId: site }, { name: 'x' });
    await world.core.store.write((tx) =>
      tx.update(organizations, world.org, { defaultContent: { type: 'site', site } }),
    );
    expect(await world.call(deleteSite, { siteId: site })).toBeUndefined();
    expect(await world.refusal(deleteSite, { siteId: site })).toMatchObject({ reason: 'not-found' });
    expect(await world.refusal(getSite, { siteId: site })).toMatchObject({ reason: 'not-found' });
    await world.core.store.read(async (view) => {
      expect(await view.count(siteSpaces, 'bySite', [site])).toBe(0);
      expect(await view.count(siteSections, 'bySite', [site])).toBe(0);
      expect(await view.count(shareLinks, 'bySite', [site])).toBe(0);
      expect((await view.get(organizations, world.org))?.defaultContent).toBeNull();
    });
    expect((await world.call(listSites, {}, undefined, { space })).items.map(({ id }) => id)).toEqual([kept]);
  });
});

describe('access to sites', () => {
  test('depends on the role: members read, creators create, administrators change, outsiders see nothing', async () => {
    const site = await world.site('Docs', await world.space('One'));
    const params = { siteId: site };
    const writes = [
      [updateSite, { title: 'Mine' }],
      [publishSite, undefined],
      [unpublishSite, undefined],
    ] as const;
    for (const who of ['create', 'review', 'edit', 'comment', 'read'] as const) {
      expect(await world.call(getSite, params, undefined, undefined, who)).toMatchObject({ id: site });
      expect(await world.call(getSiteStructure, params, undefined, undefined, who)).toBeDefined();
      for (const [operation, body] of writes)
        expect(await world.refusal(operation, params, body, undefined, who)).toMatchObject({
          reason: 'forbidden',
        });
      expect(await world.refusal(deleteSite, params, undefined, undefined, who)).toMatchObject({
        reason: 'forbidden',
      });
    }
    expect(await world.call(createSite, {}, { title: 'By create' }, undefined, 'create')).toBeDefined();
    for (const who of ['review', 'read', 'guest'] as const)
      expect(await world.refusal(createSite, {}, {}, undefined, who)).toMatchObject({ reason: 'forbidden' });
    expect(await world.refusal(getSite, params, undefined, undefined, 'guest')).toMatchObject({
      reason: 'not-found',
    });
    for (const operation of [getSite, deleteSite, listSites])
      expect(await world.refusal(operation, params, undefined, undefined, 'outsider')).toMatchObject({
        reason: 'not-found',
      });
    expect(
      await world.refusal(
        getSite,
        { ...params, organizationId: world.otherOrg },
        undefined,
        undefined,
        'outsider',
      ),
    ).toMatchObject({ reason: 'not-found' });
    expect(await world.refusal(getSite, params, undefined, undefined, 'nobody')).toMatchObject({
      reason: 'unauthenticated',
    });
  });
});
