import { expect, it } from 'vitest';
import { createNameTable } from '../../../src/content/links/name-table.ts';
import type { PageEntry } from '../../../src/content/rows.ts';

const page = (id: string, git?: string) =>
  ({ kind: 'page', type: 'document', id, ...(git === undefined ? {} : { git: { path: git } }) }) as PageEntry;

it('a name leads to the page that it fits best, or else to the page with the first ID, in any order', () => {
  const pages = [page('b'), page('a', 'guide.md'), page('d'), page('c')];
  const paths = { a: 'start', b: 'guide', c: 'twice', d: 'twice' };
  for (const entries of [pages, pages.toReversed()]) {
    const names = createNameTable(entries, ({ id }) => paths[id as keyof typeof paths]);
    expect(['path:guide', 'path:start', 'path:twice'].map((name) => names.get(name))).toEqual([
      'page:a',
      'page:a',
      'page:c',
    ]);
  }
});
