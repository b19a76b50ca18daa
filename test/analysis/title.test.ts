import { describe, expect, it } from 'vitest';
import { sentenceTitle, shorten } from '../../src/analysis/title.ts';

describe('the title of a sentence', () => {
  it('is capitalized, without a filler at its start and punctuation at its end', () => {
    expect(sentenceTitle('and also, the export  fails...')).toBe('The export fails');
    expect(sentenceTitle('...')).toBe('...');
  });

  it('has at most 90 characters', () => {
    expect(sentenceTitle('x'.repeat(90))).toBe(`X${'x'.repeat(89)}`);
    expect(sentenceTitle('x'.repeat(91))).toBe(`X${'x'.repeat(88)}…`);
  });
});

it('cuts a text between words if there is a space in its second half', () => {
  expect(shorten('four word title', 15)).toBe('four word title');
  expect(shorten('four word titles', 15)).toBe('four word…');
  expect(shorten('four, titlesandmore', 10)).toBe('four, tit…');
  expect(shorten('fours, titlesandmore', 10)).toBe('fours…');
});
