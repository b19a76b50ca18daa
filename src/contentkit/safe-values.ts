import { parseUrl } from '../contract/parse-url.ts';
/** Longer addresses do not work in all browsers. */
const maxAddressLength = 2000;

/** Control characters except tabs and line breaks, characters that reorder text, and lone surrogates. */
const unsafe = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu;

/** Escapes characters that could control a terminal or reorder a text. Line breaks become `\n`. */
export function safeText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Returns the address of a link if it is safe: http, https, mail or telephone; otherwise undefined. */
export function linkAddress(value: unknown): string | undefined {
  return addressOf(value, ['http:', 'https:', 'mailto:', 'tel:']);
}

/** Returns the address of an image or a frame if it is a web address; otherwise undefined. */
export function webAddress(value: unknown): string | undefined {
  return addressOf(value, ['http:', 'https:']);
}

function addressOf(value: unknown, schemes: readonly string[]): string | undefined {
  const url = typeof value === 'string' && value.length <= maxAddressLength ? parseUrl(value) : undefined;
  if (url === undefined) return undefined;
  const { protocol, href, username, password } = url;
  // A user name before the host would disguise the host.
  const isPlain = schemes.includes(protocol) && username === '' && password === '';
  return isPlain && href.length <= 3 * maxAddressLength ? href : undefined;
}
