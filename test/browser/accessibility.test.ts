import { describe, expect, it } from 'vitest';
import { closeBrowserAfterwards, isTooWide, leave, themes, violationsOf, visit, widths } from './reader.ts';

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

describe.each(themes)('in the %s theme', (theme) => {
  describe.each(widths)('at %i pixels', (width) => {
    it.each(paths)('"%s" has no fault of accessibility, and fits the window', async (path) => {
      const page = await visit(path, {
        colorScheme: theme,
        viewport: { width, height: 800 },
        bypassCSP: true,
        status: ['gone', '../nothing/'].includes(path) ? 404 : 200,
      });
      expect(await violationsOf(page)).toEqual([]);
      expect(await isTooWide(page)).toBe(false);
      await leave(page);
    });
  });
});
