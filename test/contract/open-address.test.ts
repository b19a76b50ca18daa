import { expect, it } from 'vitest';
import { isHttpUrl } from '../../src/contract/open-address.ts';

it.each(['https://a.test', 'HTTP://a.test/x?y#z', 'https://日本.test/ä'])('isHttpUrl accepts %s', (url) => {
  expect(isHttpUrl(url)).toBe(true);
});

it.each([
  'http://',
  'https:a.test',
  'ftp://a.test',
  'javascript:alert(1)',
  '//a.test',
  'a/b',
  '',
  undefined,
  7,
])('isHttpUrl rejects %s', (url) => {
  expect(isHttpUrl(url)).toBe(false);
});
