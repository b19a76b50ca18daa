import { describe, expect, it } from 'vitest';
import { pageList } from '../../src/app-pages/page-list.ts';
import { pagesAround, pageTree } from '../../src/app-pages/page-tree.ts';
import { contentOfSpace } from '../../src/app-pages/content-place.ts';
import type { PageContext } from '../../src/app-pages/page-view.ts';
import type { PageBody } from '../../src/resources/content/schemas.ts';

const context = { href: (path: string) => `/base${path}` } as PageContext;
const place = contentOfSpace('acme', 'spc_1');
const page = (id: string, pages: readonly PageBody[] = [], more: object = {}): PageBody =>
  ({ id, title: id.toUpperCase(), path: `at/${id}`, pages, ...more }) as PageBody;
const link = (id: string, mark = ''): string =>
  `<a href="/base/o/acme/s/spc_1/at/${id}"${mark}>${id.toUpperCase()}</a>`;

describe('pageTree', () => {
  it('lists pages with the pages below them, and marks hidden ones', () => {
    const pages = [
      page('a', [page('b', [], { linkTitle: 'Short' })]),
      page('c', [], { hidden: true }),
      page('l', [], { path: undefined, href: 'https://a.example' }),
      page('g', [], { path: undefined }),
    ];
    expect(pageTree(context, place, pages).text).toBe(
      `<ul><li>${link('a')}<ul><li>${link('b').replace('>B<', '>Short<')}</li></ul></li>` +
        `<li>${link('c')} <span class="tag">hidden</span></li>` +
        '<li><span>L</span> <span class="row-note"><a class="external" href="https://a.example" rel="noopener">https://a.example</a></span></li>' +
        '<li><span>G</span></li></ul>',
    );
    expect(pageTree(context, place, []).text).toBe('');
  });

  it('lists all levels of up to 400 pages, and only the highest level of more', () => {
    const many = (count: number): string =>
      pageTree(context, place, [
        page(
          'a',
          Array.from({ length: count - 1 }, (_, at) => page(`b${at}`)),
        ),
      ]).text;
    expect(many(400).match(/<li>/g)).toHaveLength(400);
    expect(many(401).match(/<li>/g)).toHaveLength(1);
  });
});

it('pagesAround opens only the pages above the current page', () => {
  const pages = [page('a', [page('b', [page('c')]), page('d', [page('e')])]), page('f', [page('g')])];
  expect(pagesAround(context, place, pages, 'b').text).toBe(
    `<nav class="app-tree" aria-label="Pages"><ul><li>${link('a')}<ul><li>${link('b', ' aria-current="page"')}<ul><li>${link('c')}</li></ul></li><li>${link('d')}</li></ul></li><li>${link('f')}</li></ul></nav>`,
  );
  expect(pagesAround(context, place, pages, 'gone').text).not.toContain('aria-current');
});

it('pagesAround shows the neighbors of a page among very many, and links to the others', () => {
  const pages = Array.from({ length: 2000 }, (_, at) => page(`p${at}`));
  const around = (id: string): readonly string[] =>
    [...pagesAround(context, place, pages, id).text.matchAll(/<a [^>]*>([^<]*)</g)].map(
      ([, title = '']) => title,
    );
  const shown = around('p1000');
  expect(shown).toHaveLength(82);
  expect([shown[0], shown[1], shown.at(-2), shown.at(-1)]).toEqual([
    '960 more pages',
    'P960',
    'P1039',
    '960 more pages',
  ]);
  expect(around('p0')).toEqual([...Array.from({ length: 80 }, (_, at) => `P${at}`), '1920 more pages']);
  expect(around('p1999').at(-1)).toBe('P1999');
  expect(pagesAround(context, place, pages, 'p1000').text).toContain('at/p920">960 more pages');
});

describe('pageList', () => {
  const pages = Array.from({ length: 250 }, (_, at) => page(`p${at}`, at === 249 ? [page('deep')] : []));
  const listed = (query = ''): string =>
    pageList({ ...context, query: new URLSearchParams(query), path: '/base/o/acme/s/spc_1' }, place, pages)
      .text;

  it('shows one part of a level with very many pages', () => {
    expect(listed().match(/<li><a [^>]*>P\d+</g)).toHaveLength(100);
    // Another list beside it shows the pages around the open one.
    expect(listed()).toContain('<nav class="app-tree" aria-label="List of pages">');
    expect(listed()).toContain('<a href="/base/o/acme/s/spc_1?pages=100" rel="next">Next 100</a>');
    expect(listed()).toContain('1 to 100 of 250 pages');
    expect(listed('pages=200')).toContain('201 to 250 of 250 pages');
    expect(listed('pages=200')).toContain('?pages=100" rel="prev"');
    for (const wrong of ['-1', '250', 'x', '1.5']) expect(listed(`pages=${wrong}`)).toBe(listed());
  });

  it('finds pages of all levels by their title or path', () => {
    expect(listed('find=DEEP')).toContain('>DEEP</a>');
    expect(listed('find=at/p24').match(/<li>/g)).toHaveLength(11);
    expect(listed('find=p1')).toContain('The first 100 of 111 pages.');
    expect(listed('find=%3Cb%3E')).toContain('No page has &quot;&lt;b&gt;&quot;');
  });
});
