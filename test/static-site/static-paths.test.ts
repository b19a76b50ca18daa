import { describe, expect, it } from 'vitest';
import {
  feedOf,
  markdownOf,
  relativeAddress,
  StaticPaths,
  type ListedPath,
} from '../../src/static-site/static-paths.ts';

it.each(['..%2F..%2Fpwn/', '..%5Cpwn/', '%2Fetc/', 'a%00b/', '../', './', 'a//b/', '%E0%A4%A/'])(
  'StaticPaths has no file for %s or any path below it',
  (folder) => {
    const paths = new StaticPaths('/', [
      { path: folder, kind: 'page', key: 'k' },
      { path: `${folder}page`, kind: 'page', key: 'k' },
      { path: `${folder}old`, kind: 'redirect', key: 'k' },
      { path: `${folder}sitemap-pages.xml`, kind: 'text', key: 'k' },
      { path: 'page', kind: 'page', key: 'k' },
    ]);
    for (const name of ['', 'index.md', 'page', 'page.md', 'old', 'sitemap-pages.xml'])
      expect([name, paths.find(folder + name)]).toEqual([name, undefined]);
    expect(paths.find('page')).toEqual({ file: 'page/index.html', address: 'page/' });
  },
);

describe('the file of a path', () => {
  const placeOf = (path: string, kind: ListedPath['kind'], key = 'k') =>
    new StaticPaths('/', [{ path, kind, key }]).find(path);

  it('is in a folder for a page or a redirect', () => {
    expect(placeOf('', 'page')).toEqual({ file: 'index.html', address: '' });
    expect(placeOf('a/b/', 'page')).toEqual({ file: 'a/b/index.html', address: 'a/b/' });
    expect(placeOf('a%20b', 'redirect')).toEqual({ file: 'a b/index.html', address: 'a%20b/' });
    expect(placeOf('a/*', 'redirect')).toBeUndefined();
    expect(placeOf('~gitbook/search', 'page')).toEqual({ file: '~search/index.html', address: '~search/' });
  });

  it('has no hidden name, which servers and tools would read', () => {
    expect(placeOf('a/.htaccess/', 'page')).toEqual({
      file: 'a/~.htaccess/index.html',
      address: 'a/~.htaccess/',
    });
    expect(placeOf('%2Eexrc', 'redirect')).toEqual({ file: '~.exrc/index.html', address: '~%2Eexrc/' });
    expect(placeOf('~files/id/.htaccess', 'file')?.file).toBe('~files/k/~.htaccess');
    const paths = new StaticPaths('/', [{ path: '.claude/commands', kind: 'page', key: 'k' }]);
    expect(paths.find('.claude/commands.md')?.file).toBe('~.claude/commands.md');
  });

  it('of a page has the Markdown and the feed beside it', () => {
    const paths = new StaticPaths('/', [
      { path: '', kind: 'page', key: 'k' },
      { path: 'a/', kind: 'page', key: 'k' },
      { path: 'b', kind: 'redirect', key: 'k' },
    ]);
    for (const path of ['index.md', 'rss.xml', 'a/index.md', 'a/rss.xml'])
      expect(paths.find(path)).toEqual({ file: path, address: path });
    expect(paths.find('b.md')).toBeUndefined();
    expect([markdownOf('b'), feedOf('b')]).toEqual(['b.md', 'b/rss.xml']);
  });

  it('of an uploaded file has its hash and its name, with a suffix if it could run', () => {
    const key = '0123456789abcdef';
    expect(placeOf('~files/id/a%20b.png', 'file', key)).toEqual({
      file: '~files/0123456789ab/a b.png',
      address: '~files/0123456789ab/a%20b.png',
    });
    for (const name of ['a.html', 'a.JS', 'a.mjs', 'a.svg.xml', 'a.php', 'a.xhtml', 'a.shtml', 'a.mhtml'])
      expect(placeOf(name, 'file', key)?.file, name).toBe(`~files/0123456789ab/${name}.txt`);
    for (const name of ['a.html.png', 'html', 'a.json', 'a.htmls'])
      expect(placeOf(name, 'file', key)?.file, name).toBe(`~files/0123456789ab/${name}`);
  });

  it('of a branch of the table of contents is numbered', () => {
    const paths = new StaticPaths('/', [
      { path: 'x', kind: 'branch', key: 'k' },
      { path: 'y', kind: 'branch', key: 'k' },
    ]);
    expect(paths.find('y')).toEqual({ file: '~navigation/2.js', address: '~navigation/2.js' });
  });
});

it('the address of a link stays within the site', () => {
  const pages = ['', 'v1/a', 'v1/a/b', 'v1/a/c/', 'q?x=1'];
  const paths = new StaticPaths(
    '/docs/',
    pages.map((path) => ({ path, kind: 'page', key: 'k' })),
  );
  const expected: Record<string, string | undefined> = {
    '/docs/': '',
    '/docs/v1/a#top': 'v1/a/#top',
    '/docs/v1/a?x=1#top': 'v1/a/#top',
    '/docs/q?x=1': 'q?x=1/',
    '/docs/gone?x=1#top': 'gone?x=1#top',
    '/docs/v1/a/c/d/e?fallback=true': 'v1/a/c/',
    '/docs/v2/a?fallback=true': '',
    '/docs/v1/a/b?fallback=true': 'v1/a/b/',
    '/other/': undefined,
    '//docs/': undefined,
    'https://a.example/docs/': undefined,
  };
  expect(Object.fromEntries(Object.keys(expected).map((link) => [link, paths.addressOf(link)]))).toEqual(
    expected,
  );
  expect(new StaticPaths('/', []).addressOf('//a.example/')).toBeUndefined();
});

it.each([
  ['', '', './'],
  ['', 'a/', 'a/'],
  ['a/', '', '../'],
  ['a/', 'a/', './'],
  ['a/', 'a/#x', '#x'],
  ['a/', 'a/b/', 'b/'],
  ['a/b/', 'a/', '../'],
  ['a/b/', 'a/c/#x', '../c/#x'],
  ['a/b/', 'c/d.md', '../../c/d.md'],
  ['a/', 'a:b/', '../a:b/'],
  ['', 'a:b/', './a:b/'],
  ['', 'a/b:c', 'a/b:c'],
])('the relative address from "%s" to "%s" is "%s"', (from, to, expected) => {
  expect(relativeAddress(from, to)).toBe(expected);
});
