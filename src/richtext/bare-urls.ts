import type { Extension as FromMarkdown, Handle } from 'mdast-util-from-markdown';
import type { Construct, State, TokenizeContext } from 'micromark-util-types';
import { isEastAsian, isSpace } from './east-asian-attention.ts';
import { decodeHtml } from './html.ts';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    literalAutolink: 'literalAutolink';
    literalAutolinkHttp: 'literalAutolinkHttp';
    literalAutolinkWww: 'literalAutolinkWww';
  }
}

const lessCode = 60;
/** After this number of characters, the end of a bare URL is no longer searched. */
const maxSearched = 500;
/** A URL before a reference to a space or full-width punctuation. Other punctuation at its end does not belong to it. */
const shorterUrl = /^[^*]+?(?=[?!.,:;*_~'")]*(?:&#(?:x20|32|xA0|160);|[\u3000-\u303f\uff00-\uffef]))/i;

/** Whether bare URLs in a text may need the rules of `bareUrl`. */
export const hasShorterUrls = (text: string): boolean => text.includes('&#') || isEastAsian(text);

/**
 * Returns a construct for bare URLs that also ends them at full-width punctuation, as in `https://a.test。`, and that treats
 * references to characters as GitBook writes them: a reference to a space ends the URL. A URL with another reference and an
 * asterisk is text, because the reference separates it from bold text.
 */
export function bareUrl(given: Construct): Construct {
  const value = given.name === 'wwwAutolink' ? 'literalAutolinkWww' : 'literalAutolinkHttp';
  const tokenize: Construct['tokenize'] = function (this: TokenizeContext, effects, ok, nok) {
    let [run, left] = ['', 0];
    const search: Construct['tokenize'] = (inner, found, missing) => {
      const step: State = (code) => {
        if (code !== null && !isSpace(code) && code !== lessCode && run.length < maxSearched) {
          run += String.fromCharCode(code);
          inner.consume(code);
          return step;
        }
        left = shorterUrl.exec(run)?.[0].length ?? 0;
        return (left > 0 || (run.includes('*') && /&#x?[\da-f]+;/i.test(run)) ? found : missing)(code);
      };
      return step;
    };
    const shorter: State = (code) => {
      if (left === 0) return nok(code);
      effects.enter('literalAutolink');
      effects.enter(value);
      return url(code);
    };
    const url: State = (code) => {
      if (left-- > 0) {
        effects.consume(code);
        return url;
      }
      effects.exit(value);
      effects.exit('literalAutolink');
      return ok(code);
    };
    const ordinary = given.tokenize.call(this, effects, ok, nok);
    return effects.check(given, effects.check({ tokenize: search, partial: true }, shorter, ordinary), nok);
  };
  return { ...given, tokenize };
}

/** Reads bare URLs without the escapes and references in them, which GitBook writes as in all text. */
export const bareUrlsFromMarkdown: FromMarkdown = {
  exit: { literalAutolinkHttp: bareUrlHandle(''), literalAutolinkWww: bareUrlHandle('http://') },
};

function bareUrlHandle(scheme: string): Handle {
  return function (token) {
    this.config.exit['data']?.call(this, token);
    const link = this.stack.at(-1);
    if (link?.type !== 'link') return;
    const url = this.sliceSerialize(token).replace(
      /\\([!-/:-@[-`{-~])|&#?\w+;/g,
      (all, sign?: string) => sign ?? decodeHtml(all),
    );
    link.url = scheme + url;
    link.children = [{ type: 'text', value: url }];
  };
}
