import { expect, it } from 'vitest';
import { siteEndpoints } from '../../src/publishing/endpoints.ts';
import { addSection, updateSection } from '../../src/resources/site-sections/contract.ts';
import { listSiteSpaces, updateSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { reservedPaths } from '../../src/resources/site-structure/paths.ts';
import { publishedSite } from './published-site.ts';

it('the paths of files that a site generates are reserved', () => {
  const names = [...Object.keys(siteEndpoints), 'sitemap-pages.xml'];
  expect(reservedPaths).toEqual(names.filter((name) => !name.startsWith('~')).sort());
});

it('a section or space cannot have a reserved path', async () => {
  const { addSpace, call, site } = await publishedSite([{ title: 'Start', text: 'Text' }]);
  const spaceId = await addSpace('API', [{ title: 'Start', text: 'Text' }]);
  const { id: siteSectionId } = await call(addSection, site, { body: { spaceId, title: 'API' } });
  const { items } = await call(listSiteSpaces, site);
  const siteSpaceId = items[0]?.id ?? '';
  for (const path of ['llms.txt', 'Sitemap.xml', 'sitemap-pages-2.xml', '~gitbook']) {
    const refused = { reason: 'invalid-input', message: `Sites use the path "${path}" for something else.` };
    const body = { body: { path } };
    await expect(call(updateSection, { ...site, siteSectionId }, body)).rejects.toMatchObject(refused);
    await expect(call(updateSiteSpace, { ...site, siteSpaceId }, body)).rejects.toMatchObject(refused);
  }
  await call(updateSection, { ...site, siteSectionId }, { body: { path: 'v1.2' } });
});
