import type { Attributes } from './tags.ts';

/** A piece of HTML; `raw` is what is written, and all of them together are the text. */
export type HtmlToken =
  | { readonly kind: 'text'; readonly raw: string }
  | { readonly kind: 'comment'; readonly raw: string }
  | {
      readonly kind: 'open';
      readonly raw: string;
      readonly name: string;
      readonly attributes: Attributes;
      readonly isVoid: boolean;
    }
  | { readonly kind: 'close'; readonly raw: string; readonly name: string };

const voidNames = new Set([
  'br',
  'img',
  'hr',
  'input',
  'source',
  'wbr',
  'col',
  'link',
  'meta',
  'area',
  'base',
  'embed',
  'track',
]);

/** Takes HTML apart, in one pass; what is no tag is text. */
export function tokenizeHtml(html: string): HtmlToken[] {
  const tokens: HtmlToken[] = [];
  let from = 0;
  let noComment = false;
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    const isComment = html.startsWith('<!--', at);
    // Once no comment ends, none that begins later does: this keeps the search linear.
    const end: number = isComment && !noComment ? html.indexOf('-->', at + 4) : -1;
    noComment ||= isComment && end === -1;
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

/** The tag that begins at this place. */
export function readTag(html: string, at = 0): HtmlToken | undefined {
  const isClosing = html[at + 1] === '/';
  const start = /[A-Za-z][A-Za-z0-9-]*/y;
  start.lastIndex = at + (isClosing ? 2 : 1);
  const name = html[at] === '<' ? start.exec(html)?.[0].toLowerCase() : undefined;
  if (name === undefined) return undefined;
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
  const slash = closing.exec(html)?.[1];
  if (slash === undefined) return undefined;
  const raw = html.slice(at, closing.lastIndex);
  if (isClosing) return { kind: 'close', raw, name };
  return {
    kind: 'open',
    raw,
    name,
    attributes: Object.fromEntries(attributes),
    isVoid: slash === '/' || voidNames.has(name),
  };
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
};

/** The text that HTML text stands for; entities few people use stay as they are. */
export function decodeHtml(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,5}));/g,
    (whole, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return Object.hasOwn(entities, name) ? entities[name]! : whole;
      const code = decimal === undefined ? parseInt(hex!, 16) : Number(decimal);
      const isCharacter = code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
      return isCharacter ? String.fromCodePoint(code) : '\uFFFD';
    },
  );
}

/** An opening tag; an attribute with an empty value stands alone, those without a value are left out. */
export function openTag(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>> = {},
  keepEmpty: readonly string[] = [],
): string {
  const written = Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined || !/^[^\s"'<>/=]+$/.test(key)) return [];
    return [
      value === '' && !keepEmpty.includes(key) ? ` ${key}` : ` ${key}="${encodeAttribute(String(value))}"`,
    ];
  });
  return `<${name}${written.join('')}>`;
}

const attributeEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function encodeAttribute(value: string): string {
  return value.replace(
    /[&"<>\n\r]/g,
    (character) => attributeEntities[character] ?? `&#${character.charCodeAt(0)};`,
  );
}

/** Text as HTML; spaces that HTML would drop, and what could begin a formula, become entities. */
export function encodeText(text: string): string {
  return text
    .replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character]!)
    .replace(/\$(?=\$)/g, '&#36;')
    .replace(/ (?= )|[\t\r\f]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll('\n', '<br>');
}
