import { expect, it } from 'vitest';
import { maxStems, stemsOf, wordsOf } from '../../src/analysis/words.ts';

it('finds words, takes contractions apart and stems', () => {
  expect(wordsOf("I can't log-in; it doesn’t WORK")).toEqual(['i', 'can', 'not', 'log', 'in', 'it', 'does', 'not', 'work']);
  expect(stemsOf('Exporting exported exports')).toEqual(['export', 'export', 'export']);
});

it('keeps names of code and short numbers, and drops numbers of cases', () => {
  expect(stemsOf('err_ssl_protocol 502 order 4711982')).toEqual(['err_ssl_protocol', '502', 'order']);
});

it('reads CJK in pairs of characters', () => {
  expect(wordsOf('密码重置 x')).toEqual(['密码', '码重', '重置', 'x']);
});

it('looks at no more than the beginning of a long text', () => {
  expect(stemsOf('export '.repeat(1000))).toHaveLength(maxStems);
});
