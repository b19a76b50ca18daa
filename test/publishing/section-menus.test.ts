import { beforeAll, expect, it } from 'vitest';
import { addExternalLink } from '../../src/resources/site-external-links/contract.ts';
import { addSectionGroup } from '../../src/resources/site-section-groups/contract.ts';
import { addSection, listSiteSections, updateSection } from '../../src/resources/site-sections/contract.ts';
import { addSiteSpace, updateSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

let site: PublishedSite;

beforeAll(async () => {
  site = await publishedSite([{ title: 'Start', text: 'Text' }]);
  for (const title of ['API', 'Events']) {
    const spaceId = await site.addSpace(title, [{ title: 'Start', text: 'Text' }]);
    const { id } = await site.call(addSection, site.site, { body: { spaceId, title } });
    await site.call(
      updateSection,
      { ...site.site, siteSectionId: id },
      { body: { description: `About ${title}` } },
    );
  }
  const { items } = await site.call(listSiteSections, site.site);
  const [guide = '', api = '', events = ''] = items.map(({ id }) => id);
  const outer = await site.call(addSectionGroup, site.site, {
    body: { title: 'Developers', sections: [guide, api] },
  });
  await site.call(addSectionGroup, site.site, {
    body: { title: 'Webhooks', icon: 'bell', parent: outer.id, sections: [events] },
  });
  await site.call(addExternalLink, site.site, {
    body: {
      title: 'Status',
      url: 'https://status.test/',
      description: 'Is it up?',
      parent: outer.id,
    },
  });
});

const menu = async (): Promise<string> =>
  /<nav class="sections".*?<\/nav>/s.exec((await site.visit('')).body)?.[0] ?? '';

it('a site whose only tab is a group still has a menu of its sections', async () => {
  expect(await menu()).toContain('Developers');
  expect(await menu()).toContain('/sites/acme/docs/api/');
});

it('a menu shows which tab and which of its sections the page is in', async () => {
  const { body } = await site.visit('api/');
  expect(body).toMatch(/<summary class="current">.*?Developers/);
  expect(body).toMatch(/<a href="[^"]*\/api\/"[^>]* aria-current="true">/);
});

it('a menu shows the descriptions of sections and links', async () => {
  expect(await menu()).toContain('<span class="menu-note">About API</span>');
  expect(await menu()).toContain('<span class="menu-note">Is it up?</span>');
});

it('a group inside a group has a heading in the menu, above its sections', async () => {
  expect(await menu()).toMatch(
    /<li class="menu-group"><p><svg[^>]*>.*?<\/svg>Webhooks<\/p><ul><li><a href="[^"]*\/events\/">/s,
  );
});

it('the description of a tab is its tooltip', async () => {
  const spaceId = await site.addSpace('Blog', [{ title: 'Start', text: 'Text' }]);
  const { id } = await site.call(addSection, site.site, { body: { spaceId, title: 'Blog' } });
  await site.call(
    updateSection,
    { ...site.site, siteSectionId: id },
    { body: { description: 'What is new' } },
  );
  expect(await menu()).toContain('title="What is new"');
  expect((await site.visit('blog/')).body).not.toContain('<summary class="current">');
});

it('llms.txt includes the descriptions of sections', async () => {
  expect((await site.visit('llms.txt')).body).toMatch(/^## API: API\n\nAbout API\n\n- /m);
});

it('a section whose spaces are all hidden has a tab only on its own pages', async () => {
  const { call, site: at } = site;
  const pages = [{ title: 'Start', text: 'Text' }];
  const add = async (title: string) =>
    call(addSection, at, { body: { spaceId: await site.addSpace(title, pages), title } });
  const show = (siteSpaceId: string, hidden: boolean) =>
    call(updateSiteSpace, { ...at, siteSpaceId }, { body: { hidden } });
  const internal = await add('Internal');
  const inGroup = await add('Drafts');
  await call(addSectionGroup, at, { body: { title: 'Later', sections: [inGroup.id] } });
  const own = internal.siteSpaces[0]!.id;
  expect(await menu()).toMatch(/Internal.*Later.*Drafts/s);
  await show(own, true);
  await show(inGroup.siteSpaces[0]!.id, true);
  expect(await menu()).not.toMatch(/Internal|Later|Drafts/);
  expect((await site.visit('internal/')).body).toMatch(/<nav class="sections".*Internal.*<\/nav>/s);

  const body = { spaceId: await site.addSpace('Public', pages), sectionId: internal.id };
  await call(addSiteSpace, at, { body });
  expect(await menu()).toContain('href="/sites/acme/docs/internal/public/"');
  await show(own, false);
  expect(await menu()).toContain('href="/sites/acme/docs/internal/"');
});
