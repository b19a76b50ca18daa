import type { Span } from './span.ts';

const letterOrDigit = /[\p{L}\p{N}]/u;

/**
 * Finds email addresses, also with the "@" written as %40. Each "@" is searched only back to the previous one, so the
 * time is linear.
 */
export function findEmails(text: string): Span[] {
  const spans: Span[] = [];
  let floor = 0;
  for (const { 0: sign, index } of text.matchAll(/@|%40/g)) {
    let from = index;
    while (from > floor && isLocalPart(text, from - 1)) from--;
    floor = index + sign.length;
    while (from < index && (text[from] === '.' || text[from] === "'")) from++;
    const start = index + sign.length;
    let to = start;
    while (to < text.length && isDomain(text, to)) to++;
    while (to > start && (text[to - 1] === '.' || text[to - 1] === '-')) to--;
    let dot = to - 1;
    while (dot > start && text[dot] !== '.') dot--;
    // A top-level domain has at least two characters and does not begin with a digit.
    if (from === index || dot <= start || to - dot < 3 || isDigit(text.charCodeAt(dot + 1))) continue;
    spans.push({ from, to });
    floor = to;
  }
  return spans;
}

function isLocalPart(text: string, at: number): boolean {
  return isDomain(text, at) || "_+%'".includes(text.charAt(at));
}

function isDomain(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code > 0x7f) return letterOrDigit.test(text.charAt(at));
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
