import { expect, it } from 'vitest';
import { createWorld } from '../support/world.ts';
import { newFolder, openShelf, writeFiles } from './folder-support.ts';
import { outline } from '../resources/content-support.ts';

it('pages that exchange their slugs do so in an import, also where a page of the folder has the temporary slug', async () => {
  const shelf = await openShelf(await createWorld());
  const folder = (third: string) => ({
    'SUMMARY.md': `* [A](a.md)\n* [New](${third}.md)\n* [B](b.md)\n`,
    'a.md': '# A\n',
    [`${third}.md`]: '# New\n',
    'b.md': '# B\n',
  });
  await shelf.importFolder(
    newFolder({ 'SUMMARY.md': '* [A](a.md)\n* [B](b.md)\n', 'a.md': '# A\n', 'b.md': '# B\n' }),
  );
  // In the app, each page was given the slug of the other one.
  const [a = '', b = ''] = (await shelf.pages()).map(({ id }) => id);
  await shelf.publish(
    { operation: 'update_page', page: a, slug: 'c' },
    { operation: 'update_page', page: b, slug: 'a' },
    { operation: 'update_page', page: a, slug: 'b' },
  );
  expect(outline(await shelf.pages())).toEqual(['b', 'a']);
  const dir = newFolder(folder('any'));
  const temporary = (await shelf.plan(dir)).pages.flatMap((change) =>
    change.operation === 'update_page' && change.page === b && change.slug !== 'b' ? [change.slug ?? ''] : [],
  );
  expect(temporary).toHaveLength(1);
  const [taken = ''] = temporary;
  const other = newFolder();
  writeFiles(other, folder(taken));
  await shelf.importFolder(other);
  expect(outline(await shelf.pages())).toEqual(['a', taken, 'b']);
});
