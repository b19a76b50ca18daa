import { expect, it } from 'vitest';
import { isRequestStem, maxStems, stemsOf, tokenize } from '../../src/analysis/words.ts';

it('splits a text into words, expands contractions, and stems words', () => {
  expect(tokenize("I can't log-in; it doesn’t WORK")).toEqual([
    'i',
    'can',
    'not',
    'log',
    'in',
    'it',
    'does',
    'not',
    'work',
  ]);
  expect(stemsOf('Exporting exported exports')).toEqual(['export', 'export', 'export']);
});

it('treats a letter with an accent as one consonant', () => {
  expect(stemsOf('straße naïve façades résumés és')).toEqual(['straße', 'naïv', 'façad', 'résumé', 'és']);
});

it('keeps identifiers and short numbers, and drops long numbers', () => {
  expect(stemsOf('err_ssl_protocol 502 order 4711982')).toEqual(['err_ssl_protocol', '502', 'order']);
});

it('splits CJK text into pairs of characters', () => {
  expect(tokenize('密码重置 x')).toEqual(['密码', '码重', '重置', 'x']);
});

it('reads only the beginning of a long text', () => {
  expect(stemsOf('export '.repeat(1000))).toHaveLength(maxStems);
});

it('drops stop words of other languages, but not words with a meaning in English', () => {
  expect(stemsOf('Ich möchte bitte die Rechnung für meine Karte')).toEqual(stemsOf('möchte Rechnung Karte'));
  expect(stemsOf("j'ai oublié le mot de passe de l'assurance")).toEqual(
    stemsOf('ai oublié mot passe assurance'),
  );
  expect(stemsOf('quiero cancelar el pedido de mi tarjeta')).toEqual(
    stemsOf('quiero cancelar pedido tarjeta'),
  );
  expect(stemsOf('todo tag plus hat AI dos OS van')).toHaveLength(8);
});

it('recognizes words of requests in other languages and in Chinese', () => {
  expect(
    ['möchte', 'voudrais', 'quiero', '怎么', '什麼'].map((word) => isRequestStem(stemsOf(word)[0]!)),
  ).toEqual([true, true, true, true, true]);
  expect(['rechnung', 'facture', 'tarjeta', '密码'].some((word) => isRequestStem(stemsOf(word)[0]!))).toBe(
    false,
  );
});
