import { expect, it } from 'vitest';
import { createSelection } from '../../src/manifest/selection.ts';

const known = ['space.guide', 'space.guide-2', 'site.docs'];
const selected = (only: string[]) => known.filter((address) => createSelection({ only }, known)?.(address));

it.each([
  [['space.*'], ['space.guide', 'space.guide-2']],
  [['*guide*', 'site.docs'], known],
  [['space.guide'], ['space.guide']],
])('--only selects the addresses that match %s', (patterns, found) =>
  expect(selected(patterns)).toEqual(found),
);

it.each(['space', 'spaces'])('--only suggests a pattern if the name of a kind is given: %s', (word) => {
  expect(() => selected([word])).toThrow(expect.objectContaining({ hint: 'Did you mean "space.*"?' }));
});

it('--only is fast for patterns with many stars', () => {
  expect(() => selected([`${'*'.repeat(200)}x`])).toThrow('matches no resource');
  expect(() => selected([`${'*e'.repeat(100)}x`])).toThrow('matches no resource');
});
