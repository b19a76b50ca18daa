import { describe, expect, it } from 'vitest';
import {
  facts,
  findForm,
  outsideLink,
  pager,
  pageQuery,
  perPage,
  rows,
  section,
  timeOf,
} from '../../src/app-pages/page-parts.ts';
import { markup, type Markup } from '../../src/render/markup.ts';
import type { PageContext } from '../../src/app-pages/page-view.ts';

/** A page at `/o/acme` with a query. */
const contextOf = (query: string): PageContext =>
  ({ query: new URLSearchParams(query), path: '/o/acme' }) as PageContext;

it('timeOf writes a time with its date and minute', () => {
  expect(timeOf('2026-02-03T04:05:06.000Z').text).toMatch(
    /^<time datetime="2026-02-03T04:05:06.000Z">.*2026.*, 04:05 UTC<\/time>$/,
  );
});

describe('a list of facts', () => {
  it('omits facts without a value, but not 0', () => {
    expect(
      facts([
        ['a', undefined],
        ['b', null],
        ['c', ''],
        ['d', false],
        ['e', 0],
        ['f', 'x & y'],
      ]).text,
    ).toBe('<dl class="facts"><div><dt>e</dt><dd>0</dd></div><div><dt>f</dt><dd>x &amp; y</dd></div></dl>');
  });

  it('is empty if no fact has a value', () => {
    expect(facts([['a', undefined]]).text).toBe('');
  });
});

it('section shows a count in its heading if it is given', () => {
  expect(section('A', 'b').text).toBe('<section class="part"><h2>A</h2>b</section>');
  expect(section('A', 'b', 0).text).toBe(
    '<section class="part"><h2>A <span class="count">0</span></h2>b</section>',
  );
});

it('rows lists items with their details, or a text if there are none', () => {
  expect(rows([], 'None.').text).toBe('<p class="none">None.</p>');
  expect(
    rows(
      [{ title: 'A' }, { title: 'B', href: '/b', tags: ['new', '', undefined], note: markup`<i>c</i>` }],
      'None.',
    ).text,
  ).toBe(
    '<ul class="rows"><li><span class="row-title">A</span></li><li><span class="row-title"><a href="/b">B</a> <span class="tag">new</span></span><span class="row-note"><i>c</i></span></li></ul>',
  );
});

it('outsideLink links only to addresses that a browser may open', () => {
  expect((outsideLink('https://a.example') as Markup).text).toBe(
    '<a class="external" href="https://a.example" rel="noopener">https://a.example</a>',
  );
  expect(outsideLink('javascript:alert(1)')).toBe('javascript:alert(1)');
  expect(outsideLink(undefined)).toBeUndefined();
});

describe('a list of several pages', () => {
  it('requests the page that the address names, cut to 2,048 characters', () => {
    expect(pageQuery(contextOf(''), 'sites')).toEqual({ limit: perPage });
    expect(pageQuery(contextOf('sites='), 'sites')).toEqual({ limit: perPage });
    expect(pageQuery(contextOf('sites=x&spaces=y'), 'spaces')).toEqual({ limit: perPage, page: 'y' });
    expect(pageQuery(contextOf(`sites=${'x'.repeat(2049)}`), 'sites').page).toHaveLength(2048);
  });

  it('links to the first and the next page', () => {
    const next = { page: 'a b' };
    expect(pager(contextOf(''), 'sites', {}).text).toBe('');
    expect(pager(contextOf(''), 'sites', { next, count: 120 }).text).toBe(
      '<nav class="pager" aria-label="Pages of sites"><ul><li><a href="/o/acme?sites=a+b" rel="next">Next 50</a></li></ul><span>120 items in all</span></nav>',
    );
    expect(pager(contextOf('sites=c'), 'sites', {}).text).toBe(
      '<nav class="pager" aria-label="Pages of sites"><ul><li><a href="/o/acme">First 50</a></li></ul></nav>',
    );
    const both = pager(contextOf('sites=c'), 'sites', { next }).text;
    expect(both).toContain('First 50');
    expect(both).toContain('Next 50');
  });
});

it('a list can be filtered, and keeps the filter on its next pages', () => {
  const form = findForm(contextOf('find=a%22b'), 'Find').text;
  expect(form).toContain('value="a&quot;b"');
  expect(form).toContain('<a href="/o/acme">Show all</a>');
  expect(findForm(contextOf(''), 'Find').text).not.toContain('Show all');
  const { text } = pager(contextOf('find=x&list=2'), 'list', { next: { page: '3' }, count: 200 }, 'find');
  expect(text).toContain('<a href="/o/acme?find=x">First 50</a>');
  expect(text).toContain('<a href="/o/acme?find=x&amp;list=3" rel="next">');
});
