import { expect, it } from 'vitest';
import { organizations } from '../../src/core/rows/organizations.ts';
import { updateOrganization } from '../../src/resources/organizations/contract.ts';
import { unpublishSite, updateSite } from '../../src/resources/sites/contract.ts';
import { publishedSite } from './published-site.ts';

it('a site is at its basename, even if that has capital letters', async () => {
  const site = await publishedSite([{ title: 'Start', text: 'Text' }]);
  const statusAt = async (name: string) =>
    (await site.server.inject({ url: `/sites/acme/${name}/` })).statusCode;
  expect(await statusAt('docs')).toBe(200);
  await site.call(updateSite, site.site, { body: { basename: 'HandBook' } });
  expect([await statusAt('HandBook'), await statusAt('docs')]).toEqual([200, 404]);
});

it.each(['.', '..'])(
  'a site cannot have the basename "%s", which has a special meaning in paths',
  async (basename) => {
    const { call, site } = await publishedSite([{ title: 'Start', text: 'Text' }]);
    const refused = { reason: 'invalid-input' };
    await expect(call(updateSite, site, { body: { basename } })).rejects.toMatchObject(refused);
  },
);

it('a slug can end like the address of a Markdown file or feed, but cannot consist of dots', async () => {
  const { change, spaceId, visit } = await publishedSite([
    { title: 'Start', text: 'Text' },
    { title: 'The file', text: 'About it', slug: 'readme.md' },
    { title: 'The feed', text: 'About it', slug: 'rss.xml' },
  ]);
  for (const path of ['readme.md', 'rss.xml']) {
    const { statusCode, headers } = await visit(path);
    expect([path, statusCode, headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
  }
  expect((await visit('readme.md.md')).body).toContain('# The file');
  const wrong = { operation: 'insert_page', title: 'Dots', slug: '..', document: { markdown: '' } };
  await expect(change(spaceId, [wrong])).rejects.toMatchObject({ reason: 'invalid-input' });
});

it('the address of an organization redirects to its default site, as long as visitors can open it', async () => {
  const { call, server, site, world } = await publishedSite([{ title: 'Start', text: 'Text' }]);
  const open = async (url = '/sites/acme/'): Promise<unknown[]> => {
    const { statusCode, headers } = await server.inject({ url });
    return [statusCode, headers.location];
  };
  const there = [307, 'https://docs.test/sites/acme/docs/'];
  // A single public site needs no default content. Other sites are not revealed.
  expect(await open()).toEqual(there);
  await call(updateSite, site, { body: { visibility: 'unlisted' } });
  expect(await open()).toEqual([404, undefined]);
  await call(updateSite, site, { body: { visibility: 'public' } });
  // The host leads to a site only if the store has a single organization.
  expect(await open('/')).toEqual([404, undefined]);
  await world.core.store.write((tx) => tx.remove(organizations, world.otherOrg));
  expect(await open('/')).toEqual(there);
  const organization = { organizationId: world.org };
  const defaultContent = { type: 'site', site: site.siteId };
  await call(updateOrganization, organization, { body: { defaultContent } });
  expect(await open()).toEqual([307, 'https://docs.test/sites/acme/docs/']);
  await call(updateSite, site, { body: { visibility: 'share-link' } });
  expect(await open()).toEqual([404, undefined]);
  await call(updateSite, site, { body: { visibility: 'unlisted' } });
  expect(await open()).toEqual([307, 'https://docs.test/sites/acme/docs/']);
  expect(await open('/')).toEqual(there);
  await call(unpublishSite, site);
  expect([await open(), await open('/')]).toEqual([
    [404, undefined],
    [404, undefined],
  ]);
});
