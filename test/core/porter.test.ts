import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import { stem, stemLikeFts5 } from '../../src/core/porter.ts';

const beginnings =
  '|t|a|y|at|ta|ty|yt|tr|tro|trot|tat|sky|ox|bow|pay|ss|ll|hopp|fall|hiss|fizz|plast|motor|troub|conflat|siz|fail|relat|ration|val|hesit|digit|conform|radic|differ|vile|analog|decis|oper|feudal|goodn|hop|form|triplic|electr|reviv|allow|infer|gyr|adjust|irrit|replac|depend|adopt|homolog|commun|angular|effect|bowdler|prob|ra|control|rol|café|été';
const endings =
  '|s|ss|es|ies|sses|ed|eed|ing|y|e|ll|lle|ational|tional|enci|anci|izer|logi|bli|alli|entli|eli|ousli|ization|ation|ator|alism|iveness|fulness|ousness|aliti|iviti|biliti|icate|ative|alize|iciti|ical|ful|ness|al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ion|sion|tion|ou|ism|ate|iti|ous|ive|ize';

it('stemLikeFts5 returns the same stems as the porter tokenizer of SQLite', () => {
  const words = beginnings
    .split('|')
    .flatMap((beginning) => endings.split('|').map((ending) => beginning + ending))
    .concat('a'.repeat(63) + 's', 'a'.repeat(64) + 's', 'a'.repeat(65))
    .filter((word) => word !== '');
  const database = new DatabaseSync(':memory:');
  try {
    database.exec(
      "CREATE VIRTUAL TABLE w USING fts5(word, content='', tokenize='porter unicode61 remove_diacritics 0'); CREATE VIRTUAL TABLE v USING fts5vocab(w, 'instance'); BEGIN",
    );
    const insert = database.prepare('INSERT INTO w (rowid, word) VALUES (?, ?)');
    for (const [index, word] of words.entries()) insert.run(index + 1, word);
    const stems = new Map(
      database
        .prepare('SELECT doc, term FROM v')
        .all()
        .map(({ doc, term }) => [Number(doc), String(term)]),
    );
    expect(words.map((word) => `${word} ${stemLikeFts5(word)}`)).toEqual(
      words.map((word, index) => `${word} ${stems.get(index + 1)}`),
    );
  } finally {
    database.close();
  }
});

it('stem keeps words of two letters and of more than 64 letters', () => {
  expect(stem('as')).toBe('as');
  expect(stem('ass')).toBe('ass');
  expect(stem('ads')).toBe('ad');
  expect(stem(`${'a'.repeat(63)}s`)).toBe('a'.repeat(63));
  expect(stem(`${'a'.repeat(64)}s`)).toBe(`${'a'.repeat(64)}s`);
});
