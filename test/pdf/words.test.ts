import { expect, it } from 'vitest';
import { wordsOf } from '../../src/render/words.ts';
import { block, book, page, paragraph, rendered, table } from './support.ts';

const wide = Array.from({ length: 30 }, (_, index) => `Spalte${index}`);
const nodes = [
  block('image', [], { ref: { kind: 'url', url: 'https://example.com/a.png' }, alt: 'Karte' }),
  block('tabs', [block('tabs-item', [paragraph('Text')], {})]),
  block('file', [], { ref: { kind: 'url', url: 'https://example.com/b.zip' } }),
  block('drawing', [], { ref: { kind: 'url', url: 'https://example.com/c' } }),
  block('embed', [], { url: 'https://example.com/d' }),
  table([wide, wide]),
];

it('writes the fixed texts of docsctl in the language of the PDF', async () => {
  const pages = [page('one', nodes), page('two', null)];
  const { pages: sheets } = await rendered(book(pages, { words: wordsOf('de') }));
  const text = sheets.join('\n').replaceAll(/\s+/g, ' ');
  for (const expected of [
    'Inhalt',
    '5. Januar 2026',
    'Bild Karte',
    'Tab Text',
    'Datei',
    'Zeichnung',
    'Eingebettet',
    /Spalten, die nicht auf das Blatt passen \(\d+\): Spalte/,
    'Der Text dieser Seite kann hier nicht gezeigt werden.',
  ])
    expect(text).toMatch(expected);
  for (const english of ['Contents', 'Image', 'File', 'Drawing', 'Embedded', 'not fit', 'cannot be shown'])
    expect(text).not.toContain(english);
});
