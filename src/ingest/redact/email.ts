import type { Span } from './span.ts';

const other = /[\p{L}\p{N}]/u;

/** Addresses of mail, also where the "@" is written %40 as in links. Each "@" looks no further than the next one. */
export function findEmails(text: string): Span[] {
  const spans: Span[] = [];
  let floor = 0;
  for (const { 0: sign, index } of text.matchAll(/@|%40/g)) {
    let from = index;
    while (from > floor && isLocal(text, from - 1)) from--;
    floor = index + sign.length;
    while (from < index && (text[from] === '.' || text[from] === "'")) from++;
    const start = index + sign.length;
    let to = start;
    while (to < text.length && isDomain(text, to)) to++;
    while (to > start && /[.-]/.test(text[to - 1]!)) to--;
    let dot = to - 1;
    while (dot > start && text[dot] !== '.') dot--;
    // The last name of a domain has two characters and is no number.
    if (from === index || dot <= start || to - dot < 3 || isDigit(text.charCodeAt(dot + 1))) continue;
    spans.push({ from, to });
    floor = to;
  }
  return spans;
}

function isLocal(text: string, at: number): boolean {
  return isDomain(text, at) || "_+%'".includes(text[at]!);
}

function isDomain(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code > 0x7f) return other.test(text[at]!);
  return (
    isDigit(code) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x2d ||
    code === 0x2e
  );
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
