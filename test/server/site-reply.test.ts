import { expect, it } from 'vitest';
import { encodingOf } from '../../src/server/site-reply.ts';

it.each([
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;Q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br ; q=0.000, gzip; q=0', undefined],
  ['*', 'br'],
  ['br;q=0, *;q=0.5', 'gzip'],
  ['*;q=0', undefined],
  ['*;q=0, gzip', 'gzip'],
  ['identity;q=0', undefined],
  ['identity', undefined],
  ['x-br, brotli', undefined],
  ['br;q=x', undefined],
  ['', undefined],
])('for Accept-Encoding: %s, answers have the encoding %s', (accepted, encoding) => {
  expect(encodingOf(accepted)?.name).toBe(encoding);
  // The second answer is the same.
  expect(encodingOf(accepted)?.name).toBe(encoding);
});
