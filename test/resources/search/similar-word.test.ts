import { expect, it } from 'vitest';
import { similarWord } from '../../../src/resources/search/similar-word.ts';

it.each([
  ['kuberntes', 'kubernetes'],
  ['KUBENRETES', 'kubernetes'],
  ['authentification', 'authentication'],
  ['worflow', 'workflow'],
  ['petz', 'pet'],
  ['прверка', 'проверка'],
])('a mistyped word stands for a similar one: %s', (typed, meant) => {
  const words = ['kube', 'kubernetes', 'authentication', 'workflows', 'workflow', 'pet', 'проверка'];
  expect(similarWord(typed, words)).toBe(meant);
});

it.each([
  ['with another first letter', 'zorkflow'],
  ['that differs in two of few letters', 'werkflaw'.slice(0, 7)],
  ['that differs in three letters', 'wrkflwww'],
  ['that is short', 'wor'],
  ['in quotes', '"workflaw"'],
  ['with signs', 'work/flow'],
  ['of a script without letters', '検索設定方'],
])('a word %s stands for itself', (_, typed) => {
  expect(similarWord(typed, ['workflow', '検索設定'])).toBeUndefined();
});
