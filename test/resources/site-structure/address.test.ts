import { expect, it } from 'vitest';
import {
  addSection,
  deleteSection,
  listSiteSections,
  updateSection,
} from '../../../src/resources/site-sections/contract.ts';
import { addSiteSpace, listSiteSpaces } from '../../../src/resources/site-spaces/contract.ts';
import { getSpace } from '../../../src/resources/spaces/contract.ts';
import { publishedSite } from '../../publishing/published-site.ts';

const pagesOf = (title: string) => [
  { title: `${title} home`, text: 'Text' },
  { title: 'Deep', text: `Deep ${title}` },
];

it('a section keeps its path, and a space of the default section with the same path gets a longer one', async () => {
  const { addSpace, call, site, spaceId, visit } = await publishedSite(pagesOf('Guide'));
  const api = await addSpace('API', pagesOf('API'));
  const variant = await call(addSiteSpace, site, { body: { spaceId: api } });
  const root = variant.urls.published!.replace(/api\/$/, '');
  const section = await call(addSection, site, {
    body: { spaceId: await addSpace('Reference', pagesOf('Reference')), title: 'API' },
  });
  expect(section.urls.published).toBe(`${root}api/`);
  const addresses = async () =>
    Object.fromEntries(
      (await call(listSiteSpaces, site)).items.map(({ space, urls }) => [
        space.title,
        urls.published!.replace(root, '/'),
      ]),
    );
  expect(await addresses()).toEqual({ Guide: '/', API: '/guide/api/', Reference: '/api/' });
  expect((await call(getSpace, { spaceId: api })).urls.published).toBe(`${root}guide/api/`);
  const shows = async (path: string) =>
    /<h1[^>]*>([^<]*)/.exec((await visit(path)).body)?.[1] ?? (await visit(path)).headers['location'];
  expect([await shows(''), await shows('api/'), await shows('guide/api/')]).toEqual([
    'Guide home',
    'Reference home',
    'API home',
  ]);
  expect((await visit('api/deep')).body).toContain('Deep Reference');
  expect((await visit('guide/api/deep')).body).toContain('Deep API');
  // A page that exists only in the space is found at its former address.
  expect(await shows('api/api-home')).toMatch(/\/guide\/api\/$/);

  const inSection = { ...site, siteSectionId: section.id };
  const { redirects } = await call(updateSection, inSection, { body: { path: 'reference' } });
  expect(redirects!.map(({ source, target }) => `${source} ${target}`)).toEqual([
    '/api/reference-home /reference/reference-home',
    '/guide/api /api/',
    '/guide/api/* /api/',
  ]);
  expect(await addresses()).toEqual({ Guide: '/', API: '/api/', Reference: '/reference/' });
  await call(updateSection, inSection, { body: { path: 'api' } });
  await call(deleteSection, inSection);
  expect(await addresses()).toEqual({ Guide: '/', API: '/api/' });

  // If the default space of the section changes, its former default gets a path of its own.
  const other = await call(addSection, site, { body: { spaceId: api, title: 'Guide' } });
  const { items } = await call(listSiteSections, site);
  const first = items.find((item) => item.default)!;
  const { path } = await call(
    updateSection,
    { ...site, siteSectionId: other.id },
    { body: { path: 'main' } },
  );
  expect(path).toBe('main');
  await call(
    updateSection,
    { ...site, siteSectionId: first.id },
    { body: { path: 'start', defaultSiteSpace: variant.id } },
  );
  await call(updateSection, { ...site, siteSectionId: other.id }, { body: { path: 'guide' } });
  expect((await call(getSpace, { spaceId })).urls.published).toBe(`${root}start/guide/`);
  expect([await shows(''), await shows('guide/'), await shows('start/guide/')]).toEqual([
    'API home',
    'API home',
    'Guide home',
  ]);
});
