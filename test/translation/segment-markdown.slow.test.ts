import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RichNode } from '../../src/contract/shapes.ts';
import { readPageText } from '../../src/richtext/front-matter.ts';
import { documentToMarkdown, markdownToDocument } from '../../src/richtext/markdown.ts';
import { plainTextOf } from '../../src/richtext/nodes.ts';
import { scanLinks } from '../../src/richtext/scan-links.ts';
import { skeletonOf } from '../../src/translation/map-segments.ts';
import { segmentMarkdown } from '../../src/translation/segment-markdown.ts';
import { createProtector } from '../../src/translation/pieces.ts';
import { pseudo } from '../../src/translation/providers/pseudo.ts';
import { isValidAnswer } from '../../src/translation/wire.ts';
import { documents } from '../richtext/arbitraries.ts';

const request = { from: 'en', to: 'fr', instructions: '', terms: [] };

async function pseudoOf(markdown: string): Promise<{ text: string; sound: boolean; words: number }> {
  const page = segmentMarkdown(markdown, createProtector([]));
  const answers = await pseudo().translate(page.wires, request);
  const known = new Map(page.wires.map((wire, index) => [wire, answers[index]!]));
  return {
    text: page.translate((wire) => known.get(wire)),
    sound: page.wires.every((wire) => isValidAnswer(wire, known.get(wire)!)),
    words: page.wires.length,
  };
}

/** Returns the structure of blocks without words: fields with text are emptied. */
function bones(nodes: readonly RichNode[]): string {
  return skeletonOf(
    JSON.parse(
      JSON.stringify(nodes, (name, value: unknown) =>
        /^(?:alt|caption|title|label|description)$/.test(name) && typeof value === 'string' ? '' : value,
      ),
    ) as RichNode[],
  );
}

function codeOf(markdown: string): string[] {
  const found: string[] = [];
  const walk = (nodes: readonly RichNode[]): void => {
    for (const node of nodes) {
      if (node.type === 'code') found.push(plainTextOf(node));
      walk([...(node.nodes ?? []), ...((node['fragments'] as RichNode[] | undefined) ?? [])]);
    }
  };
  walk(markdownToDocument(markdown).nodes);
  return found;
}

const targets = (markdown: string) => new Set(scanLinks(markdown).map(({ href }) => href));

describe('a translated page', () => {
  it('keeps its blocks, code, links and tags in pseudo-localization', async () => {
    await fc.assert(
      fc.asyncProperty(documents, async (document) => {
        const markdown = documentToMarkdown(document);
        const { text, sound } = await pseudoOf(markdown);
        expect(sound).toBe(true);
        expect(bones(markdownToDocument(text).nodes)).toBe(bones(markdownToDocument(markdown).nodes));
        expect(codeOf(text)).toEqual(codeOf(markdown));
      }),
      { seed: 5, numRuns: 12 },
    );
  }, 120_000);

  it('keeps its blocks for any answer of a service', () => {
    const answer = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '# a',
        '* b',
        '| c | d |',
        '```',
        '<div>',
        '{% hint %}',
        '{% endhint %}',
        '$$',
        '---',
        '1. x',
        '> y',
        '\\',
        '[a](b)',
        ':::',
      ),
    );
    fc.assert(
      fc.property(documents, fc.array(answer, { minLength: 1, maxLength: 5 }), (document, answers) => {
        const markdown = documentToMarkdown(document);
        const page = segmentMarkdown(markdown, createProtector([]));
        let next = 0;
        const text = page.translate((wire) => {
          const marked = `${answers[next++ % answers.length]!}${wire}`;
          return isValidAnswer(wire, marked) ? marked : undefined;
        });
        expect(bones(markdownToDocument(text).nodes)).toBe(bones(markdownToDocument(markdown).nodes));
      }),
      { seed: 6, numRuns: 12 },
    );
  }, 120_000);

  it('has only those blocks untranslated whose translations Markdown would parse as something else', () => {
    const page = segmentMarkdown('One.\n\nTwo.\n', createProtector([]));
    expect(page.translate((wire) => (wire === 'One.' ? 'import x from "y"' : 'Zwei.'))).toBe(
      'One.\n\nZwei.\n',
    );
  });

  it('is unchanged if it has no words', () => {
    const markdown = '![](a.png)\n\n*   `npm i`\n\n[![](b.png)](https://x.test)\n\n***\n';
    const page = segmentMarkdown(markdown, createProtector([]));
    expect(page.wires).toEqual([]);
    expect(page.translate(() => undefined)).toBe(markdown);
  });
});

const samples = fileURLToPath(new URL('../samples', import.meta.url));
const files = readdirSync(samples, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md') && !name.endsWith('SUMMARY.md'))
  .sort();

describe('sample pages', () => {
  it('keep their links and code, and have all their words replaced', async () => {
    let words = 0;
    for (const name of files) {
      const { body } = readPageText(readFileSync(join(samples, name), 'utf8'));
      const page = await pseudoOf(body);
      words += page.words;
      expect(page.sound, name).toBe(true);
      expect(codeOf(page.text), name).toEqual(codeOf(body));
      // A URL in the text becomes a link, which it also is for readers of the source.
      const [before, after] = [targets(body), targets(page.text)];
      expect(
        [...before].filter((href) => !after.has(href) && !href.startsWith('mailto:')),
        name,
      ).toEqual([]);
      expect(
        [...after].filter((href) => !before.has(href) && !body.includes(href)),
        name,
      ).toEqual([]);
    }
    expect(files.length).toBeGreaterThan(20);
    expect(words).toBeGreaterThan(100);
  }, 120_000);
});
