import { expect, it } from 'vitest';
import { page } from '../resources/content-support.ts';
import { createWorld } from '../support/world.ts';
import { openShelf } from './folder-support.ts';

it('rewrites the relative links from and to a page that becomes the README of a folder in an export', async () => {
  const shelf = await openShelf(await createWorld());
  await shelf.publish(
    page('Up', {
      ref: 'up',
      document: { markdown: '[d](up/down.md#x) [b](beside.md) [u](up.md) `up.md`\n' },
    }),
    page('Down', { into: 'up', document: { markdown: '[u](../up.md) [b](../beside.md) [n](none.md)\n' } }),
    page('Beside', {
      document: {
        markdown:
          '[u](up.md) [r](up/README.md) [w](https://up.md) [t]({{< ref "up.md#x" >}}) [[up/down.md#A b|n]]\n',
      },
    }),
    {
      operation: 'put_text',
      role: 'include',
      git: { path: '.gitbook/includes/x.md' },
      text: '[u](../../up.md)\n',
    },
  );
  expect(await shelf.exportFiles()).toMatchObject({
    'up/README.md': '[d](down.md#x) [b](../beside.md) [u](README.md) `up.md`\n',
    'up/down.md': '[u](README.md) [b](../beside.md) [n](none.md)\n',
    'beside.md':
      '[u](up/README.md) [r](up/README.md) [w](https://up.md) [t](up/README.md#x) [[up/down.md#A b|n]]\n',
    '.gitbook/includes/x.md': '[u](../../up/README.md)\n',
  });
});
