import { expect, test } from 'vitest';
import { openStore, parseStoreUrl } from '../../src/stores/index.ts';

test.each([
  ['sqlite:a/b.x', { scheme: 'sqlite', path: 'a/b.x' }],
  ['json:/a b', { scheme: 'json', path: '/a b' }],
  ['memory:', { scheme: 'memory', path: '' }],
  ['./a.db', { scheme: 'sqlite', path: './a.db' }],
  ['/x/a.SQLITE', { scheme: 'sqlite', path: '/x/a.SQLITE' }],
  ['C:\\a.json', { scheme: 'json', path: 'C:\\a.json' }],
] as const)('%s is understood', (text, expected) => {
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
])('%j is a usage mistake', (text) => {
  expect(() => parseStoreUrl(text)).toThrow(
    expect.objectContaining({ reason: 'usage', hint: expect.stringContaining('sqlite:PATH') }),
  );
});

test('a store that is not there is no answer to a question about it', async () => {
  for (const url of ['sqlite:nowhere/typo.db', 'json:nowhere/typo.json'])
    await expect(openStore(url, { tables: [], create: false })).rejects.toMatchObject({
      reason: 'store-failed',
      exitCode: 69,
      message: expect.stringContaining('There is no store at'),
    });
});

test.each(['postgres://localhost/a', 'postgresql://localhost/a.db'])('%s comes later', async (url) => {
  await expect(openStore(url, { tables: [] })).rejects.toMatchObject({
    reason: 'not-implemented',
    message: expect.stringContaining('PostgreSQL'),
  });
});
