import { expect, it } from 'vitest';
import { confine } from '../../src/files/confine.ts';

it('a refused path is shown with at most 200 characters', () => {
  const shownOf = (length: number) => JSON.stringify(confine('/docs', '/docs', `/${'x'.repeat(length - 1)}`));
  expect(shownOf(200)).toContain(`\\"/${'x'.repeat(199)}\\" is absolute`);
  expect(shownOf(201)).toBe(shownOf(200));
});
