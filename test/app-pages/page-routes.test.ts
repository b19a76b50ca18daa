import { expect, it } from 'vitest';
import { findPage, matchParts } from '../../src/app-pages/page-routes.ts';

it.each<[string, string, Record<string, string> | undefined]>([
  ['o/:org', 'o/acme', { org: 'acme' }],
  ['o/:org', 'o/', undefined],
  ['o/:org', 'x/acme', undefined],
  ['o/:org', 'o', undefined],
  ['o/:org', 'o/acme/s', undefined],
  ['o/:org/s/:space', 'o/acme/s/guide', { org: 'acme', space: 'guide' }],
  ['o/:org/s/:space', 'o//s/guide', undefined],
  ['s/:space/*', 's/guide/a', { space: 'guide', path: 'a' }],
  ['s/:space/*', 's/guide/a/b/c', { space: 'guide', path: 'a/b/c' }],
  ['s/:space/*', 's/guide/', { space: 'guide', path: '' }],
  ['s/:space/*', 's/guide', undefined],
])('matches the pattern %s with %s', (pattern, path, expected) => {
  expect(matchParts(pattern.split('/'), path.split('/'))).toEqual(expected);
});

it('findPage returns the first route that matches', () => {
  expect(findPage(['o', 'acme', 's', 'guide', '~', 'pages', 'p1'])?.params).toMatchObject({ pageId: 'p1' });
  expect(findPage(['o', 'acme', 's', 'guide', 'a', 'b'])?.params).toMatchObject({ path: 'a/b' });
  expect(findPage(['o', 'acme', 'x'])).toBeUndefined();
});
