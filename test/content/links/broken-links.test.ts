import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findBrokenLinks,
  isBroken,
  type LinkingSource,
  type LinkState,
} from '../../../src/content/links/broken-links.ts';

const good = (href: string, to = 'page:a'): LinkState => ({ href, line: 1, name: `path:${href}`, to });
const broken = (href: string): LinkState => ({ href, line: 2, name: `path:${href}`, to: null });
const change = (before: LinkState[] | undefined, after: LinkState[] | undefined): LinkingSource[] => [
  { id: 'page:s', before, after },
];
const none = new Set<string>();
const reasonsOf = (sources: LinkingSource[], deleted: ReadonlySet<string> = none) =>
  findBrokenLinks(sources, deleted).map(({ reason, target }) => [reason, target]);

describe('findBrokenLinks', () => {
  it('reports a link whose target was deleted or moved', () => {
    expect(reasonsOf(change([good('x')], [broken('x')]), new Set(['page:a']))).toEqual([
      ['target-deleted', 'page:a'],
    ]);
    expect(reasonsOf(change([good('x')], [broken('x')]))).toEqual([['target-moved', 'page:a']]);
  });

  it('reports a link whose page was moved', () =>
    expect(reasonsOf(change([good('x')], [{ ...broken('x'), name: 'path:in/x' }]))).toEqual([
      ['source-moved', 'page:a'],
    ]));

  it('reports a link whose anchor was removed', () => {
    const lost = { ...good('x'), anchor: 'y', missingAnchor: true } as const;
    expect(reasonsOf(change([good('x')], [lost]))).toEqual([['anchor-removed', 'page:a']]);
    expect(reasonsOf(change([], [lost]))).toEqual([['anchor-missing', 'page:a']]);
  });

  it('reports a link that was never valid', () => {
    expect(reasonsOf(change(undefined, [broken('x')]))).toEqual([['target-missing', undefined]]);
    expect(reasonsOf(change([good('y')], [broken('x')]))).toEqual([['target-missing', undefined]]);
  });

  it('lists links in new text last', () => {
    const page = { before: [good('y')], after: [broken('x'), broken('y')] };
    expect(
      findBrokenLinks([{ id: 'page:s', ...page }], none).map(({ link: { href }, isNew }) => [href, isNew]),
    ).toEqual([
      ['y', undefined],
      ['x', true],
    ]);
  });

  it('does not report links that were broken before or that were deleted with their page', () => {
    expect(reasonsOf(change([broken('x'), good('y')], [broken('x'), good('y')]))).toEqual([]);
    expect(reasonsOf(change([good('x')], undefined))).toEqual([]);
  });
});

const link = fc
  .record({
    href: fc.constantFrom('a', 'b', 'c'),
    state: fc.constantFrom('good', 'broken', 'lost', 'unchecked'),
  })
  .map(({ href, state }): LinkState => {
    if (state === 'unchecked') return { href, line: 1 };
    if (state === 'broken') return broken(href);
    return state === 'good'
      ? good(href, `page:${href}`)
      : { ...good(href, `page:${href}`), missingAnchor: true };
  });
const links = fc.option(fc.array(link, { maxLength: 5 }), { nil: undefined });
const sources = fc.array(fc.record({ id: fc.constantFrom('page:s', 'page:t'), before: links, after: links }));

describe('findBrokenLinks for any change', () => {
  it('reports a link if it is broken and no link with the same target was broken before', () =>
    fc.assert(
      fc.property(sources, (all) => {
        const found = all.flatMap(({ id, before = [], after = [] }) =>
          after
            .filter(
              (each) => isBroken(each) && !before.some((old) => old.href === each.href && isBroken(old)),
            )
            .map((each) => ({
              isNew: !before.some(({ href }) => href === each.href),
              broken: { source: id, link: each },
            })),
        );
        const expected = [...found.filter(({ isNew }) => !isNew), ...found.filter(({ isNew }) => isNew)].map(
          (each) => each.broken,
        );
        expect(findBrokenLinks(all, none).map(({ source, link: each }) => ({ source, link: each }))).toEqual(
          expected,
        );
      }),
    ));

  it('reports nothing if nothing changed, and nothing twice if a change is undone', () =>
    fc.assert(
      fc.property(sources, (all) => {
        expect(
          findBrokenLinks(
            all.map((each) => ({ ...each, before: each.after })),
            none,
          ),
        ).toEqual([]);
        const key = ({ source, link: { href } }: { source: string; link: LinkState }) => `${source} ${href}`;
        for (const each of all) {
          const there = new Set(findBrokenLinks([each], none).map(key));
          const back = findBrokenLinks([{ ...each, before: each.after, after: each.before }], none).map(key);
          expect(back.filter((one) => there.has(one))).toEqual([]);
        }
      }),
    ));

  it('returns a target for every link that had one before', () =>
    fc.assert(
      fc.property(sources, (all) => {
        for (const { reason, target } of findBrokenLinks(all, new Set(['page:a'])))
          expect(target === undefined).toBe(reason === 'target-missing');
      }),
    ));
});
