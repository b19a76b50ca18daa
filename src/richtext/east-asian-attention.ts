import { attention } from 'micromark-core-commonmark';
import { markdownLineEndingOrSpace, unicodeWhitespace } from 'micromark-util-character';
import type { Code, Construct, State, TokenizeContext } from 'micromark-util-types';

const eastAsian =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\u3000-\u303f\uff00-\uffef]/u;

/** Whether a text has letters or punctuation of Chinese, Japanese or Korean. */
export const isEastAsian = (text: string): boolean => eastAsian.test(text);

/**
 * Bold and italic text that may begin and end inside a sentence without spaces, beside punctuation: `**注意：**请`. The rules of
 * standard Markdown would show the asterisks.
 */
export const eastAsianAttention: Construct = {
  ...attention,
  name: 'eastAsianAttention',
  tokenize(this: TokenizeContext, effects, ok, nok) {
    const before = this.previous;
    const after: State = (code) => {
      const sides = [before, code];
      const token = this.events.at(-1)?.[1];
      if (token !== undefined && !sides.some(isSpace) && sides.some(isEastAsianCode))
        token._open = token._close = true;
      return ok(code);
    };
    return attention.tokenize.call(this, effects, after, nok);
  },
};

/** Whether a code of micromark is whitespace, or the end of a line or of the text. */
export const isSpace = (code: Code): boolean =>
  code === null || markdownLineEndingOrSpace(code) || unicodeWhitespace(code);
const isEastAsianCode = (code: Code) => code !== null && code > 0 && isEastAsian(String.fromCharCode(code));
