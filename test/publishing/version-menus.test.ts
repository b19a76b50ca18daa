import { beforeAll, expect, it } from 'vitest';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { updateSpace } from '../../src/resources/spaces/contract.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

let site: PublishedSite;

beforeAll(async () => {
  site = await publishedSite([{ title: 'Start', text: 'Text' }]);
  await site.call(updateSpace, { spaceId: site.spaceId }, { body: { language: 'en' } });
  for (const [title, language] of [['Handbuch', 'de'] as const, ['Older'] as const]) {
    const spaceId = await site.addSpace(title, [{ title: 'Start', text: 'Text' }]);
    if (language !== undefined) await site.call(updateSpace, { spaceId }, { body: { language } });
    await site.call(addSiteSpace, site.site, { body: { spaceId } });
  }
});

/** The targets of the menus in the header of a page. */
async function menusOf(path: string): Promise<Record<string, string[]>> {
  const { body } = await site.visit(path);
  const [header = ''] = /<div class="header-extras">.*?<div class="header-space">/s.exec(body) ?? [];
  const menus = [...header.matchAll(/<details class="picker picker-(\w+)".*?<\/details>/gs)];
  return Object.fromEntries(
    menus.map(([menu, name = '']) => [
      name,
      [...menu.matchAll(/href="\/sites\/acme\/docs\/([^"]*)"/g)].map(([, href = '']) => href),
    ]),
  );
}

it('a space without a language is a version in the language of the site', async () => {
  expect(await menusOf('')).toEqual({ variants: ['', 'older/'], languages: ['', 'handbuch/'] });
  expect(await menusOf('older/')).toEqual({ variants: ['', 'older/'], languages: ['older/', 'handbuch/'] });
  expect(await menusOf('handbuch/')).toEqual({ languages: ['', 'handbuch/'] });
});

it('only the first version of each language is an alternate for search engines', async () => {
  const languagesOf = async (path: string) => {
    const { body } = await site.visit(path);
    return [...body.matchAll(/<link rel="alternate" hreflang="(\w+)" href="[^"]*\/docs\/([^"]*)">/g)].map(
      ([, language, href]) => `${language} ${href}`,
    );
  };
  expect(await languagesOf('')).toEqual(['en ', 'de handbuch/']);
  expect(await languagesOf('handbuch/')).toEqual(['en ', 'de handbuch/']);
  expect(await languagesOf('older/')).toEqual([]);
});
