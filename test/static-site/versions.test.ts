import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { addSiteSpace, updateSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { addSection, listSiteSections } from '../../src/resources/site-sections/contract.ts';
import { updateSpace } from '../../src/resources/spaces/contract.ts';
import { Finder } from '../../src/static-site/finder.ts';
import { publishedSite, type PublishedSite } from '../publishing/published-site.ts';
import { buildFolder } from './built-site.ts';

interface Found {
  readonly title: string;
  readonly place?: string;
  readonly href: string;
}

describe('a search on a site with versions and languages', () => {
  let site: PublishedSite;
  let finder: Finder;

  beforeAll(async () => {
    site = await publishedSite([
      { title: 'Welcome', text: 'Hello.' },
      { title: 'Setup', text: 'Needs the gizmo.' },
    ]);
    const { call, spaceId } = site;
    await call(updateSpace, { spaceId }, { body: { language: 'en' } });
    const api = await site.addSpace('API', [
      { title: 'Welcome', text: 'Hello.' },
      { title: 'Calls', text: 'Calls of the gizmo.' },
      { title: 'Setup', text: 'The gizmo of the API.' },
    ]);
    // The existing space becomes a section with its title.
    await call(addSection, site.site, { body: { spaceId: api, title: 'Reference' } });
    const add = async (title: string, texts: Readonly<Record<string, string>>, sectionId: string) => {
      const pages = Object.entries({ Welcome: 'Hello.', ...texts }).map(([name, text]) => ({
        title: name,
        text,
      }));
      const id = await site.addSpace(title, pages);
      await call(addSiteSpace, site.site, { body: { spaceId: id, sectionId, title } });
      return id;
    };
    const sections = await listed(site);
    await add('v1', { Setup: 'Needs the gizmo.', Retired: 'The old gizmo.' }, sections.get('Guide') ?? '');
    const german = await add('Deutsch', { Setup: 'Braucht das gizmo.' }, sections.get('Guide') ?? '');
    await call(updateSpace, { spaceId: german }, { body: { language: 'de' } });
    await add('v1', { Calls: 'Calls of the old gizmo.' }, sections.get('Reference') ?? '');
    const built = buildFolder(site);
    await built.build();
    finder = new Finder(async (file) => {
      let value: unknown;
      runInNewContext(built.read(`~search/${file}`), { docsctlData: (given: unknown) => (value = given) });
      return JSON.parse(JSON.stringify(value)) as unknown;
    });
  });

  /** The results of a search on the server and in a built site: breadcrumbs, titles and paths below the site. */
  const search = async (from?: string) => {
    const query = new URLSearchParams({ q: 'gizmo', ...(from === undefined ? {} : { space: from }) });
    const answer = await site.visit(`~gitbook/search?${query.toString()}`, { accept: 'application/json' });
    const online = answer
      .json<{ items: Found[] }>()
      .items.map(
        ({ place = '', title, href }) => `${place} › ${title} ${href.replace('/sites/acme/docs/', '')}`,
      );
    const offline = (await finder.find('gizmo', from)).map(
      ({ place, title, address }) => `${place} › ${title} ${address.replace(/\/$/, '')}`,
    );
    expect([...offline].sort()).toEqual([...online].sort());
    return { online, offline };
  };

  it('returns the default version of each section, and only those pages of others that it lacks', async () => {
    const { online, offline } = await search();
    for (const found of [online, offline]) {
      expect(found.slice(0, 3).sort()).toEqual([
        'Guide › Setup setup',
        'Reference › Calls reference/calls',
        'Reference › Setup reference/setup',
      ]);
      expect(found.slice(3)).toEqual(['Guide › v1 › Retired v1/retired']);
    }
  });

  it('returns the open version first, in each section', async () => {
    const { online, offline } = await search('v1/');
    for (const found of [online, offline]) {
      expect(found.slice(0, 3).sort()).toEqual([
        'Guide › Retired v1/retired',
        'Guide › Setup v1/setup',
        'Reference › Calls reference/v1/calls',
      ]);
      // The version of the reference has no such page.
      expect(found.slice(3)).toEqual(['Reference › API › Setup reference/setup']);
    }
  });

  it('returns the open language first', async () => {
    const { online } = await search('deutsch/');
    expect(online).toContain('Guide › Setup deutsch/setup');
    expect(online).not.toContain('Guide › Setup setup');
    expect(online.at(-1)).toBe('Guide › v1 › Retired v1/retired');
  });

  it('gets the open space from a form field on each page', async () => {
    expect((await site.visit('v1/setup')).body).toContain('<input type="hidden" name="space" value="v1/">');
    const { body } = await site.visit('~gitbook/search?q=gizmo&space=v1%2F');
    expect(body).toContain('<input type="hidden" name="space" value="v1/">');
    expect(body).toContain('href="/sites/acme/docs/v1/setup"');
    // An unknown path is ignored.
    expect((await search('nowhere')).online).toEqual((await search()).online);
  });

  it('does not prefer a hidden version', async () => {
    const sections = await listed(site);
    const add = async (pages: string, hidden: boolean) => {
      const spaceId = await site.addSpace(pages, [{ title: pages, text: 'Ruft das gizmo auf.' }]);
      await site.call(updateSpace, { spaceId }, { body: { language: 'de' } });
      const body = { spaceId, sectionId: sections.get('Reference') ?? '', title: pages };
      const { id } = await site.call(addSiteSpace, site.site, { body });
      await site.call(updateSiteSpace, { ...site.site, siteSpaceId: id }, { body: { hidden } });
    };
    await add('Entwurf', true);
    await add('Aufrufe', false);
    const query = new URLSearchParams({ q: 'gizmo', space: 'deutsch/' });
    const answer = await site.visit(`~gitbook/search?${query.toString()}`, { accept: 'application/json' });
    const place = answer.json<{ items: Found[] }>().items.find(({ title }) => title === 'Aufrufe')?.place;
    expect(place).toBe('Reference');
  });
});

/** The IDs of the sections by their titles. */
async function listed(site: PublishedSite): Promise<ReadonlyMap<string, string>> {
  const { items } = await site.call(listSiteSections, site.site);
  return new Map(items.map(({ title, id }) => [title, id]));
}
