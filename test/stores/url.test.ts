import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore, parseStoreUrl } from '../../src/stores/index.ts';
import { parsePostgresUrl } from '../../src/stores/postgres/settings.ts';

test.each([
  ['sqlite:a/b.x', { scheme: 'sqlite', path: 'a/b.x' }],
  ['json:/a b', { scheme: 'json', path: '/a b' }],
  ['memory:', { scheme: 'memory', path: '' }],
  ['./a.db', { scheme: 'sqlite', path: './a.db' }],
  ['/x/a.SQLITE', { scheme: 'sqlite', path: '/x/a.SQLITE' }],
  ['C:\\a.json', { scheme: 'json', path: 'C:\\a.json' }],
] as const)('accepts %s', (text, expected) => {
  expect(parseStoreUrl(text)).toEqual(expected);
});

test.each([
  '',
  '.db',
  'store',
  'sqlite:',
  'json:',
  'mysql://x/a.db',
  'https://x/a.json',
  'a.db.bak',
  'sqlite:a\0b',
])('refuses %j', (text) => {
  expect(() => parseStoreUrl(text)).toThrow(
    expect.objectContaining({ reason: 'invalid-input', hint: expect.stringContaining('sqlite:PATH') }),
  );
});

test('reports that a store does not exist instead of creating it', async () => {
  for (const url of ['sqlite:nowhere/typo.db', 'json:nowhere/typo.json'])
    await expect(openStore(url, { tables: [], create: false })).rejects.toMatchObject({
      reason: 'store-failed',
      exitCode: 69,
      message: expect.stringContaining('There is no store at'),
    });
});

test('does not report that a store is missing if it cannot be reached', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-url-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'a.db');
  symlinkSync(file, file);
  await expect(openStore(`sqlite:${file}`, { tables: [], create: false })).rejects.toMatchObject({
    reason: 'store-failed',
    message: `The store cannot be opened: ${file}.`,
  });
});

test('reads a PostgreSQL URL, and shows it without its password', () => {
  const url =
    'postgres://ana:s3cret@db.example.com:5433/docs?schema=team_a&connections=4&pipeline=off&sslmode=require';
  expect(parseStoreUrl(url)).toEqual({ scheme: 'postgres', path: url });
  expect(parsePostgresUrl(url)).toEqual({
    connection: 'postgres://ana:s3cret@db.example.com:5433/docs?sslmode=require',
    shownUrl: 'postgres://ana@db.example.com:5433/docs?schema=team_a',
    schema: 'team_a',
    connections: 4,
    options: undefined,
    explicit: { pipeline: false },
  });
  expect(parsePostgresUrl('postgresql://localhost/a').schema).toBe('docsctl');
});

test.each([
  'postgres://localhost',
  'postgres://localhost/',
  'postgres://localhost/a?schema=A"b',
  'postgres://localhost/a?connections=0',
  'postgres://localhost/a?connections=many',
  'postgres://localhost/a?lanes=perhaps',
])('refuses %s', (url) => {
  expect(() => parsePostgresUrl(url)).toThrow(expect.objectContaining({ reason: 'invalid-input' }));
});
