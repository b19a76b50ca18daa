import { expect, it } from 'vitest';
import { isStructural } from '../../src/content/merge-tree.ts';
import type { PageEntry, FileEntry } from '../../src/content/rows.ts';

const page: PageEntry = {
  kind: 'page',
  id: 'pag_1',
  type: 'document',
  parent: null,
  position: 'a',
  title: 'Start',
  slug: 'start',
  size: 0,
  createdAt: '2026-01-05T09:00:00.000Z',
  updatedAt: '2026-01-05T09:00:00.000Z',
};
const file = { kind: 'file', id: 'fil_1' } as FileEntry;

it.each<[string, Parameters<typeof isStructural>, boolean]>([
  ['a new page', [undefined, page], true],
  ['a deleted page', [page, undefined], true],
  ['another slug', [page, { ...page, slug: 'begin' }], true],
  ['another type', [page, { ...page, type: 'group' }], true],
  ['another parent', [page, { ...page, parent: 'pag_2' }], true],
  ['another position', [page, { ...page, position: 'b' }], true],
  ['another title', [page, { ...page, title: 'Begin' }], false],
  ['another icon', [page, { ...page, icon: 'star' }], false],
  ['a new file', [undefined, file], false],
  ['a deleted file', [file, undefined], false],
])('decides whether %s can conflict with other pages', (_name, [before, after], collides) => {
  expect(isStructural(before, after)).toBe(collides);
});
