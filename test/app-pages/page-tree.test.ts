import { describe, expect, it } from 'vitest';
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
  it('lists pages with those below them, and marks the current and the hidden ones', () => {
    const pages = [
      page('a', [page('b', [], { linkTitle: 'Short' })]),
      page('c', [], { hidden: true }),
      page('l', [], { path: undefined, href: 'https://a.example' }),
      page('g', [], { path: undefined }),
    ];
    expect(pageTree(context, place, pages, 'a').text).toBe(
      `<ul><li>${link('a', ' aria-current="page"')}<ul><li>${link('b').replace('>B<', '>Short<')}</li></ul></li>` +
        `<li>${link('c')} <span class="tag">hidden</span></li>` +
        '<li><span>L</span> <span class="row-note"><a class="external" href="https://a.example" rel="noopener">https://a.example</a></span></li>' +
        '<li><span>G</span></li></ul>',
    );
    expect(pageTree(context, place, []).text).toBe('');
  });

  it('lists all levels of 400 pages, and the highest level of more', () => {
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

it('pagesAround opens only the pages that the page is under', () => {
  const pages = [page('a', [page('b', [page('c')]), page('d', [page('e')])]), page('f', [page('g')])];
  expect(pagesAround(context, place, pages, 'b').text).toBe(
    `<nav class="app-tree" aria-label="Pages"><ul><li>${link('a')}<ul><li>${link('b', ' aria-current="page"')}<ul><li>${link('c')}</li></ul></li><li>${link('d')}</li></ul></li><li>${link('f')}</li></ul></nav>`,
  );
  expect(pagesAround(context, place, pages, 'gone').text).not.toContain('aria-current');
});
