import { describe, expect, it } from 'vitest';
import { Draft, maxEntries, maxPageDepth, Siblings } from '../../src/content/draft.ts';
import type { PageEntry } from '../../src/content/rows.ts';

const page = (id: string, more: Partial<PageEntry> = {}): PageEntry => ({
  kind: 'page',
  id,
  type: 'document',
  parent: null,
  position: 'a0',
  title: id,
  slug: id,
  createdAt: '',
  updatedAt: '',
  size: 0,
  ...more,
});
/** A chain of nested pages, from the top down. */
const chain = (depth: number, name = 'p') =>
  Array.from({ length: depth }, (_, at) =>
    page(`${name}${at}`, { parent: at === 0 ? null : `${name}${at - 1}` }),
  );

describe('a draft', () => {
  it('nests pages at most 16 levels deep, including the pages below a moved page', () => {
    const draft = new Draft([...chain(maxPageDepth), ...chain(3, 'q')]);
    const put = (id: string, parent: string) => draft.checkParent(page(id), draft.page(parent), '/into');
    expect(maxPageDepth).toBe(16);
    expect(() => put('new', 'p14')).not.toThrow();
    expect(() => put('new', 'p15')).toThrow('Pages can be nested at most 16 levels deep.');
    expect(() => put('q0', 'p12')).not.toThrow();
    expect(() => put('q0', 'p13')).toThrow('Pages can be nested at most 16 levels deep.');
  });

  it('refuses to move a page below itself or a link, or a group below a page', () => {
    const draft = new Draft([...chain(3), page('l', { type: 'link' })]);
    const [first, second] = [draft.page('p0'), draft.page('p1')];
    expect(() => draft.checkParent(first, first, '/into')).toThrow('below itself');
    expect(() => draft.checkParent(first, draft.page('p2'), '/into')).toThrow('below itself');
    expect(() => draft.checkParent(second, draft.page('l'), '/into')).toThrow('A link cannot have pages');
    expect(() => draft.checkParent({ id: 'g', type: 'group' }, first, '/into')).toThrow('top level');
    expect(() => draft.checkParent({ id: 'g', type: 'group' }, undefined, '/into')).not.toThrow();
  });

  it('can have at most 20,000 pages', () => {
    const draft = new Draft(
      Array.from({ length: maxEntries - 1 }, (_, at) => page(`p${at}`, { parent: `x${at}` })),
    );
    expect(maxEntries).toBe(20_000);
    expect(() => draft.put(page('last', { parent: 'y' }))).not.toThrow();
    expect(() => draft.put(page('more', { parent: 'z' }))).toThrow('A space can have at most 20000 pages.');
  });

  it('inserts a moved page at an index that does not count the page itself', () => {
    const draft = new Draft([...'abcd'].map((id, at) => page(id, { position: `a${at}` })));
    const orderWith = (id: string, at?: number) => {
      const moved = new Draft([...draft.pages.values()]);
      moved.put(page(id, { position: moved.placeAt(null, at, id) }));
      return moved
        .siblings(null)
        .map((each) => each.id)
        .join('');
    };
    expect([0, 1, 4, 9, undefined].map((at) => orderWith('x', at))).toEqual([
      'xabcd',
      'axbcd',
      'abcdx',
      'abcdx',
      'abcdx',
    ]);
    expect([0, 1, 2, 3, undefined].map((at) => orderWith('b', at))).toEqual([
      'bacd',
      'abcd',
      'acbd',
      'acdb',
      'acdb',
    ]);
    expect(draft.placeAt('nobody', 3, 'x')).toBe('a0');
  });

  it('drops removed pages, and resolves the refs of a batch', () => {
    const draft = new Draft(chain(2));
    draft.name('ref', 'p1', '/changes/0');
    expect(draft.page('ref').id).toBe('p1');
    expect(draft.path(draft.page('ref'))).toBe('p0/p1');
    expect(() => draft.name('ref', 'p0', '/changes/1')).toThrow('The ref "ref" is used twice in this batch.');
    expect(draft.withAllUnder(draft.page('p0')).map(({ id }) => id)).toEqual(['p0', 'p1']);
    draft.remove('p1');
    expect(draft.siblings('p0')).toEqual([]);
    expect([...draft.changes]).toEqual([['p1', undefined]]);
    expect(() => draft.page('p1')).toThrow('p1');
  });
});

describe('siblings', () => {
  it('have slugs, except for links, and are sorted by position and ID', () => {
    const siblings = new Siblings();
    for (const each of [
      page('c', { position: 'a2' }),
      page('b', { position: 'a1' }),
      page('a', { position: 'a1' }),
    ])
      siblings.add(each);
    siblings.add(page('l', { type: 'link', slug: 'c' }));
    expect(siblings.pages.map(({ id }) => id)).toEqual(['l', 'a', 'b', 'c']);
    expect([siblings.hasSlug('c', ''), siblings.hasSlug('c', 'c'), siblings.hasSlug('l', '')]).toEqual([
      true,
      false,
      false,
    ]);
    siblings.add(page('d', { slug: 'c', position: 'a3' }));
    expect(siblings.hasSlug('c', 'c')).toBe(true);
    siblings.remove(page('c', { position: 'a2' }));
    siblings.remove(page('d', { slug: 'c', position: 'a3' }));
    expect(siblings.hasSlug('c', '')).toBe(false);
    expect(siblings.pages.map(({ id }) => id)).toEqual(['l', 'a', 'b']);
  });
});

describe('the slugs of siblings', () => {
  const at = (id: string, slug: string, more: Partial<PageEntry> = {}) =>
    page(id, { slug, position: `a${id}`, ...more });

  it('are taken until the last page with the slug is removed', () => {
    const siblings = new Siblings();
    const [first, second] = [at('1', 'same'), at('2', 'SAME')];
    siblings.add(first);
    expect(siblings.hasSlug('same', '1')).toBe(false);
    expect(siblings.hasSlug('same', 'other')).toBe(true);
    expect(siblings.hasSlug('free', 'other')).toBe(false);
    expect(siblings.hasSlug('Same', 'other')).toBe(true);
    siblings.add(second);
    expect(siblings.hasSlug('same', '1')).toBe(true);
    siblings.remove(first);
    expect(siblings.pages).toEqual([second]);
    expect(siblings.hasSlug('same', 'other')).toBe(true);
    expect(siblings.hasSlug('same', '2')).toBe(false);
    siblings.remove(second);
    expect(siblings.pages).toEqual([]);
    expect(siblings.hasSlug('same', 'other')).toBe(false);
  });

  it('are not taken by links', () => {
    const siblings = new Siblings();
    siblings.add(at('1', 'same', { type: 'link' }));
    expect(siblings.pages).toHaveLength(1);
    expect(siblings.hasSlug('same', 'other')).toBe(false);
  });

  it('are unchanged when a page that is not a sibling is removed', () => {
    const siblings = new Siblings();
    siblings.add(at('1', 'one'));
    siblings.remove(at('2', 'two'));
    expect(siblings.pages.map(({ id }) => id)).toEqual(['1']);
    expect(siblings.hasSlug('one', 'other')).toBe(true);
  });
});
