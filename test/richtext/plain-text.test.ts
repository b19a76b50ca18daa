import { performance } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { plainText, tidy } from '../../src/richtext/plain-text.ts';

it.each([
  ['\n\n  > quoted', 'quoted'],
  ['\n\v\f - one\n1. two\n', 'one\ntwo'],
  ['text\n\u2028| a | b |', 'text\na b'],
  ['text\n\n = ', 'text'],
  ['no marks\n\n\nhere', 'no marks\nhere'],
  ['{% openapi-operation spec="pets" path="/pets/{id}" method="get" %}\nPets', 'Pets'],
  ['One.\\\nTwo.\\', 'One.\nTwo.'],
  ['{% hint {% endhint %} here', '{% hint here'],
])('extracts the words of the lines %j', (markdown, words) => {
  expect(tidy(plainText(markdown))).toBe(words);
});

it.each([
  ['line breaks', '\n'.repeat(60_000)],
  ['blank lines', ' \n'.repeat(30_000)],
  ['tags that are not closed', '{% a { '.repeat(20_000)],
  ['line breaks that are only CR', '\r'.repeat(60_000)],
])('takes linear time for %s', (_, markdown) => {
  const start = performance.now();
  plainText(markdown);
  expect(performance.now() - start).toBeLessThan(1000);
});
