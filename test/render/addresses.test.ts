import { describe, expect, it } from 'vitest';
import { isExternal, safeAddress } from '../../src/render/addresses.ts';

describe('safeAddress', () => {
  it.each([
    'a.md',
    '/a',
    '#b',
    '?q=1',
    'https://example.com/a:b',
    'HTTP://x',
    'mailto:a@example.com',
    'tel:+1',
    '//example.com',
    '',
  ])('accepts %j', (address) => {
    expect(safeAddress(address)).toBe(address);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:x',
    '\u0001javascript:x',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://x',
    `https://${'a'.repeat(5000)}`,
  ])('refuses %j', (address) => {
    expect(safeAddress(address)).toBeUndefined();
  });
});

it('accepts at most 4,000 characters, and removes surrounding spaces', () => {
  const longest = `https://example.com/${'a'.repeat(3980)}`;
  expect(safeAddress(` ${longest} `)).toBe(longest);
  expect(safeAddress(`${longest}a`)).toBeUndefined();
});

it('recognizes URLs of other sites', () => {
  expect(['https://a', '//a', 'mailto:a@b'].every(isExternal)).toBe(true);
  expect(['a', '/a', '#a', './a:b'].some(isExternal)).toBe(false);
});
