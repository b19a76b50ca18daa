import { expect, it } from 'vitest';
import { isRequestStem, maxStems, stemsOf, tokenize } from '../../src/analysis/words.ts';

it('finds words, takes contractions apart and stems', () => {
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

it('counts a letter with an accent as one consonant', () => {
  expect(stemsOf('straße naïve façades résumés és')).toEqual(['straße', 'naïv', 'façad', 'résumé', 'és']);
});

it('keeps names of code and short numbers, and drops numbers of cases', () => {
  expect(stemsOf('err_ssl_protocol 502 order 4711982')).toEqual(['err_ssl_protocol', '502', 'order']);
});

it('reads CJK in pairs of characters', () => {
  expect(tokenize('密码重置 x')).toEqual(['密码', '码重', '重置', 'x']);
});

it('looks at no more than the beginning of a long text', () => {
  expect(stemsOf('export '.repeat(1000))).toHaveLength(maxStems);
});

it('leaves out what says nothing in other languages, and keeps what means something in English', () => {
  expect(stemsOf('Ich möchte bitte die Rechnung für meine Karte')).toEqual(stemsOf('möchte Rechnung Karte'));
  expect(stemsOf("j'ai oublié le mot de passe de l'assurance")).toEqual(
    stemsOf('ai oublié mot passe assurance'),
  );
  expect(stemsOf('quiero cancelar el pedido de mi tarjeta')).toEqual(
    stemsOf('quiero cancelar pedido tarjeta'),
  );
  expect(stemsOf('todo tag plus hat AI dos OS van')).toHaveLength(8);
});

it('knows what only asks, in other languages and in Chinese', () => {
  expect(
    ['möchte', 'voudrais', 'quiero', '怎么', '什麼'].map((word) => isRequestStem(stemsOf(word)[0]!)),
  ).toEqual([true, true, true, true, true]);
  expect(['rechnung', 'facture', 'tarjeta', '密码'].some((word) => isRequestStem(stemsOf(word)[0]!))).toBe(
    false,
  );
});
