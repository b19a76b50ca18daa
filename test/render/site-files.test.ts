import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openSiteFiles } from '../../src/publishing/site-files.ts';

const read = (name: string): Buffer => readFileSync(new URL(`../../dist/site/${name}`, import.meta.url));

describe('the files that every page loads', () => {
  // The number of bytes that are sent; the goals are 15 kB for each file.
  it.each([
    ['site.css', 15_000],
    ['site.js', 15_000],
    ['early.js', 500],
  ])('are small: %s', (name, most) => {
    const file = read(name);
    expect(gzipSync(file).length).toBeLessThan(most);
    expect(brotliCompressSync(file).length).toBeLessThan(most);
  });

  it('contain no URLs of other hosts', () => {
    for (const name of ['site.css', 'site.js', 'early.js'])
      expect(read(name).toString()).not.toMatch(/https?:|@import|url\(/);
  });
});

it.each([
  ['books', 'book'],
  ['sparkles', 'wand-magic-sparkles'],
  ['brain-circuit', 'brain'],
  ['rectangle-terminal', 'terminal'],
  ['material/book-open', 'book-open'],
  ['no-such-thing', 'file-lines'],
])('draws the unknown icon %s like %s', (name, similar) => {
  const { icons } = openSiteFiles();
  expect(icons.draw(name)).toEqual(icons.draw(similar));
});
