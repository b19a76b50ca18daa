import { expect, it } from 'vitest';
import { planReimport } from '../../src/content-sync/plan-reimport.ts';
import { readFolder } from '../../src/content-sync/read-folder.ts';
import { createWorld } from '../support/world.ts';
import { newFolder, openShelf } from './folder-support.ts';

const files = {
  'README.md': '# Home\n',
  'a/reference.md': '# Reference\n\nOne\n',
  'b/reference.md': '# Reference\n\nTwo\n',
};

it('gives up a kept slug if a page that moves from another parent has it', async () => {
  const shelf = await openShelf(await createWorld());
  await shelf.importFolder(
    newFolder({
      ...files,
      'SUMMARY.md': '* [Home](README.md)\n* [Reference](b/reference.md)\n  * [Reference](a/reference.md)\n',
    }),
  );
  const folder = await readFolder(
    newFolder({
      ...files,
      'SUMMARY.md': '* [Home](README.md)\n* [Reference](a/reference.md)\n* [Reference](b/reference.md)\n',
    }),
  );
  const { pages } = planReimport(await shelf.content.read(true), folder);
  await shelf.publish(...pages);
  expect((await shelf.pages()).map(({ slug, git }) => [slug, git?.path])).toEqual([
    ['readme', 'README.md'],
    ['reference', 'a/reference.md'],
    ['reference-1', 'b/reference.md'],
  ]);
});
