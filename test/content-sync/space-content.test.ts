import { expect, it } from 'vitest';
import { openContent } from '../../src/content-sync/space-content.ts';
import type { Api } from '../../src/contract/api.ts';
import { Problem } from '../../src/errors/problem.ts';
import { listPages } from '../../src/resources/content/space-pages/contract.ts';
import { page } from '../resources/content-support.ts';
import { createWorld } from '../support/world.ts';
import { openShelf } from './folder-support.ts';

it('reads content that is too large for one answer page by page, and counts each page', async () => {
  const world = await createWorld();
  const shelf = await openShelf(world);
  await shelf.publish(
    page('A', { ref: 'a' }),
    page('B', { ref: 'b', into: 'a' }),
    page('C', { into: 'b' }),
    page('D'),
  );
  const api = world.as('read');
  const call: Api['call'] = (operation, input, options) => {
    const { texts } = (input as { readonly query?: { readonly texts?: boolean } }).query ?? {};
    const isWhole = operation.id === listPages.id && texts === true;
    return isWhole
      ? Promise.reject(new Problem('too-large', 'Too large.'))
      : api.call(operation, input, options);
  };
  const { signal } = new AbortController();
  const content = await openContent({ ...api, call }, { spaceId: shelf.spaceId }, signal);
  const notes: (readonly [done: number, total: number])[] = [];
  const { pages } = await content.read(true, (done, total) => notes.push([done, total]));
  expect(notes).toEqual([0, 1, 2, 3, 4].map((done) => [done, 4]));
  expect(pages).toMatchObject((await shelf.content.read(true)).pages);
});
