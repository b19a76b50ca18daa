import type { Span } from './span.ts';

const markup =
  /<\/?(?:a|abbr|b|blockquote|body|br|center|code|div|em|font|h[1-6]|hr|html|i|img|li|ol|p|pre|s|small|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul)\b[^<>]{0,1000}>|&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi;
const inline = /^<\/?(?:abbr|b|code|em|font|i|s|small|span|strong|sub|sup|u)\b/i;
const link = /\b(?:alt|href|src|title)\s?=/i;
/** Names of characters in HTML, each followed by its character. */
const entities: ReadonlyMap<string, string> = new Map(
  `amp& lt< gt> quot" apos' nbsp\u00a0 hellip… ndash– mdash— euro€ lsquo‘ rsquo’ ldquo“ rdquo” eacuteé egraveè agraveà ccedilç aumlä oumlö uumlü AumlÄ OumlÖ UumlÜ szligß ntildeñ aacuteá iacuteí oacuteó uacuteú`
    .split(' ')
    .map((each) => [each.slice(0, -1), each.slice(-1)]),
);

/** Returns the character of an HTML entity such as `&#8217;`; the entity itself if it is unknown. */
export function characterOf(entity: string, name: string): string {
  if (!name.startsWith('#')) return entities.get(name) ?? entity;
  const code = Number(name.replace(/^#x/i, '0x').replace('#', ''));
  return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}

/** The visible text of HTML, and the places of its ranges in the source. */
interface HtmlText {
  readonly plain: string;
  readonly spanOf: (span: Span) => Span;
}

/**
 * Returns the visible text of HTML. Tags become line ends or are removed, but a tag with a link is kept. Returns undefined for a
 * text without HTML.
 */
export function readHtml(text: string): HtmlText | undefined {
  let plain = '';
  const from: number[] = [];
  const to: number[] = [];
  const add = (piece: string, begin: number, end?: number): void => {
    for (let at = 0; at < piece.length; at++) {
      from.push(end === undefined ? begin + at : begin);
      to.push(end ?? begin + at + 1);
    }
    plain += piece;
  };
  let done = 0;
  for (const { 0: found, 1: name, index } of text.matchAll(markup)) {
    if (name === undefined && link.test(found)) continue;
    add(text.slice(done, index), done);
    done = index + found.length;
    if (name !== undefined) add(characterOf(found, name), index, done);
    else if (!inline.test(found)) add('\n', index, done);
  }
  if (done === 0) return undefined;
  add(text.slice(done), done);
  return { plain, spanOf: (span) => ({ from: from[span.from] ?? 0, to: to[span.to - 1] ?? text.length }) };
}
