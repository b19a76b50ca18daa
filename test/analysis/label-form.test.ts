import { expect, it } from 'vitest';
import { formWeight } from '../../src/analysis/label-form.ts';

const weightOf = (text: string, kind = 'problem', isName = false): number =>
  formWeight({ text, kind, isEnglish: true } as never, isName);

it('gives a phrase of whole words the full weight', () => {
  for (const text of ['Cancel my subscription', 'Payment failed twice', 'How do I export invoices?'])
    expect(weightOf(text, text.endsWith('?') ? 'question' : 'problem')).toBe(1);
});

const phrases: readonly (readonly [text: string, kind: string, fault: string])[] = [
  ['does transfers take', 'problem', 'disagrees, and ends loosely'],
  ['invoices', 'problem', 'is one word'],
  ['請求書', 'problem', 'is one run of characters'],
  ['card is', 'problem', 'ends loosely'],
  ['cannot log in', 'problem', 'ends with a verb of two words'],
  ['about refund policy', 'problem', 'starts loosely'],
  ['did something refund', 'problem', 'has a vague verb, and points elsewhere'],
  ["didn't make refund payment", 'problem', 'has a vague verb that is negated'],
  ['refund 12 dollars', 'problem', 'has a number'],
  ['million dollars refund', 'problem', 'has a number in words'],
  ['it refund payment', 'problem', 'starts with a word that points elsewhere'],
  ['How many pints are?', 'question', 'lacks its end'],
  ['What is 12 times?', 'question', 'lacks its end, and has a number'],
  ['What fuel my car uses', 'question', 'is a question in the order of a statement'],
  ['use Word I need updates', 'problem', 'has a second clause'],
  ['use Word because I need updates', 'problem', 'has a joined clause'],
  ['cancel the insurance my car', 'problem', 'lacks a preposition'],
  ['get a card but I live', 'wish', 'ends in a clause that is cut'],
  ['confirm that I have card', 'problem', 'is a sentence in a phrase'],
  ['buy new phone', 'problem', 'lacks an article'],
  ['payment time is what', 'problem', 'is an inverted question'],
  ['cancel order, then payment', 'problem', 'is more than one clause'],
  ['refund refunded payment', 'problem', 'repeats a word'],
  ['get refund', 'problem', 'has an open verb'],
  ['order but are you delivering', 'wish', 'goes on with a question'],
  ['not join contest', 'problem', 'lacks a verb'],
  ['not received refund', 'problem', 'has a participle after "not"'],
  ['get home gym', 'wish', 'lacks an article'],
  ['Do you deliver to?', 'question', 'is a question that is cut off'],
  ['Which shop do you deliver to?', 'question', 'is a whole question'],
  ['Which adds a new call?', 'question', 'is a clause of a question'],
  ['abort when running', 'problem', 'lacks a thing'],
  ['changing address', 'wish', 'is no wish'],
  ['please go there', 'wish', 'is empty'],
  ['refund payment order invoice address card', 'problem', 'has as many words as are free'],
  ['refund payment order invoice address card country', 'problem', 'has a word more'],
  ['why refund payment order invoice address card country now', 'question', 'has as many words as are free'],
];

it('lowers the weight of a phrase for each fault', () => {
  const weights = phrases.map(
    ([text, kind, fault]) => `${weightOf(text, kind).toFixed(4)} ${text}: ${fault}`,
  );
  expect(weights).toMatchInlineSnapshot(`
    [
      "0.3825 does transfers take: disagrees, and ends loosely",
      "0.6000 invoices: is one word",
      "0.8500 請求書: is one run of characters",
      "0.4250 card is: ends loosely",
      "0.8500 cannot log in: ends with a verb of two words",
      "0.7000 about refund policy: starts loosely",
      "0.6141 did something refund: has a vague verb, and points elsewhere",
      "0.8500 didn't make refund payment: has a vague verb that is negated",
      "0.7500 refund 12 dollars: has a number",
      "0.7500 million dollars refund: has a number in words",
      "0.5100 it refund payment: starts with a word that points elsewhere",
      "0.3400 How many pints are?: lacks its end",
      "0.1530 What is 12 times?: lacks its end, and has a number",
      "0.4500 What fuel my car uses: is a question in the order of a statement",
      "0.7000 use Word I need updates: has a second clause",
      "1.0000 use Word because I need updates: has a joined clause",
      "0.7000 cancel the insurance my car: lacks a preposition",
      "0.5000 get a card but I live: ends in a clause that is cut",
      "0.8000 confirm that I have card: is a sentence in a phrase",
      "0.9200 buy new phone: lacks an article",
      "0.2550 payment time is what: is an inverted question",
      "0.8000 cancel order, then payment: is more than one clause",
      "0.8000 refund refunded payment: repeats a word",
      "0.7429 get refund: has an open verb",
      "0.6000 order but are you delivering: goes on with a question",
      "0.8000 not join contest: lacks a verb",
      "1.0000 not received refund: has a participle after "not"",
      "0.9500 get home gym: lacks an article",
      "0.4250 Do you deliver to?: is a question that is cut off",
      "1.0000 Which shop do you deliver to?: is a whole question",
      "0.5000 Which adds a new call?: is a clause of a question",
      "0.7000 abort when running: lacks a thing",
      "0.8000 changing address: is no wish",
      "0.3612 please go there: is empty",
      "1.0000 refund payment order invoice address card: has as many words as are free",
      "0.9500 refund payment order invoice address card country: has a word more",
      "1.0000 why refund payment order invoice address card country now: has as many words as are free",
    ]
  `);
});

it('accepts a single word as a name', () => {
  expect(weightOf('Invoices', 'problem', true)).toBeGreaterThan(weightOf('Invoices'));
});

it('keeps a tenth of the weight for phrases of any length', () => {
  const words = Array.from(
    { length: 40 },
    (_, index) => `k${'aeiou'[index % 5]}${'bdfgklmn'[Math.floor(index / 5)]}o`,
  );
  expect(new Set(words).size).toBe(40);
  expect(weightOf(words.join(' '))).toBeCloseTo(0.1);
  expect(weightOf(words.slice(0, 24).join(' '))).toBeCloseTo(0.1);
  expect(weightOf(words.slice(0, 23).join(' '))).toBeCloseTo(0.15);
});
