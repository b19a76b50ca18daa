import { describe, expect, it } from 'vitest';
import { linkAddress, safeText, webAddress } from '../../src/contentkit/safe-values.ts';

describe('safeText', () => {
  it('escapes only control characters and characters that change the text direction', () => {
    expect(safeText('a\tb\nc\r\nd\re ü 🚀')).toBe('a\tb\nc\nd\ne ü 🚀');
    expect(safeText('\0\x08\x0b\x1b[31m\x7f\x9f')).toBe('\\u0000\\u0008\\u000b\\u001b[31m\\u007f\\u009f');
    expect(safeText('\u061c\u200e\u200f\u202a\u202e\u2066\u2069\ud800')).toBe(
      '\\u061c\\u200e\\u200f\\u202a\\u202e\\u2066\\u2069\\ud800',
    );
  });
});

describe('allowed URLs', () => {
  it('are web URLs, and in links also email addresses and phone numbers', () => {
    for (const address of ['http://a.example/', 'https://a.example/b?c#d']) {
      expect(linkAddress(address)).toBe(address);
      expect(webAddress(address)).toBe(address);
    }
    for (const address of ['mailto:a@example.com', 'tel:+1']) {
      expect(linkAddress(address)).toBe(address);
      expect(webAddress(address)).toBeUndefined();
    }
    for (const value of ['javascript:alert(1)', 'data:text/html,x', '/a', '', 7, undefined, null])
      expect(linkAddress(value)).toBeUndefined();
  });

  it('have no user name or password', () => {
    for (const address of ['https://name@a.example/', 'https://:word@a.example/', 'https://n:w@a.example/'])
      expect(linkAddress(address), address).toBeUndefined();
  });

  it('have at most 2,000 characters, and 6,000 when they are percent-encoded', () => {
    const base = 'https://a.example/';
    expect(linkAddress(base.padEnd(2000, 'a'))).toHaveLength(2000);
    expect(linkAddress(base.padEnd(2001, 'a'))).toBeUndefined();
    // Each of these is written with 9 characters.
    const rest = (6000 - base.length) % 9;
    const words = Math.floor((6000 - base.length) / 9);
    expect(linkAddress(base + 'a'.repeat(rest) + '\u3042'.repeat(words))).toHaveLength(6000);
    expect(linkAddress(base + 'a'.repeat(rest + 1) + '\u3042'.repeat(words))).toBeUndefined();
  });
});
