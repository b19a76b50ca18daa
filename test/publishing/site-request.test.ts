import { expect, it } from 'vitest';
import { readCookies } from '../../src/publishing/site-request.ts';

it('readCookies ignores malformed cookies and returns the others', () => {
  expect(readCookies('a=1; b=%zz; %zz=c; e; f=%C3%A4=2; a=3')).toEqual([
    { name: 'a', value: '1' },
    { name: 'f', value: 'ä=2' },
    { name: 'a', value: '3' },
  ]);
  expect(readCookies(undefined)).toEqual([]);
});
