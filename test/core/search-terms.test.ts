import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSearchQuery, normalizeText, tokenize } from '../../src/core/search-terms.ts';

describe('tokenize', () => {
  it('splits at everything except letters and digits', () => {
    expect(tokenize('The feature_store.yaml, v1.2 – “done”…')).toEqual([
      'the',
      'feature',
      'store',
      'yaml',
      'v1',
      '2',
      'done',
    ]);
  });

  it('normalizes similar letters to one form', () => {
    expect(tokenize('Äpfel cafe\u0301 ＡＢ ﬁn Straße Łódź ΟΔΟΣ οδός Ёж İstanbul ² co\u00adop')).toEqual(
      ['apfel', 'cafe', 'ab', 'fin', 'strasse', 'lodz', 'οδοσ', 'οδοσ', 'еж', 'istanbul', '2', 'coop'],
    ); // prettier-ignore
  });

  it('splits camelCase names of up to 64 characters', () => {
    const name = (length: number) => 'fooBar'.repeat(11).slice(0, length);
    expect(tokenize(name(64))).toContain('barfoo');
    expect(tokenize(name(65))).toEqual([name(65).toLowerCase()]);
    expect(tokenize('getHTTPServer v2Beta myId')).toEqual([
      'gethttpserver',
      'get',
      'http',
      'server',
      'v2beta',
      'myid',
      'my',
      'id',
    ]);
  });

  it('keeps combining marks of other scripts', () => {
    expect(tokenize('हिन्दी தமிழ் العَرَبِيَّة')).toEqual(['हिन्दी', 'தமிழ்', 'العربية']);
  });

  it('returns pairs of letters for scripts without spaces', () => {
    expect(tokenize('用PostgreSQL資料庫。ガ')).toEqual([
      '用',
      'postgresql',
      'postgre',
      'sql',
      '資料',
      '料庫',
      '庫',
      'ガ',
    ]);
  });

  it('returns camelCase names as a whole and in parts', () => {
    expect(tokenize('getHTTPServerById HTTPServer APIs x')).toEqual([
      'gethttpserverbyid',
      'get',
      'http',
      'server',
      'by',
      'id',
      'httpserver',
      'apis',
      'x',
    ]);
    expect(tokenize(`a${'bC'.repeat(40)}`)).toHaveLength(1);
  });
});

describe('normalizeText', () => {
  it('keeps plain ASCII unchanged', () => {
    const text = 'Plain Text, with `code_words` and 100% ASCII\n';
    expect(normalizeText(text)).toBe(text);
  });

  it('leaves nothing that an ASCII tokenizer could split differently', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const spelled = normalizeText(text);
        expect(spelled).not.toMatch(/\0|[^\u0001-\u007f\p{L}\p{N}\p{M}\p{Co}]/u);
        expect(tokenize(spelled.toLowerCase()).length).toBeGreaterThanOrEqual(tokenize(text).length);
      }),
      { seed: 1, numRuns: 1_000 },
    );
  });

  it('takes linear time for any text', () => {
    for (const unit of ['a', 'aB', 'a_', '資', 'é', 'a\u0301', 'A'])
      expect(normalizeText(unit.repeat(300_000)).length).toBeGreaterThan(150_000);
  });
});

describe('parseSearchQuery', () => {
  const phrase = (words: string, isPrefix = false) => ({ words: words.split(' '), isPrefix });

  it('requires every word, and also takes the last one as a prefix', () => {
    expect(parseSearchQuery('Find pages')).toEqual({
      exact: [[phrase('find')], [phrase('pages')]],
      starting: [[phrase('find')], [phrase('pages', true)]],
      any: [[phrase('find'), phrase('pages'), phrase('pages', true)]],
    });
  });

  it('adds likely endings to an unfinished last word', () => {
    const last = parseSearchQuery('the configurati')?.starting[1];
    expect(last).toContainEqual(phrase('configurati', true));
    expect(last).toContainEqual(phrase('configurations'));
    expect(parseSearchQuery('site-configurati')?.starting[0]).toContainEqual(phrase('site configurations'));
    expect(parseSearchQuery('databas')?.starting).toEqual([[phrase('databas', true)]]);
  });

  it('keeps quoted words as phrases', () => {
    expect(parseSearchQuery('"a b" “c d”')).toEqual({
      exact: [[phrase('a b')], [phrase('c d')]],
      starting: [[phrase('a b')], [phrase('c d')]],
      any: [[phrase('a b'), phrase('c d')]],
    });
  });

  it.each([
    ['How do I install it?', 'install'],
    ['what\'s the "point in time"', 'point in time'],
    ['where are my API keys', 'api keys'],
    ['which', 'which'],
    ['how do', 'how do'],
    ['to do list', 'to do list'],
    ['"how" to', 'how to'],
  ])('searches for the topic of %j', (query, topic) => {
    const words = parseSearchQuery(query)?.exact.map(([first]) => first?.words.join(' '));
    expect(words?.join(' ')).toBe(topic);
  });

  it('accepts different spellings of a name', () => {
    expect(parseSearchQuery('getUser x')?.exact[0]).toEqual([
      phrase('getuser'),
      phrase('get user'),
      phrase('getuser get user'),
    ]);
    expect(parseSearchQuery('a-b.c_d x')?.exact[0]).toEqual([phrase('a b c d')]);
  });

  it('takes a single letter of a script without spaces as the start of a pair', () => {
    expect(parseSearchQuery('庫 資料 資料庫')?.exact).toEqual([
      [phrase('庫', true)],
      [phrase('資料')],
      [phrase('資料 料庫')],
    ]);
    expect(parseSearchQuery('"資料 庫"')?.exact).toEqual([[phrase('資料 料 庫', true)]]);
    expect(parseSearchQuery('"庫 x"')?.exact).toEqual([[phrase('庫 x')]]);
  });

  it('returns undefined without words, and reads at most 512 characters', () => {
    for (const query of ['', '  ', '""', '*-"', '😀', '\ud800'])
      expect(parseSearchQuery(query)).toBeUndefined();
    expect(parseSearchQuery(`${'a '.repeat(255)}b c d e`)?.exact).toEqual([[phrase('a')], [phrase('b')]]);
  });
});
