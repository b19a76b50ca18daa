import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expandGlob, isGlob, matchName, splitGlob } from '../../src/files/glob.ts';
import { temporaryFolder } from '../stores/fixtures.ts';

/** All words of the given letters, up to the given length. */
const words = (letters: string, length: number): string[] =>
  length === 0
    ? ['']
    : ['', ...words(letters, length - 1).flatMap((word) => [...letters].map((letter) => letter + word))];

describe('matchName', () => {
  it('matches like the equivalent regular expression', () => {
    for (const pattern of new Set(words('ab*?', 4))) {
      const expected = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);
      for (const name of new Set(words('ab', 4)))
        expect([pattern, name, matchName(pattern, name)]).toEqual([pattern, name, expected.test(name)]);
    }
  });

  it('treats all other characters literally', () => {
    expect(matchName('a.b+[c]', 'a.b+[c]')).toBe(true);
    expect(matchName('a.b', 'axb')).toBe(false);
    expect(matchName('*a*b', 'a'.repeat(10_000))).toBe(false);
  });
});

it('splits a path before the first name with a star or a question mark', () => {
  expect(['a/b', 'a*b', 'a?'].map(isGlob)).toEqual([false, true, true]);
  expect(splitGlob('a/b/*.md')).toEqual({ folder: 'a/b', pattern: '*.md' });
  expect(splitGlob('a/?/c/*.md')).toEqual({ folder: 'a', pattern: '?/c/*.md' });
  expect(splitGlob('*.md')).toEqual({ folder: '.', pattern: '*.md' });
  expect(splitGlob('/*.md')).toEqual({ folder: '/', pattern: '*.md' });
  expect(splitGlob('/a/**')).toEqual({ folder: '/a', pattern: '**' });
});

describe('expandGlob', () => {
  function folderWith(...paths: readonly string[]): string {
    const folder = temporaryFolder();
    for (const path of paths) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), '');
    }
    return folder;
  }
  const found = (folder: string, pattern: string, max = 1000) =>
    expandGlob(folder, pattern, max)?.map((path) => relative(folder, path));

  it('finds files at the depths that the pattern allows', () => {
    const folder = folderWith('b.md', 'a.md', 'c.txt', 'x/d.md', 'x/y/e.md', 'x/y/z/f.md');
    expect(found(folder, '*.md')).toEqual(['a.md', 'b.md']);
    expect(found(folder, './*/*.md')).toEqual(['x/d.md']);
    expect(found(folder, '**/*.md')).toEqual(['a.md', 'b.md', 'x/d.md', 'x/y/e.md', 'x/y/z/f.md']);
    expect(found(folder, '**/**/e.*')).toEqual(['x/y/e.md']);
    expect(found(folder, 'x/**/f.md')).toEqual(['x/y/z/f.md']);
    expect(found(folder, 'x/**')).toEqual(['x/d.md', 'x/y/e.md', 'x/y/z/f.md']);
    expect(found(folder, '?')).toEqual([]);
    expect(found(folder, 'x')).toEqual([]);
    expect(found(join(folder, 'gone'), '*')).toEqual([]);
  });

  it('finds names that begin with a dot only if the pattern does, and does not follow links', () => {
    const folder = folderWith('.a.md', '.x/b.md', 'c.md');
    symlinkSync(join(folder, 'c.md'), join(folder, 'd.md'));
    symlinkSync(join(folder, '.x'), join(folder, 'y'));
    expect(found(folder, '**/*.md')).toEqual(['c.md']);
    expect(found(folder, '.*')).toEqual(['.a.md']);
    expect(found(folder, '.x/*.md')).toEqual(['.x/b.md']);
  });

  it('returns undefined after the given number of entries', () => {
    const folder = folderWith('a.md', 'b.md', 'x/c.md');
    expect(found(folder, '**/*.md', 4)).toHaveLength(3);
    expect(found(folder, '**/*.md', 3)).toBeUndefined();
    expect(found(folder, '*.md', 3)).toHaveLength(2);
  });

  it('searches at most 64 nested folders', () => {
    const deep = (levels: number) => `${'d/'.repeat(levels)}a.md`;
    expect(found(folderWith(deep(64)), '**/a.md')).toEqual([deep(64)]);
    expect(found(folderWith(deep(65)), '**/a.md')).toEqual([]);
  });
});
