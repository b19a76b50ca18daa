import { expect, it } from 'vitest';
import { readSitePaths } from '../../src/resources/site-paths/contract.ts';
import { createSiteRedirect } from '../../src/resources/site-redirects/contract.ts';
import { listSiteSpaces } from '../../src/resources/site-spaces/contract.ts';
import { addSection, updateSection } from '../../src/resources/site-sections/contract.ts';
import { publishedSite } from './published-site.ts';

it('redirects that form a loop after a change of the site have no effect', async () => {
  const { addSpace, call, site, visit } = await publishedSite([{ title: 'Start', text: 'Text' }]);
  const section = async (title: string) => {
    const spaceId = await addSpace(title, [
      { title: 'Start', text: 'Text' },
      { title, text: 'Text' },
    ]);
    return (await call(addSection, site, { body: { title, spaceId } })).id;
  };
  const [one, two] = [await section('One'), await section('Two')];
  const redirect = (source: string, siteSectionId: string) => {
    const destination = { kind: 'site-section', siteSectionId };
    return call(createSiteRedirect, site, { body: { source, captureWildcard: true, destination } });
  };
  const move = (siteSectionId: string, path: string) =>
    call(updateSection, { ...site, siteSectionId }, { body: { path } });
  await move(one, 'three');
  await redirect('/one/*', one);
  expect((await visit('one/none')).headers['location']).toBe('/sites/acme/docs/three/none');
  await redirect('/two/*', one);
  await move(two, 'one');
  await move(one, 'two');
  await redirect('/four/*', two);
  const answer = async (path: string) => {
    const { statusCode, headers } = await visit(path);
    return [statusCode, headers['location']];
  };
  expect(await answer('one/none')).toEqual([404, undefined]);
  expect(await answer('two/none')).toEqual([404, undefined]);
  expect(await answer('one/one')).toEqual([307, '/sites/acme/docs/two/one']);
  expect(await answer('four/two')).toEqual([307, '/sites/acme/docs/one/two']);
});

it('redirects match encoded slashes, stars and percent signs, and keep percent signs of the rest', async () => {
  const { call, site, visit } = await publishedSite([{ title: 'Start', text: 'Text' }]);
  const redirect = (source: string, url: string) => {
    const captureWildcard = source.endsWith('*');
    const destination = { kind: 'external', url: `https://example.com/${url}` };
    return call(createSiteRedirect, site, { body: { source, captureWildcard, destination } });
  };
  await redirect('/a%2Fb', 'slash');
  await redirect('/100%25', 'percent');
  await redirect('/all%2A', 'star');
  await redirect('/50%25/*', 'rest');
  const locationOf = async (path: string) =>
    (await visit(path)).headers['location']?.toString().replace('https://example.com/', '');
  const paths = ['a%2Fb', 'a/b', '100%25', 'all%2a', 'all*', '50%25/x%2Fy/1%25'];
  expect(await Promise.all(paths.map(locationOf))).toEqual([
    'slash',
    'slash',
    'percent',
    'star',
    'star',
    'rest/x/y/1%25',
  ]);
});

it('a redirect to a URL works even if the site has no address', async () => {
  const { call, site, visit } = await publishedSite([{ title: 'Start', text: 'Text' }]);
  const url = 'https://example.com/';
  await call(createSiteRedirect, site, { body: { source: '/old', destination: { kind: 'external', url } } });
  expect((await visit('old')).headers['location']).toBe(url);
  const { answers } = await call(readSitePaths, site, { query: { paths: '["old"]' } });
  expect(answers).toMatchObject([{ status: 307, location: url }]);
});

it('the old address of the Markdown of a page leads to its new address', async () => {
  const { call, change, pages, site, spaceId, visit } = await publishedSite([
    { title: 'Start', text: 'Text' },
    { title: 'Setup', text: 'How to.' },
  ]);
  const { items } = await call(listSiteSpaces, site, { query: {} });
  const redirect = (source: string, title: string, more: object = {}) => {
    const destination = { kind: 'site-page', siteSpaceId: items[0]?.id, pageId: pages.get(title) };
    return call(createSiteRedirect, site, { body: { source, destination, ...more } });
  };
  await redirect('/old', 'Setup', { permanent: true });
  await redirect('/first', 'Start');
  const url = 'https://example.com/';
  const body = { source: '/away/*', destination: { kind: 'external', url }, captureWildcard: true };
  await call(createSiteRedirect, site, { body });
  await change(spaceId, [
    { operation: 'insert_page', title: 'Part', type: 'group', ref: 'part', document: {} },
    { operation: 'insert_page', title: 'Inner', into: 'part', document: { markdown: 'Text' } },
  ]);
  for (const [path, status, location] of [
    ['old.md', 308, '/sites/acme/docs/setup.md'],
    ['old.md?a=1', 308, '/sites/acme/docs/setup.md?a=1'],
    ['first.md', 307, '/sites/acme/docs/index.md'],
    ['guide/setup.md', 307, '/sites/acme/docs/setup.md'],
    ['part.md', 307, '/sites/acme/docs/part/inner.md'],
    ['away/x.md', 307, 'https://example.com/x.md'],
    ['old', 308, '/sites/acme/docs/setup'],
    ['part', 307, '/sites/acme/docs/part/inner'],
    ['gone.md', 404, undefined],
  ] as const) {
    const { statusCode, headers } = await visit(path);
    expect([path, statusCode, headers['location']]).toEqual([path, status, location]);
  }
});
