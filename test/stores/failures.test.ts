import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Problem } from '../../src/errors/problem.ts';
import { backupFormat } from '../../src/stores/backup/format.ts';
import {
  describeDamage,
  isBusy,
  isConstraint,
  isNoDamage,
  storeBusy,
  storeFailure,
  wasOpenedReadOnly,
} from '../../src/stores/failures.ts';

const systemError = (code: string) =>
  Object.assign(new Error(`${code}: it failed`), { code, syscall: 'write' });
const sqliteError = (errcode: number) =>
  Object.assign(new Error('sqlite failed'), { code: 'ERR_SQLITE_ERROR', errcode });
const messageOf = (error: unknown) => (storeFailure('/a.db', error) as Problem).message;

it('recognizes a backup that is opened as a store, and suggests the command to restore it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'monday.db');
  const failure = () => storeFailure(path, sqliteError(26)) as Problem;
  writeFileSync(path, `${JSON.stringify({ format: backupFormat, version: 1 })}\n`);
  expect(failure().message).toContain('is a backup of a store');
  expect(failure().hint).toContain('docsctl store restore');
  writeFileSync(path, 'notes');
  expect(failure().message).toContain('is not a docsctl store');
  // Commands can name a store with other options.
  expect(failure().hint).not.toContain('--store');
  rmSync(path);
  expect(failure().message).toContain('is not a docsctl store');
});

it('recognizes that a store that was opened read-only is writable by now', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'store.db');
  const refused = storeFailure(path, sqliteError(8));
  expect((refused as Problem).message).toBe(`The store is read-only: ${path}.`);
  expect(wasOpenedReadOnly(path, refused)).toBe(false);
  writeFileSync(path, '');
  expect(wasOpenedReadOnly(path, refused)).toBe(true);
  expect(wasOpenedReadOnly(path, storeFailure(path, sqliteError(13)))).toBe(false);
});

describe('a system error of a store', () => {
  it.each([
    ['EACCES', 'You do not have permission to use the store: /a.db.'],
    ['ENOSPC', 'The disk that holds the store is full; nothing was changed: /a.db.'],
    ['ENOENT', 'The store cannot be opened: /a.db.'],
    ['EMFILE', 'Too many files are open, so the store cannot be used: /a.db.'],
  ])('has a clear message for %s', (code, message) => {
    const error = systemError(code);
    expect(storeFailure('/a.db', error)).toMatchObject({ reason: 'store-failed', message, cause: error });
  });

  it.each([systemError('EWEIRD'), Object.assign(new Error('EWEIRD: it failed'), { syscall: 'read' })])(
    'of an unknown kind becomes a Problem with its own message',
    (error) => {
      const problem = storeFailure('/a.db', error);
      expect(problem).toBeInstanceOf(Problem);
      expect(problem).toMatchObject({
        reason: 'store-failed',
        message: 'The store /a.db failed: EWEIRD: it failed.',
        cause: error,
      });
    },
  );

  it('that is not an Error becomes a Problem', () => {
    expect(messageOf({ syscall: 'read' })).toBe('The store /a.db failed: unknown error.');
  });
});

it('sets a time to retry if the failure can be temporary', () => {
  const retryOf = (error: unknown) => (storeFailure('/a.db', error) as Problem).retryAfter;
  for (const code of ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EFBIG', 'EMFILE'])
    expect(retryOf(systemError(code)), code).toBe(5);
  for (const code of ['EACCES', 'ENOENT', 'EWEIRD']) expect(retryOf(systemError(code)), code).toBeUndefined();
  for (const errcode of [8, 10, 10 | (19 << 8), 13, 13 | (1 << 8)])
    expect(retryOf(sqliteError(errcode))).toBe(5);
  expect(retryOf(sqliteError(11))).toBeUndefined();
});

it('describes damage with the message of SQLite', () => {
  expect(describeDamage(storeFailure('/a.db', sqliteError(11)) as Problem)).toBe('sqlite failed');
  expect(describeDamage(storeFailure('/a.db', systemError('EACCES')) as Problem)).toContain('/a.db');
});

describe('an error of SQLite', () => {
  it.each([
    [8, 'The store is read-only: /a.db.'],
    [11, 'The store is damaged: /a.db.'],
    // The second byte only adds details.
    [10 | (1 << 8), 'The disk of the store failed, and the change may be lost: /a.db.'],
    [
      10 | (19 << 8),
      'The disk that holds the store is full, so the store cannot be opened; nothing was changed: /a.db.',
    ],
    [1, 'The store /a.db failed: sqlite failed.'],
  ])('has a clear message for code %i', (errcode, message) => {
    expect(messageOf(sqliteError(errcode))).toBe(message);
  });

  it('is described by its extended code, also if only the package provides it', () => {
    const error = Object.assign(sqliteError(10), { sqliteExtendedCode: 10 | (19 << 8) });
    expect(messageOf(error)).toMatch(/^The disk that holds the store is full, so/);
    expect(messageOf(Object.assign(sqliteError(10), { sqliteExtendedCode: 10 | (3 << 8) }))).toMatch(
      /^The disk of the store failed/,
    );
  });

  it('is classified as a full disk, missing permission or damage', () => {
    const passing = [
      sqliteError(8),
      sqliteError(13),
      sqliteError(14),
      systemError('EACCES'),
      sqliteError(10 | (19 << 8)),
      Object.assign(new Error(), { code: 'EDQUOT' }),
    ];
    for (const error of passing) expect(isNoDamage(storeFailure('/a.db', error))).toBe(true);
    for (const errcode of [10, 11, 26])
      expect(isNoDamage(storeFailure('/a.db', sqliteError(errcode)))).toBe(false);
  });

  it('is classified as a lock, a unique key that is taken, or neither', () => {
    const figures = [4, 5, 6, 7, 15, 19, 5 | (2 << 8), 19 | (6 << 8)].map((errcode) => {
      const error = sqliteError(errcode);
      return [isBusy(error), isConstraint(error)];
    });
    const [busy, taken, neither] = [
      [true, false],
      [false, true],
      [false, false],
    ];
    expect(figures).toEqual([neither, busy, busy, neither, busy, taken, busy, taken]);
    expect([isBusy(undefined), isConstraint(null), isBusy('BUSY')]).toEqual([false, false, false]);
  });
});

it('does not change Problems and errors from other sources', () => {
  for (const error of [
    new Error('a bug'),
    new TypeError('no function'),
    Object.assign(new Error('x'), { code: 'ERR_ASSERTION' }),
    new Problem('conflict', 'Taken.'),
    Object.assign(new Problem('conflict', 'Taken.'), { code: 'EACCES' }),
    'text',
    null,
    undefined,
  ])
    expect(storeFailure('/a.db', error)).toBe(error);
});

it('reports how long it waited for another process', () => {
  expect(storeBusy('/a.db', 2500)).toMatchObject({
    reason: 'store-busy',
    message: 'Another process is writing to the store /a.db. Gave up after 2.5 s.',
    retryAfter: 1,
  });
});
