import { describe, expect, it } from 'vitest';
import {
  closeBrowserAfterwards,
  isTooWide,
  leave,
  resize,
  themes,
  violationsOf,
  visit,
  widths,
} from './reader.ts';

closeBrowserAfterwards();

const paths = [
  '',
  'blocks',
  'inlines',
  'deeper/setup',
  'deeper/setup/server',
  'deeper/wide',
  'deeper/releases',
  'deeper/landing',
  'deeper/bare',
  'دليل/',
  'reference',
  'reference/orders',
  'reference/models',
  'gone',
  '../nothing/',
  '~gitbook/search?q=install',
  '~gitbook/search?q=nowheretobefound',
];

describe.each(themes)('in the %s theme', (colorScheme) => {
  it.each(paths)(
    'the page "%s" has no accessibility violations, and fits into all window sizes',
    async (path) => {
      const page = await visit(path, {
        colorScheme,
        bypassCSP: true,
        status: ['gone', '../nothing/'].includes(path) ? 404 : 200,
      });
      for (const width of widths) {
        await resize(page, width);
        expect([width, await violationsOf(page)]).toEqual([width, []]);
        expect([width, await isTooWide(page)]).toEqual([width, false]);
      }
      await leave(page);
    },
  );
});
