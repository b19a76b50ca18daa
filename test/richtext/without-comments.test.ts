import { expect, it } from 'vitest';
import { withoutComments } from '../../src/richtext/without-comments.ts';

it.each([
  ['a <!-- x --> b', 'a  b'],
  ['a <!-- x\ny --> b', 'a  b'],
  ['a\n\n<!-- x\n\n```\ny\n```\n-->\n\nb', 'a\n\nb'],
  ['<!-- x -->a', 'a'],
  ['* <!-- x --> a\n> <!-- y\n> z -->\n> b', '*  a\n> \n> b'],
  ['<!-->-->a<!---->b<!-- c --->d', 'abd'],
  ['| <!-- x --> a |', '|  a |'],
])('removes the comments of %j', (text, expected) => {
  expect(withoutComments(text)).toBe(expected);
});

it.each([
  'a `<!-- x -->` and `` ` <!-- x --> ``',
  '```\n<!-- x -->\n```',
  'a\n\n    <!-- x -->\n\nb',
  '\\<!-- x -->',
  'a <!-- x\n\nb --> c',
  'a\n\n<!-- x\n\nb',
  'a\n\n\n\nb',
])('keeps what readers see of %j', (text) => {
  expect(withoutComments(text)).toBe(text);
});

it('takes linear time for many starts without an end', () => {
  const text = `x${'<!--'.repeat(200_000)}\n\n-->`;
  expect(withoutComments(text)).toBe(text);
  const lines = `x <!-- \n\n`.repeat(100_000);
  expect(withoutComments(`${lines}-->`)).toBe(`${lines}-->`);
});
