import { expect, it } from 'vitest';
import { emojiOf, emojiText } from '../../src/contract/emoji.ts';

it.each([
  ['1f469-200d-1f4bb', '👩‍💻', '👩‍💻'],
  ['1F1EB_1F1F7', '🇫🇷', '🇫🇷'],
  ['🚀', '🚀', '🚀'],
  ['smile', 'smile', ':smile:'],
  ['d800', '', ':d800:'],
  ['110000', '', ':110000:'],
  ['', '', '::'],
])('emojiOf and emojiText read the emoji code %s', (code, shown, written) => {
  expect([emojiOf(code), emojiText(code)]).toEqual([shown, written]);
});
