import { expect, it } from 'vitest';
import { addSection, listSiteSections, moveSection } from '../../src/resources/site-sections/contract.ts';
import { addSiteSpace, updateSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { listSitePaths } from '../../src/resources/site-paths/contract.ts';
import { publishedSite } from './published-site.ts';

it('the address of a section redirects to the first of its spaces that the visitor can open', async () => {
  const { addSpace, call, site, visit } = await publishedSite([{ title: 'Guide', text: 'Text' }]);
  const space = async (title: string) => ({ spaceId: await addSpace(title, [{ title, text: 'Text' }]) });
  const api = await call(addSection, site, { body: await space('API') });
  const sectionId = api.id;
  await call(addSiteSpace, site, { body: { ...(await space('API old')), sectionId } });
  const locationOf = async (path: string) => (await visit(path)).headers['location'];
  expect([(await visit('api/')).statusCode, await locationOf('api/')]).toEqual([200, undefined]);

  const condition = 'visitor.claims.unsigned.plan == "pro"';
  const hide = (siteSpaceId = '') => call(updateSiteSpace, { ...site, siteSpaceId }, { body: { condition } });
  await hide(api.siteSpaces[0]?.id);
  const other = '/sites/acme/docs/api/api-old/';
  for (const path of ['api/', 'api', 'API/']) {
    const answer = await visit(path);
    expect([answer.statusCode, answer.headers['location']]).toEqual([307, other]);
  }
  expect((await visit('')).body).toContain(`href="${other}"`);
  const { paths } = await call(listSitePaths, site);
  expect(paths).toContainEqual(expect.objectContaining({ path: 'api/', kind: 'redirect' }));

  // At the root of the site, the spaces of the default section come first, wherever the section is.
  const { items } = await call(listSiteSections, site);
  const start = items.find((item) => item.default)!;
  const body = { ...(await space('Guide old')), sectionId: start.id };
  await call(addSiteSpace, site, { body });
  await call(moveSection, { ...site, siteSectionId: start.id }, { body: {} });
  await hide(start.siteSpaces[0]?.id);
  expect(await locationOf('')).toBe('/sites/acme/docs/guide-old/');
});
