import { expect, it } from 'vitest';
import { addSection } from '../../src/resources/site-sections/contract.ts';
import { replaceSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { createSiteRedirect } from '../../src/resources/site-redirects/contract.ts';
import { addSiteSpace, updateSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { publishedSite } from './published-site.ts';

const condition = 'visitor.claims.unsigned.plan == "pro"';
const asPro = { cookie: `gitbook-visitor-public=${encodeURIComponent('{"plan":"pro"}')}` };

it('menus, links and llms.txt omit a space whose pages the visitor may not see', async () => {
  const { addSpace, call, site, visit, spaceId, change, pages } = await publishedSite(
    [{ title: 'Start', text: 'Text' }],
    { adaptiveContent: { enabled: true } },
  );
  const closed = (title: string) => addSpace(title, [{ title: `${title} page`, text: 'Text', condition }]);
  // A tab, a menu of versions, and the default space of a section.
  const secret = await closed('Secret');
  await call(addSection, site, { body: { spaceId: secret, title: 'Secret tab' } });
  const api = await call(addSection, site, { body: { spaceId: await closed('API'), title: 'API tab' } });
  const old = await addSpace('API old', [{ title: 'Old', text: 'Text' }]);
  await call(addSiteSpace, site, { body: { spaceId: old, sectionId: api.id } });
  await call(addSiteSpace, site, { body: { spaceId: await closed('Beta'), sectionId: api.id } });
  const to = { kind: 'space', space: secret };
  await call(replaceSiteCustomization, site, {
    body: { header: { preset: 'default', links: [{ title: 'Header link', to, links: [] }] } },
  });
  const link = `[There](https://app.gitbook.com/s/${secret}/)`;
  const page = pages.get('Start')!;
  await change(spaceId, [{ operation: 'update_page', page, document: { markdown: link } }]);
  const siteSpaceId = api.siteSpaces[0]!.id;
  const body = { source: '/old', destination: { kind: 'site-space', siteSpaceId } };
  await call(createSiteRedirect, site, { body });

  const start = (await visit('')).body;
  expect(start).not.toMatch(/Secret|Header link|href="[^"]*\/secret/);
  expect(start).toContain('href="/sites/acme/docs/api-tab/api-old/"');
  const locationOf = async (path: string, headers = {}) => (await visit(path, headers)).headers['location'];
  expect(await locationOf('api-tab/')).toBe('/sites/acme/docs/api-tab/api-old/');
  expect((await visit('api-tab/api-old/')).body).not.toContain('Beta');
  expect((await visit('llms.txt')).body).not.toMatch(/Secret|Beta|## API tab: API$/m);
  const maps = (await visit('sitemap.xml')).body.match(/[^/]+\/[^/]*(?=<\/loc>)/g);
  expect(maps).toEqual(['docs/sitemap-pages.xml', 'api-old/sitemap-pages.xml']);
  for (const path of ['secret-tab/', 'secret-tab/none', 'secret-tab/sitemap-pages.xml', 'old']) {
    const answer = await visit(path);
    expect([answer.statusCode, path]).toEqual([404, path]);
    expect(answer.body).not.toContain('Secret');
  }

  const full = (await visit('', asPro)).body;
  for (const text of ['Secret tab', 'Header link', 'href="/sites/acme/docs/secret-tab/"', 'API tab'])
    expect(full).toContain(text);
  expect((await visit('api-tab/', asPro)).body).toContain('Beta');
  expect(await locationOf('old', asPro)).toBe('/sites/acme/docs/api-tab/');
});

it('the address of a site redirects to the first space in which the visitor can open a page', async () => {
  const { addSpace, call, site, visit } = await publishedSite([{ title: 'Start', text: 'Text', condition }], {
    adaptiveContent: { enabled: true },
  });
  const spaceId = await addSpace('Open', [{ title: 'First', text: 'Text' }]);
  const second = await call(addSiteSpace, site, { body: { spaceId } });
  const first = await visit('');
  expect([first.statusCode, first.headers['location']]).toEqual([307, '/sites/acme/docs/open/']);
  expect((await visit('', asPro)).statusCode).toBe(200);
  // Hidden spaces can be opened, but are in no menu.
  await call(updateSiteSpace, { ...site, siteSpaceId: second.id }, { body: { hidden: true } });
  expect((await visit('')).headers['location']).toBe('/sites/acme/docs/open/');
});

it('menus omit a space whose pages are all hidden, but its pages can be opened', async () => {
  const { addSpace, call, site, visit } = await publishedSite([{ title: 'Start', text: 'Text' }]);
  const spaceId = await addSpace('Drafts', [{ title: 'Draft', text: 'Text', hidden: true }]);
  await call(addSection, site, { body: { spaceId, title: 'Later' } });
  expect((await visit('')).body).not.toContain('Later');
  expect((await visit('later/draft')).statusCode).toBe(200);
});
