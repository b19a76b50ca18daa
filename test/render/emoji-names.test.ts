import { expect, it } from 'vitest';
import { showEmojis } from '../../src/render/emoji-names.ts';

it.each([
  ['Popular guides :fire:', 'Popular guides 🔥'],
  [':tada::+1: (:heart:), :man_astronaut:.', '🎉👍 (❤️), 👨‍🚀.'],
  [':de:', '🇩🇪'],
  ['**:100:**', '**💯**'],
])('replaces the names in %j', (text, shown) => {
  expect(showEmojis(text)).toBe(shown);
});

it.each([
  'no name',
  'at 10:100:20',
  'std::fire::x',
  'https://x.test/:fire:',
  ':fire:s',
  ':constructor: and :unknown_name:',
  ':Fire:',
  ': fire :',
])('does not change %j', (text) => {
  expect(showEmojis(text)).toBe(text);
});
