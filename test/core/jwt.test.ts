import { expect, it } from 'vitest';
import { maxTokenLength, verifyVisitorToken } from '../../src/core/jwt.ts';
import { signVisitorToken } from '../support/sign-visitor-token.ts';
import type { Problem } from '../../src/errors/problem.ts';

const key = 'k'.repeat(43);
const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const expected = { key, now: at(1000), audience: ['site_1', 'https://docs.test/'] };
const refusal = (token: unknown, more: object = {}) =>
  verifyVisitorToken(token, { ...expected, ...more }).then(
    () => 'taken',
    (problem: Problem) => `${problem.reason}: ${problem.message}`,
  );

it('verifyVisitorToken returns the signed claims unchanged', async () => {
  const claims = { plan: 'pro', nested: { list: [1, 'x'] }, name: 'Ünï' };
  expect(await verifyVisitorToken(await signVisitorToken(claims, key, 2000), expected)).toEqual({
    ...claims,
    exp: 2000,
  });
});

it('the reason of a refusal is specific only if the signature is valid', async () => {
  const token = (claims: object, expires = 2000) =>
    signVisitorToken(claims as Record<string, unknown>, key, expires);
  expect(await refusal(await token({}, 1000))).toContain('it has expired');
  expect(await refusal(await token({}, 1001))).toBe('taken');
  expect(await refusal(await token({ nbf: 1001 }))).toContain('it is not valid yet');
  expect(await refusal(await token({ nbf: 1000 }))).toBe('taken');
  expect(await refusal(await token({ aud: 'site_2' }))).toContain('another audience');
  expect(await refusal(await token({ aud: ['site_2', 'site_1'] }))).toBe('taken');
  expect(await refusal(await token({ aud: 'site_2' }, 1000), { key: 'x'.repeat(43) })).toBe(
    'forbidden: The visitor token was refused: it is not signed with the key of this site.',
  );
});

it('short keys and long tokens are refused', async () => {
  const token = await signVisitorToken({ plan: 'pro' }, key, 2000);
  for (const short of ['', 'x', 'x'.repeat(31)])
    expect(await refusal(token, { key: short })).toContain('no key for visitor tokens');
  expect(await refusal(await signVisitorToken({ more: 'x'.repeat(maxTokenLength) }, key, 2000))).toContain(
    'not a signed token',
  );
});

it.each([undefined, null, 1, {}, [], ['a.b.c'], true])('a token is refused if it is %j', async (token) => {
  expect(await refusal(token)).toContain('not a signed token');
});

it('a key and a token of exactly the limit are accepted', async () => {
  const shortest = 'k'.repeat(32);
  expect(await refusal(await signVisitorToken({}, shortest, 2000), { key: shortest })).toBe('taken');
  const token = (size: number) => signVisitorToken({ more: 'x'.repeat(size) }, key, 2000);
  let size = 0;
  // Three bytes make four characters.
  for (const step of [300, 3, 1]) while ((await token(size + step)).length <= maxTokenLength) size += step;
  expect(await token(size)).toHaveLength(maxTokenLength);
  expect(await refusal(await token(size))).toBe('taken');
  expect(await refusal(await token(size + 1))).toContain('not a signed token');
});

it('claims can have at most 2,000 values, nested at most 16 levels deep', async () => {
  /** Nests arrays in the object of the claims. */
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
  const take = async (claims: Record<string, unknown>) => refusal(await signVisitorToken(claims, key, 2000));
  expect(await take({ deep: nested(15) })).toBe('taken');
  expect(await take({ deep: nested(16) })).toContain('its claims are too large');
  // The object, the list, the comma before `exp`, and a comma before each but the first.
  expect(await take({ wide: Array.from({ length: 1998 }, () => 1) })).toBe('taken');
  expect(await take({ wide: Array.from({ length: 1999 }, () => 1) })).toContain('its claims are too large');
});
