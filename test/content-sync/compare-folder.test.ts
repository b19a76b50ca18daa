import { expect, it } from 'vitest';
import { compareFolder } from '../../src/content-sync/compare-folder.ts';
import type { MarkdownFolder } from '../../src/content-sync/read-folder.ts';
import type { ContentReader } from '../../src/content-sync/space-content.ts';

/** The summary of a table of contents in a space or folder. */
const summary = (oid: string) => ({
  role: 'summary',
  path: 'SUMMARY.md',
  git: { path: 'SUMMARY.md', oid },
  oid,
});

it.each([
  ['the same', '1', []],
  ['another', '2', ['texts']],
])(
  'reads the texts of a space only if its table of contents differs from the folder: %s',
  async (_name, oid, expected) => {
    const asked: unknown[] = [];
    const text = { ...summary('1'), text: '# Table of contents\n' };
    const content = {
      read: (texts: boolean) => {
        if (texts) asked.push('all texts');
        return Promise.resolve({ pages: [], files: [], texts: [summary('1')] });
      },
      texts: () => {
        asked.push('texts');
        return Promise.resolve([text]);
      },
    } as unknown as ContentReader;
    const folder = {
      root: '.',
      pages: [],
      files: [],
      texts: [{ ...summary(oid), text: '# Table of contents\n\n' }],
      warnings: [],
    } as unknown as MarkdownFolder;
    const { current } = await compareFolder(content, folder);
    expect(asked).toEqual(expected);
    expect(current.texts).toEqual([summary('1')]);
  },
);
