import { expect, it } from 'vitest';
import { findComplexity } from '../../src/content-sync/find-complexity.ts';

it('returns the reason why sites show the Markdown of a page as text', () => {
  expect(findComplexity('# A\n\nB\n\n'.repeat(20_000))).toBe(
    'is too complex, mainly because of its paragraphs, headings and list items, so sites show its Markdown as text; split it into several pages',
  );
  expect(findComplexity(`${'> '.repeat(200)}a${'\n\ntext'.repeat(10_000)}`)).toMatch(
    /^has quotes, lists, tags or marks more than 100 levels deep, so sites show/,
  );
  expect(findComplexity('Words and words. '.repeat(5_000))).toBeUndefined();
});
