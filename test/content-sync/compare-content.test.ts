import { expect, it } from 'vitest';
import {
  createTextReader,
  isUnchanged,
  listParts,
  type PartChange,
} from '../../src/content-sync/compare-content.ts';
import type { ContentReader } from '../../src/content-sync/space-content.ts';
import type { Reason } from '../../src/errors/catalog.ts';
import { Problem } from '../../src/errors/problem.ts';

/** Content with one page, whose texts cannot be read. */
const refusing = (error: Error): ContentReader => ({
  read: () => Promise.reject(error),
  pages: () =>
    Promise.resolve([
      { id: 'pag_1', type: 'document', title: 'Start', slug: 'start', path: 'start' },
    ] as never),
  page: () => Promise.reject(error),
  files: () => Promise.resolve([]),
  texts: () => Promise.reject(error),
  download: () => Promise.reject(error),
});

it.each<Reason>(['not-found', 'not-implemented'])(
  'compares only pages and files if the server answers %s to a request for texts',
  async (reason) => {
    const content = refusing(new Problem(reason, 'There are no texts here.'));
    expect((await listParts(content)).map(({ kind, path }) => [kind, path])).toEqual([['page', 'start.md']]);
    const text = { kind: 'text', id: 'SUMMARY.md' } as const;
    expect(await createTextReader(content)(text as never)).toBe('');
  },
);

it.each([
  new Problem('forbidden', 'You may not.'),
  new Problem('unreachable', 'No answer.'),
  new Error('broken'),
])('does not hide another failure to read texts: %s', (error) =>
  expect(listParts(refusing(error))).rejects.toBe(error),
);

const start = { kind: 'page', id: 'pag_1', path: 'start.md', title: 'Start', isText: true } as never;
const moved = { kind: 'page', id: 'pag_1', path: 'moved.md', title: 'Start', isText: true } as never;
const same: PartChange = { part: start, before: start, after: start, fields: [], content: true };

it.each<[string, PartChange, readonly unknown[] | undefined, boolean]>([
  ['the same lines', same, [], true],
  ['another line', same, [{}], false],
  ['bytes, which have no lines', same, undefined, false],
  ['another path', { ...same, after: moved }, [], false],
  ['another title', { ...same, fields: [['title', 'Start', 'Begin']] }, [], false],
  ['another order', { ...same, neighbor: { side: 'after', title: 'Guide' } }, [], false],
  ['an added empty page', { part: start, after: start, fields: [], content: true }, [], false],
  ['a deleted empty page', { part: start, before: start, fields: [], content: true }, [], false],
])('shows a change unless nothing visible changes: %s', (_name, change, hunks, expected) => {
  expect(isUnchanged(change, hunks)).toBe(expected);
});
