import { expect, it } from 'vitest';
import { hasFormat } from '../../src/contract/check.ts';
import { parseUrl } from '../../src/contract/parse-url.ts';

it('parses an address, with or without a base', () => {
  expect(parseUrl('https://a.example/b')?.href).toBe('https://a.example/b');
  expect(parseUrl('/b', 'https://a.example/c')?.href).toBe('https://a.example/b');
  expect(parseUrl('/b')).toBeUndefined();
  expect(parseUrl('https://a b/')).toBeUndefined();
});

it('accepts letters of Latin-1 in a host however often it is asked', () => {
  let refused = 0;
  for (let count = 0; count < 20_000; count++) if (!hasFormat('https://ü.test', 'uri')) refused++;
  expect(refused).toBe(0);
});
