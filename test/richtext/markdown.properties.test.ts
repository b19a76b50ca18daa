import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPageText } from '../../src/richtext/front-matter.ts';
import { checkMarkdown } from '../../src/richtext/guard.ts';
import { documentToMarkdown, markdownToDocument } from '../../src/richtext/markdown.ts';
import { documents, withoutKeys } from './arbitraries.ts';

describe('converting a document to Markdown and back', () => {
  it('returns the same document for any blocks', () => {
    fc.assert(
      fc.property(documents, (given) => {
        expect(withoutKeys(markdownToDocument(documentToMarkdown(given)))).toEqual(withoutKeys(given));
      }),
      { seed: 3, numRuns: 30 },
    );
  }, 120_000);
});

const samples = fileURLToPath(new URL('../samples/pages', import.meta.url));
const pages = readdirSync(samples, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.md'),
);

describe('sample pages', () => {
  it('exist', () => expect(pages.length).toBeGreaterThan(1));

  it.each(pages)('are the same after a round trip through Markdown, and not too expensive: %s', (name) => {
    const text = readFileSync(join(samples, name), 'utf8');
    expect(() => checkMarkdown(text)).not.toThrow();
    const once = markdownToDocument(readPageText(text).body);
    expect(markdownToDocument(documentToMarkdown(once))).toEqual(once);
  });
});
