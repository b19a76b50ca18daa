import { isObject } from '../contract/values.ts';
import type { Attributes } from './tags.ts';

/** An opening tag. */
export interface OpenTag {
  readonly kind: 'open';
  readonly raw: string;
  readonly name: string;
  readonly attributes: Attributes;
  readonly isVoid: boolean;
}

/** A piece of HTML. The `raw` texts of all tokens together are the whole HTML. */
export type HtmlToken =
  | { readonly kind: 'text' | 'comment'; readonly raw: string }
  | OpenTag
  | { readonly kind: 'close'; readonly raw: string; readonly name: string };

const voidName = /^(?:br|img|hr|input|source|wbr|col|link|meta|area|base|embed|track)$/;

/** Splits HTML into tags, comments and text, in one pass. An invalid tag is text. */
export function tokenizeHtml(html: string): HtmlToken[] {
  const tokens: HtmlToken[] = [];
  let from = 0;
  let hasComments = true;
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    const isComment = hasComments && html.startsWith('<!--', at);
    const end: number = isComment ? html.indexOf('-->', at + 4) : -1;
    // If a comment has no end, later ones have none either. This keeps the search linear.
    if (isComment) hasComments = end !== -1;
    const token: HtmlToken | undefined =
      end === -1 ? readTag(html, at) : { kind: 'comment', raw: html.slice(at, end + 3) };
    if (token === undefined) {
      at++;
      continue;
    }
    if (at > from) tokens.push({ kind: 'text', raw: html.slice(from, at) });
    tokens.push(token);
    from = at += token.raw.length;
  }
  if (from < html.length) tokens.push({ kind: 'text', raw: html.slice(from) });
  return tokens;
}

/** Parses the tag that starts at `at`; undefined if there is none. */
export function readTag(html: string, at = 0): HtmlToken | undefined {
  const start = /<(\/?)([A-Za-z][A-Za-z0-9-]*)/y;
  start.lastIndex = at;
  const [, slash, word] = start.exec(html) ?? [];
  if (word === undefined) return undefined;
  const name = word.toLowerCase();
  let end = start.lastIndex;
  const attributes = new Map<string, string>();
  const attribute = /\s+([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y;
  for (;;) {
    attribute.lastIndex = end;
    const [, key, double, single, bare] = attribute.exec(html) ?? [];
    if (key === undefined) break;
    end = attribute.lastIndex;
    if (!attributes.has(key.toLowerCase()))
      attributes.set(key.toLowerCase(), decodeHtml(double ?? single ?? bare ?? ''));
  }
  const closing = /\s*(\/?)>/y;
  closing.lastIndex = end;
  const [, selfClosing] = closing.exec(html) ?? [];
  if (selfClosing === undefined) return undefined;
  const raw = html.slice(at, closing.lastIndex);
  if (slash === '/') return { kind: 'close', raw, name };
  const isVoid = selfClosing === '/' || voidName.test(name);
  return { kind: 'open', raw, name, attributes: Object.fromEntries(attributes), isVoid };
}

/** The predefined entities of XML (XML 1.0, section 4.6), by name. */
export const xmlEntities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** The named entities of HTML that people use. */
export const htmlEntities: ReadonlyMap<string, string> = new Map([...xmlEntities, ['nbsp', '\u00A0']]);

/** Decodes entities. Entities that are not in `htmlEntities` stay unchanged. */
export function decodeHtml(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,5}));/g,
    (whole, decimal: string | undefined, hex = '', name: string | undefined) => {
      if (name !== undefined) return htmlEntities.get(name) ?? whole;
      const code = decimal === undefined ? parseInt(hex, 16) : Number(decimal);
      const isCharacter = code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
      return isCharacter ? String.fromCodePoint(code) : '\uFFFD';
    },
  );
}

/**
 * Writes an opening tag. An empty attribute is written without a value, unless it is in `keepEmpty`. Undefined attributes are
 * left out.
 */
export function openTag(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>> = {},
  keepEmpty: readonly string[] = [],
): string {
  let written = '';
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && /^[^\s"'<>/=]+$/.test(key))
      written +=
        value === '' && !keepEmpty.includes(key)
          ? ` ${key}`
          : ` ${key}="${encode(String(value), /[&"<>\n\r]/g)}"`;
  return `<${name}${written}>`;
}

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function encode(text: string, characters: RegExp): string {
  return text.replace(characters, (character) => named[character] ?? `&#${character.charCodeAt(0)};`);
}

/** Escapes text for HTML. Spaces that HTML would drop, and `$$`, become entities. */
export function encodeText(text: string): string {
  return encode(text, /[&<>]|\$(?=\$)| (?= )|[\t\r\f]/g).replaceAll('\n', '<br>');
}

/** Parses a width: a number of pixels, or a number with a unit. Any other text is returned unchanged. */
export function lengthOf(text: string): number | string | { readonly value: number; readonly unit: string } {
  const [, digits, unit] = /^(\d{1,6}(?:\.\d{1,6})?)(%|[a-z]{1,4})?$/.exec(text) ?? [];
  if (digits === undefined || String(Number(digits)) !== digits) return text;
  return unit === undefined ? Number(digits) : { value: Number(digits), unit };
}

/** Writes a width; undefined if the value is not a width. */
export function textOfLength(length: unknown): string | undefined {
  if (typeof length === 'string' || typeof length === 'number') return String(length);
  if (!isObject(length)) return undefined;
  const { value, unit } = length as { value?: unknown; unit?: unknown };
  return typeof value === 'number' && typeof unit === 'string' ? `${value}${unit}` : undefined;
}

/** Removes whitespace at both ends. */
export function trimHtml(tokens: readonly HtmlToken[]): HtmlToken[] {
  return tokens.flatMap((token, index): HtmlToken[] => {
    if (token.kind !== 'text') return [token];
    let { raw } = token;
    if (index === 0) raw = raw.replace(/^[ \t\r\n\f]+/, '');
    if (index === tokens.length - 1) raw = raw.replace(/(?<![ \t\r\n\f])[ \t\r\n\f]+$/, '');
    return raw === '' ? [] : [{ kind: 'text', raw }];
  });
}
