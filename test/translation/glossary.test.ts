import { describe, expect, it } from 'vitest';
import { markdownToDocument } from '../../src/richtext/markdown.ts';
import { findContradictions, findJoinedTerms, readGlossary } from '../../src/translation/glossary.ts';
import { createProtector } from '../../src/translation/pieces.ts';

const glossary = (markdown: string) =>
  readGlossary(markdownToDocument(markdown)).map(({ source, target }) =>
    target === undefined ? source : `${source} > ${target}`,
  );

describe('a glossary', () => {
  it.each([
    [
      'a list of terms',
      '* space: espace\n* "change request" → demande\n* site = site web',
      ['change request > demande', 'space > espace', 'site > site web'],
    ],
    [
      'a table',
      '| English | French |\n| - | - |\n| page | folio |\n| API | - |\n| Slack | Slack |',
      ['Slack', 'page > folio', 'API'],
    ],
    [
      'a sentence about terms to keep',
      'Be short.\n\nDo not translate: GitBook, "Foo Bar".',
      ['Foo Bar', 'GitBook'],
    ],
    ['a plain line', 'Be short.\n\nspace: espace', ['space > espace']],
    [
      'lines that end with a line break tag',
      'space: espace\\\nsite → site web',
      ['space > espace', 'site > site web'],
    ],
    ['a list item about terms to keep', '* Never translate: `docsctl`; npm', ['docsctl', 'npm']],
  ])('is read from %s', (_name, markdown, terms) => expect(glossary(markdown)).toEqual(terms));

  it('can have at most 500 terms of at most 80 characters', () => {
    const terms = (count: number) =>
      Array.from({ length: count }, (_, at) => `* term ${at}: mot ${at}\n`).join('');
    expect(glossary(terms(500))).toHaveLength(500);
    expect(glossary(terms(501))).toHaveLength(500);
    expect(glossary(terms(501))).not.toContain('term 500 > mot 500');
    const [long, longer] = ['x'.repeat(80), 'x'.repeat(81)];
    expect(glossary(`* ${long}: a\n* b: ${long}`)).toEqual([`${long} > a`, `b > ${long}`]);
    expect(glossary(`| A | B |\n| - | - |\n| ${longer} | c |\n| d | ${longer} |`)).toEqual([]);
  });

  it('does not contain instructions', () => {
    expect(
      glossary(
        '* Tone: formal\n* Note: the reader is new.\n* Audience: developers\n\nTone: formal\n\nUse short words.\n\n# Style: short\n\n# Page: folio\n',
      ),
    ).toEqual([]);
  });

  it.each([
    ['Be short.\n\nspace: espace\nchange request: demande', 'space: espace change request: demande'],
    ['Tone: formal\nspace: espace', 'Tone: formal space: espace'],
    ['space → 空間\npage → 頁面', 'space → 空間 page → 頁面'],
    ['Tone: formal\nAudience: new developers', undefined],
    ['Say: du, not Sie. Example: bring your own.', undefined],
    ['Names in Settings → Members → Roles stay', undefined],
    ['Use the informal form of address\nTone: friendly but precise\nBrand names: keep in English', undefined],
    ['Style: short\nProduct names: leave them as they are in the English text', undefined],
    ['* space: espace\n* page: folio', undefined],
  ])('with several terms in one paragraph is detected: %s', (markdown, found) => {
    const document = markdownToDocument(markdown);
    expect(findJoinedTerms(document)).toBe(found);
    if (found !== undefined) expect(readGlossary(document)).toEqual([]);
  });

  it.each([
    [
      'a term that is both kept and translated',
      'Do not translate: Activity, API\n\n* activity → activité',
      [['activity', 'Do not translate: Activity, API', 'activity → activité']],
    ],
    ['two translations', '* space: espace\n* space: lieu', [['space', 'space: espace', 'space: lieu']]],
    [
      'a table and a list',
      '| English | French |\n| - | - |\n| page | folio |\n\n* page = feuille',
      [['page', 'page | folio', 'page = feuille']],
    ],
    [
      'the same term twice, in different case',
      '* Space: Espace\n* space: espace\n* API: API\n\nDo not translate: API',
      [],
    ],
  ])('is checked for contradictions: %s', (_name, markdown, found) =>
    expect(
      findContradictions(markdownToDocument(markdown)).map(({ term, lines }) => [term, ...lines]),
    ).toEqual(found),
  );

  it('replaces terms that are whole words, with their capital letters', () => {
    const protect = createProtector([{ source: 'space', target: 'espace' }, { source: 'GitBook' }]);
    expect(protect('Spaces of GitBook: Space, space.')).toEqual([
      { text: 'Spaces of ' },
      { keep: 'GitBook' },
      { text: ': ' },
      { keep: 'Espace' },
      { text: ', ' },
      { keep: 'espace' },
      { text: '.' },
    ]);
  });

  it('can have any characters in a term', () => {
    expect(
      createProtector([{ source: 'C++ (a|b) [x] -$', target: 'y' }])('See C++ (a|b) [x] -$ now'),
    ).toEqual([{ text: 'See ' }, { keep: 'y' }, { text: ' now' }]);
  });
});
