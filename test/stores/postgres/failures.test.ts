import { expect, it } from 'vitest';
import { DatabaseError, databaseFailure } from '../../../src/stores/postgres/failures.ts';

const failureOf = (code: string) =>
  databaseFailure('postgres://host/db', new DatabaseError(Object.assign(new Error('It failed'), { code })));

it.each([
  // The connection was lost, or cannot be established.
  ['', 'store-busy', 1],
  ['08006', 'store-busy', 1],
  ['57P01', 'store-busy', 1],
  ['57P05', 'store-busy', 1],
  ['53300', 'store-busy', 1],
  ['ECONNREFUSED', 'store-busy', 1],
  // A standby, and too few resources.
  ['25006', 'store-busy', 5],
  ['53100', 'store-busy', 5],
  ['53200', 'store-busy', 5],
  // statement_timeout, or an administrator who cancelled the statement.
  ['57014', 'store-busy', 5],
  ['57P06', 'store-failed', undefined],
  ['28P01', 'store-failed', undefined],
  ['25007', 'store-failed', undefined],
  ['XX000', 'store-failed', undefined],
])('an error %j of the database becomes a %s with %s seconds to retry', (code, reason, retryAfter) => {
  expect(failureOf(code)).toMatchObject({ reason, retryAfter });
});

it.each([
  ['unsupported startup parameter: options', '08P01', 'unsupported startup parameter: options'],
  // Node.js gives an empty message if it tried several addresses of a host.
  ['', 'ECONNREFUSED', 'ECONNREFUSED'],
])('says why the database cannot be reached: %j with the code %s', (message, code, reason) => {
  const error = new DatabaseError(Object.assign(new Error(message), { code }));
  expect(databaseFailure('postgres://host/db', error)).toMatchObject({
    reason: 'store-busy',
    message: `The database of the store postgres://host/db cannot be reached: ${reason}.`,
  });
});

it('does not change errors from other sources', () => {
  const error = new Error('It failed');
  expect(databaseFailure('postgres://host/db', error)).toBe(error);
});
