import { describe, expect, it } from 'vitest';
import { scanSections } from '../../src/richtext/scan-sections.ts';
import { segmentMarkdown } from '../../src/translation/segment-markdown.ts';
import { createProtector } from '../../src/translation/pieces.ts';

/** Returns the anchors of a page after each segment was translated to other words. */
function anchorsOf(markdown: string, linkedTo: readonly string[] = []): string[] {
  let next = 0;
  const text = segmentMarkdown(markdown, createProtector([]), linkedTo).translate((wire) =>
    wire.replace(/^\p{L}+/u, () => `Mot${++next}`),
  );
  return [...new Set(scanSections(text).map(({ anchor }) => anchor))].filter((anchor) => anchor !== '');
}

describe('a linked anchor', () => {
  it.each([
    ['for links from the page itself', '[a](#the-end)\n\n# The end\n\n# More', [], ['the-end', 'mot2']],
    ['for links from another page', '# The end\n\n# More', ['the-end'], ['the-end', 'mot2']],
    [
      'for the second of two equal headings',
      '# Use it\n\n# Use it\n\n# Use it',
      ['use-it-1'],
      ['mot1-it', 'use-it-1', 'mot3-it'],
    ],
    ['for a heading with code and bold text', '## Run `npm i` **now**', ['run-npm-i-now'], ['run-npm-i-now']],
    ['with letters of another script', '# Über uns', ['über-uns'], ['über-uns']],
    ['if the link is percent-encoded', '[a](#%C3%BCber-uns)\n\n# Über uns', [], ['über-uns']],
    ['if the heading already has it', '# The end <a href="#fin" id="fin"></a>', ['fin', 'the-end'], ['fin']],
    ['only if a heading has it', '# The end', ['gone'], ['mot1-end']],
  ])('is kept %s', (_name, markdown, linkedTo, anchors) =>
    expect(anchorsOf(markdown, linkedTo)).toEqual(anchors),
  );

  it('is kept for a heading below a long text', () => {
    expect(
      anchorsOf(`# Use it\n\n${'Long text of a section. '.repeat(500)}\n\n# Use it`, ['use-it-1']),
    ).toEqual(['mot1-it', 'use-it-1']);
  });
});
