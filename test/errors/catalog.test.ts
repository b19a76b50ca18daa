import { expect, it } from 'vitest';
import { catalog, reasonForStatus } from '../../src/errors/catalog.ts';

it('each reason has the status and exit code that scripts rely on', () => {
  expect(Object.entries(catalog).map(([reason, { status, exit }]) => `${reason} ${status} ${exit}`))
    .toMatchInlineSnapshot(`
    [
      "unexpected 500 1",
      "changes-pending 200 2",
      "partly-failed 207 3",
      "unauthenticated 401 4",
      "not-found 404 5",
      "ambiguous 409 5",
      "conflict 409 6",
      "precondition-failed 412 6",
      "key-reused 422 6",
      "rate-limited 429 7",
      "invalid-input 400 8",
      "too-large 413 8",
      "unsupported-media 415 8",
      "method-not-allowed 405 10",
      "guard-refused 409 9",
      "not-implemented 501 10",
      "forbidden 403 11",
      "usage 400 64",
      "script-failed 502 69",
      "unreachable 503 69",
      "store-busy 503 69",
      "store-failed 500 69",
      "timed-out 504 69",
      "interrupted 499 130",
    ]
  `);
});

it.each([
  [400, 'invalid-input'],
  [401, 'unauthenticated'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [405, 'not-implemented'],
  [408, 'timed-out'],
  [409, 'conflict'],
  [410, 'not-found'],
  [412, 'precondition-failed'],
  [413, 'too-large'],
  [422, 'invalid-input'],
  [429, 'rate-limited'],
  [499, 'invalid-input'],
  [500, 'unexpected'],
  [501, 'not-implemented'],
  [502, 'unreachable'],
  [503, 'unreachable'],
  [504, 'timed-out'],
  [399, 'unexpected'],
])('status %i of another server becomes %s', (status, reason) => {
  expect(reasonForStatus(status)).toBe(reason);
});
