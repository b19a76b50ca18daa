import { beforeAll, expect, it } from 'vitest';
import { overrideSiteSpaceCustomization } from '../../src/resources/site-customization/contract.ts';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { updateSpace } from '../../src/resources/spaces/contract.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

let site: PublishedSite;
let siteSpaceId: string;
/** More pages below one page than the first response of a table of contents contains. */
const many = Array.from({ length: 130 }, (_, index) => ({ title: `Seite ${index}`, text: 'Text' }));

beforeAll(async () => {
  site = await publishedSite([{ title: 'Start', text: 'Text' }]);
  await site.call(updateSpace, { spaceId: site.spaceId }, { body: { language: 'fr' } });
});

it('the search page is in the language of the only space', async () => {
  const { body } = await site.visit('~gitbook/search?q=nichts');
  expect(body).toContain('<html lang="fr"');
  expect(body).toContain('<h1>Rechercher</h1>');
});

it('the search page has the language and appearance of the space in which the reader searches', async () => {
  const german = await site.addSpace('Handbuch', [{ title: 'Anfang', text: 'Text' }]);
  await site.call(updateSpace, { spaceId: german }, { body: { language: 'de' } });
  siteSpaceId = (await site.call(addSiteSpace, site.site, { body: { spaceId: german } })).id;
  await site.call(
    overrideSiteSpaceCustomization,
    { ...site.site, siteSpaceId },
    { body: { title: 'Eigener Titel' } },
  );
  const from = async (space: string) =>
    (await site.visit(`~gitbook/search?q=nichts&space=${encodeURIComponent(space)}`)).body;
  expect(await from('handbuch/')).toContain('<html lang="de"');
  expect(await from('handbuch/')).toContain('Eigener Titel');
  expect(await from('')).toContain('<html lang="fr"');
  // Without a space, the search page is in the language of the site.
  expect((await site.visit('~gitbook/search?q=nichts')).body).toContain('<html lang="en"');
});

it('search results name the pages above a page, and its space if there are several', async () => {
  const { spaceId, pages } = site;
  const insert = { operation: 'insert_page', title: 'Deep', into: pages.get('Start') };
  await site.change(spaceId, [{ ...insert, document: { markdown: 'The zebra.' } }]);
  const answer = await site.visit('~gitbook/search?q=zebra', { accept: 'application/json' });
  expect(JSON.parse(answer.body).items).toMatchObject([{ title: 'Deep', place: 'Guide › Start' }]);
});

it('entries of a table of contents that are loaded later are in the language of their space', async () => {
  const { pages } = await addBranch();
  const { body } = await site.visit(`~gitbook/navigation?page=${pages}`);
  expect(body).toContain('aria-label="Unterseiten');
});

/** Adds a page with pages below it, one of which has pages too. */
async function addBranch(): Promise<{ readonly pages: string }> {
  const german = await site.addSpace('Viele', [...many, { title: 'Oben', text: 'Text' }]);
  await site.call(updateSpace, { spaceId: german }, { body: { language: 'de' } });
  await site.call(addSiteSpace, site.site, { body: { spaceId: german } });
  const insert = (title: string, into: string) => ({
    operation: 'insert_page',
    title,
    into,
    document: { markdown: 'Text' },
  });
  await site.change(german, [insert('Mitte', site.pages.get('Oben') ?? '')]);
  await site.change(german, [insert('Unten', site.pages.get('Mitte') ?? '')]);
  return { pages: site.pages.get('Oben') ?? '' };
}
