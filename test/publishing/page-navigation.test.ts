import { describe, expect, it } from 'vitest';
import {
  createTargets,
  hrefOf,
  namesInReferences,
  pageAt,
  type OpenSpace,
} from '../../src/publishing/page-links.ts';
import {
  createBranch,
  createBreadcrumbs,
  createNavigation,
  hasBranch,
  neighborsOf,
} from '../../src/publishing/page-navigation.ts';
import type { SitePage } from '../../src/publishing/space-pages.ts';
import type { NavigationEntry } from '../../src/render/render-navigation.ts';

const page = (id: string, children: readonly SitePage[] = [], more: Partial<SitePage> = {}): SitePage =>
  ({
    id,
    type: 'document',
    title: id,
    label: id.toUpperCase(),
    path: `p/${id}`,
    isHidden: false,
    children,
    ...more,
  }) as SitePage;
const group = (id: string, children: readonly SitePage[]): SitePage => page(id, children, { type: 'group' });
const times = (count: number, name: string): SitePage[] =>
  Array.from({ length: count }, (_, index) => page(`${name}${index}`));

/** A space at `/docs/` with pages. */
function openOf(roots: readonly SitePage[], id = 'spc_1'): OpenSpace {
  const byId = new Map<string, SitePage>();
  const above = new Map<string, readonly SitePage[]>();
  const index = (pages: readonly SitePage[], way: readonly SitePage[]): void => {
    for (const each of pages) {
      byId.set(each.id, each);
      above.set(each.id, way);
      index(each.children, [...way, each]);
    }
  };
  index(roots, []);
  const byPath = new Map([...byId.values()].map((each) => [each.path, each]));
  const files = new Map([['fil_1', { id: 'fil_1', name: 'a b.png', size: 7 }]]);
  const download = { id: 'openapi-pets', name: 'pets.yaml', size: 9 };
  const downloads = new Map([[download.id, { download }]]);
  return {
    shown: { base: `/${id}/`, title: 'Guide', space: { id, organization: 'o' } },
    pages: { roots, byId, byPath, above, files, downloads },
  } as unknown as OpenSpace;
}

/** Writes entries in short: `+` if they are loaded later, `*` for the current one, `@` without an address. */
/** A space without links. */
const context = { base: '/', links: new Map() };

const short = (entries: readonly NavigationEntry[]): string =>
  entries
    .map(
      ({ title, href, isCurrent, children = [], more }) =>
        `${title}${isCurrent ? '*' : ''}${href === undefined ? '@' : ''}${more === undefined ? '' : '+'}${children.length === 0 ? '' : `(${short(children)})`}`,
    )
    .join(' ');

describe('a table of contents', () => {
  it('is complete up to 120 entries', () => {
    const pages = (count: number) => [page('a', [page('b')]), ...times(count - 2, 'x')];
    expect(hasBranch(openOf(pages(120)))).toBe(false);
    expect(short(createNavigation(openOf(pages(120)), undefined, context))).toMatch(/^A\(B\) X0 /);
    expect(hasBranch(openOf(pages(121)))).toBe(true);
    expect(short(createNavigation(openOf(pages(121)), undefined, context))).toMatch(/^A\+ X0 /);
  });

  it('opens all groups up to 300 entries, but not the entries below closed pages', () => {
    const pages = (count: number) => [
      group('g', [page('a', times(100, 'y')), group('h', [page('b')])]),
      ...times(count - 4, 'x'),
    ];
    expect(short(createNavigation(openOf(pages(300)), undefined, context))).toMatch(/^G@\(A\+ H@\(B\)\) X0 /);
    expect(short(createNavigation(openOf(pages(301)), undefined, context))).toMatch(/^G\+ X0 /);
  });

  it('is open around the current page, which is marked', () => {
    const pages = [
      group('g', [page('a', [page('b', [page('c')]), page('d', [page('e')])])]),
      ...times(301, 'x'),
    ];
    const open = openOf(pages);
    expect(short(createNavigation(open, open.pages.byId.get('b'), context))).toMatch(
      /^G@\(A\(B\*\(C\) D\+\)\) X0 /,
    );
    const [first] = createNavigation(open, undefined, { ...context, base: '/base/' });
    expect(first).toMatchObject({ href: '/spc_1/', more: '/base/~gitbook/navigation?page=g' });
    expect(short(createBranch(open, open.pages.byId.get('a') as SitePage, context))).toBe('B+ D+');
    expect(short(createBranch(open, open.pages.byId.get('e') as SitePage, context))).toBe('');
  });

  it('omits hidden pages and links that lead nowhere', () => {
    const linkTo = (id: string) => page(id, [], { type: 'link' });
    const pages = [
      page('a', [page('b', [], { isHidden: true })]),
      page('c', [page('d')], { isHidden: true }),
      linkTo('e'),
      linkTo('f'),
      linkTo('g'),
      group('h', []),
    ];
    const links = new Map([
      ['e', { href: 'https://a.example/', kind: 'external' as const }],
      ['g', { href: '/a#b', kind: 'anchor' as const }],
    ]);
    const entries = createNavigation(openOf(pages), undefined, { base: '/', links });
    expect(short(entries)).toBe('A E G H@');
    expect(entries.map(({ isExternal }) => isExternal)).toEqual([false, true, false, false]);
  });
});

it('breadcrumbs list the pages above a page that can be opened', () => {
  const open = openOf([page('z'), group('g', [page('a', [page('b')])]), group('h', [group('i', [])])]);
  expect(createBreadcrumbs(open, open.pages.byId.get('b') as SitePage)).toMatchObject([
    { title: 'G', href: '/spc_1/p/a' },
    { title: 'A', href: '/spc_1/p/a' },
  ]);
  expect(createBreadcrumbs(open, open.pages.byId.get('i') as SitePage)).toEqual([]);
});

it('previous and next pages follow the reading order, without groups and links', () => {
  const open = openOf([page('a'), group('g', [page('b')]), page('l', [], { type: 'link' }), page('c')]);
  const around = (id: string) => {
    const { previous, next } = neighborsOf(open, open.pages.byId.get(id) as SitePage);
    return [previous?.title, next?.title];
  };
  expect(around('a')).toEqual([undefined, 'B']);
  expect(around('b')).toEqual(['A', 'C']);
  expect(around('c')).toEqual(['B', undefined]);
  expect(around('g')).toEqual([undefined, undefined]);
});

describe('the address of a page', () => {
  const open = openOf([group('g', [page('a')]), page('b', [], { path: 'x/ü b' })]);

  it('is the address of the space for its first page', () => {
    expect(hrefOf(open, open.pages.byId.get('a') as SitePage)).toBe('/spc_1/');
    expect(hrefOf(open, open.pages.byId.get('b') as SitePage)).toBe('/spc_1/x/%C3%BC%20b');
    expect(pageAt(open, '')?.id).toBe('a');
    expect(pageAt(open, 'P/A')?.id).toBe('a');
    expect(pageAt(open, 'gone')).toBeUndefined();
  });

  const other = openOf([page('o'), page('q')], 'spc_2');
  const find = createTargets(open, new Map([['spc_2', other]]));
  it.each<[string, unknown, unknown]>([
    ['a page', { kind: 'page', page: 'b' }, { href: '/spc_1/x/%C3%BC%20b', kind: 'page', title: 'b' }],
    ['a page of this space', { kind: 'page', page: 'a', space: 'spc_1' }, { href: '/spc_1/' }],
    ['a page of another space', { kind: 'page', page: 'q', space: 'spc_2' }, { href: '/spc_2/p/q' }],
    ['a page of a space that is not shown', { kind: 'page', page: 'q', space: 'spc_3' }, undefined],
    ['a deleted page', { kind: 'page', page: 'gone' }, undefined],
    ['a group', { kind: 'page', page: 'g' }, { href: '/spc_1/', title: 'g' }],
    ['an anchor on the same page', { kind: 'anchor', anchor: 'top' }, { href: '#top', kind: 'anchor' }],
    [
      'an anchor of another page',
      { kind: 'anchor', anchor: 'top', page: 'q', space: 'spc_2' },
      { href: '/spc_2/p/q#top', kind: 'anchor' },
    ],
    ['an anchor of a deleted page', { kind: 'anchor', anchor: 'top', page: 'gone' }, undefined],
    [
      'a file',
      { kind: 'file', file: 'fil_1' },
      { href: '/spc_1/~files/fil_1/a%20b.png', kind: 'file', title: 'a b.png', size: 7 },
    ],
    ['a deleted file', { kind: 'file', file: 'fil_2' }, undefined],
    ['a space', { kind: 'space', space: 'spc_2' }, { href: '/spc_2/', kind: 'page', title: 'Guide' }],
    ['a space that is not shown', { kind: 'space', space: 'spc_3' }, undefined],
    ['a URL', { kind: 'url', url: 'https://a.example' }, { href: 'https://a.example', kind: 'external' }],
    ['a URL that is only an anchor', { kind: 'url', url: '#top' }, { href: '#top', kind: 'anchor' }],
    ['a relative URL', { kind: 'url', url: 'gone.md' }, undefined],
    [
      'a specification that needs a token',
      { kind: 'url', url: 'https://a.example/v1/orgs/o/openapi/s/versions/latest/content/download' },
      undefined,
    ],
    [
      'a specification that a page offers',
      { kind: 'url', url: 'https://a.example/v1/orgs/o/openapi/pets/versions/latest/content/download' },
      { href: '/spc_1/~files/openapi-pets/pets.yaml', kind: 'file', title: 'pets.yaml', size: 9 },
    ],
    [
      'a specification of another organization with the same slug',
      { kind: 'url', url: 'https://a.example/v1/orgs/p/openapi/pets/versions/latest/content/download' },
      undefined,
    ],
    ['an unknown kind of reference', { kind: 'user', user: 'u' }, undefined],
    ['no reference', 'b', undefined],
  ])('is found for %s', (_name, ref, expected) => {
    if (expected === undefined) expect(find(ref)).toBeUndefined();
    else expect(find(ref)).toMatchObject(expected as object);
  });
});

it('names in references are found at any depth, and only in references', () => {
  const data = [
    { a: { ref: { kind: 'page', page: 'p', space: 's1' } } },
    { kind: 'file', file: 'f', space: 's2' },
    { space: 's3' },
    { kind: 7, space: 's4' },
    { kind: 'space', space: 5 },
  ];
  expect([...namesInReferences(data, 'space')].sort()).toEqual(['s1', 's2']);
  expect([...namesInReferences(data, 'file')]).toEqual(['f']);
});
