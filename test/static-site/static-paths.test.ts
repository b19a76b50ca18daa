import { expect, it } from 'vitest';
import { StaticPaths } from '../../src/static-site/static-paths.ts';

it.each(['..%2F..%2Fpwn/', '..%5Cpwn/', '%2Fetc/', 'a%00b/', '../', './', 'a//b/', '%E0%A4%A/'])(
  'have no place for %s, nor for what is below it',
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
