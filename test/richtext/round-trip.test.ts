import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPageText } from '../../src/richtext/front-matter.ts';
import { checkMarkdown } from '../../src/richtext/guard.ts';
import { documentToMarkdown, markdownToDocument } from '../../src/richtext/markdown.ts';
import { documents, withoutKeys } from './arbitraries.ts';

describe('a document as Markdown and back', () => {
  it('is the same, whatever blocks it has', () => {
    fc.assert(
      fc.property(documents, (given) => {
        expect(withoutKeys(markdownToDocument(documentToMarkdown(given)))).toEqual(withoutKeys(given));
      }),
      { seed: 3, numRuns: 30 },
    );
  }, 120_000);
});

const data = fileURLToPath(new URL('../../../shared/data', import.meta.url));
const pages = ['docs-elsa', 'docs-feast', 'docs-pgsql-tw'].flatMap((folder) =>
  existsSync(join(data, folder))
    ? readdirSync(join(data, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md'))
        .sort()
        .map((name) => join(folder, name))
    : [],
);

describe.skipIf(pages.length === 0)('real pages (in ../shared/data, where that is there)', () => {
  it('are the same documents after a way through Markdown', () => {
    const sample = pages.filter((_, index) => index % 40 === 0);
    const differing = sample.filter((name) => {
      const once = markdownToDocument(readPageText(readFileSync(join(data, name), 'utf8')).body);
      return JSON.stringify(markdownToDocument(documentToMarkdown(once))) !== JSON.stringify(once);
    });
    expect(differing).toEqual([]);
  }, 120_000);

  it('are not too dear', () => {
    const sample = pages.filter(
      (name, index) => index % 5 === 0 || /(?:SUMMARY|the-statistics-collector)\.md$/.test(name),
    );
    for (const name of sample)
      expect(() => checkMarkdown(readFileSync(join(data, name), 'utf8')), name).not.toThrow();
  }, 120_000);
});
