import { describe, it } from 'vitest';
import { checkLooks, closeBrowserAfterwards, leave, themes, visit } from './reader.ts';

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
      await checkLooks(page, [colorScheme]);
      await leave(page);
    },
  );
});
