import { expect, it } from 'vitest';
import { hasFormat } from '../../src/contract/check.ts';
import { parseUrl } from '../../src/contract/parse-url.ts';

it('parseUrl parses a URL with or without a base, and returns undefined if it is invalid', () => {
  expect(parseUrl('https://a.example/b')?.href).toBe('https://a.example/b');
  expect(parseUrl('/b', 'https://a.example/c')?.href).toBe('https://a.example/b');
  expect(parseUrl('/b')).toBeUndefined();
  expect(parseUrl('https://a b/')).toBeUndefined();
});

it('Latin-1 letters in a host are accepted in each of 20,000 checks', () => {
  let refused = 0;
  for (let count = 0; count < 20_000; count++) if (!hasFormat('https://ü.test', 'uri')) refused++;
  expect(refused).toBe(0);
});
