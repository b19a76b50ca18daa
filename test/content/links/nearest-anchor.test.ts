import { expect, it } from 'vitest';
import { nearestAnchor, suggestAnchor } from '../../../src/content/links/nearest-anchor.ts';

const anchors = [
  '2-use-it',
  'install',
  'on-linux',
  'streamtobytes',
  'questions--answers-about-prices',
  'release-20240',
];

it.each([
  ['streamToBytes', 'streamtobytes'],
  ['use-it', '2-use-it'],
  ['id-2.-use-it', '2-use-it'],
  ['questions-and-answers-about-prices', 'questions--answers-about-prices'],
  ['on_linux', 'on-linux'],
  ['On Linux!', 'on-linux'],
  ['instal', 'install'],
  ['windows', undefined],
  ['', undefined],
  ['release-4.5', undefined],
  ['relase-20240', 'release-20240'],
])('corrects the anchor %j to %j', (anchor, meant) => expect(nearestAnchor(anchor, anchors)).toBe(meant));

it('compares only letters and digits', () => {
  expect(nearestAnchor('o-n-l-i-n-u-x', anchors)).toBe('on-linux');
  expect(nearestAnchor('-----', ['_'])).toBeUndefined();
});

it('suggests nothing if no anchor is similar or the anchors are unknown', () => {
  expect(suggestAnchor('instal', anchors)).toBe(' Did you mean #install?');
  expect(suggestAnchor('windows', anchors)).toBe('');
  expect(suggestAnchor('windows', undefined)).toBe('');
});

// With an unbounded comparison, this takes minutes.
it('takes little time for pages with thousands of similar headings', () => {
  const many = Array.from({ length: 2000 }, (_, number) => `${'a'.repeat(90)}-${number}`);
  for (let times = 0; times < 10; times++)
    expect(nearestAnchor(`${'a'.repeat(80)}-b`, many)).toMatch(/^a{90}-/);
}, 60_000);
