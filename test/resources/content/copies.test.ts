import { flattenPages } from '../../../src/contract/values.ts';
import { describe, expect, it } from 'vitest';
import { createChangeRequest } from '../../../src/resources/change-requests/contract.ts';
import { applyTemplate, getContent, listTexts } from '../../../src/resources/content/space/contract.ts';
import { duplicateSpace, listSpaceLinks } from '../../../src/resources/spaces/contract.ts';
import { newFolder, openShelf } from '../../content-sync/folder-support.ts';
import { outline, page } from '../content-support.ts';
import { createWorld, type World } from '../../support/world.ts';

async function openTemplate(world: World) {
  const shelf = await openShelf(world);
  await shelf.importFolder(
    newFolder({
      'SUMMARY.md':
        '# Table of contents\n\n* [One](one.md)\n  * [Two](sub/two.md)\n* [Out](https://example.com)\n',
      'one.md':
        '---\ncover: pic.png\n---\n# One\n\n[two](sub/two.md#a) [app](APP) ![](pic.png) [refs](/refs/next) `[x](sub/two.md)`\n',
      'sub/two.md': '# Two\n\n## A\n\n[one](../one.md)\n\n{% include "../.gitbook/includes/part.md" %}\n',
      'pic.png': Buffer.from('picture'),
      '.gitbook/includes/part.md': '[one](../../one.md)\n',
    }),
  );
  const [one] = await shelf.pages();
  const { pages = [] } = one ?? {};
  const address = `https://app.gitbook.com/o/x/s/${shelf.spaceId}/one/sub`;
  await shelf.publish({
    operation: 'update_page',
    page: one?.id ?? '',
    document: {
      markdown: (one?.markdown ?? '').replace('APP', address) + `\n[id](/pages/${pages[0]?.id})\n`,
    },
  });
  return { ...shelf, ids: flattenPages(await shelf.pages()).map(({ id }) => id) };
}

describe('a duplicate of a space', () => {
  it('has new IDs for pages, files and texts, and its links lead to them', async () => {
    const world = await createWorld();
    const original = await openTemplate(world);
    const copy = await world
      .as('admin')
      .call(duplicateSpace, { params: { spaceId: original.spaceId }, query: {} });
    const read = (spaceId: string) => world.as('read').call(getContent, { params: { spaceId } });
    const [before, after] = [await read(original.spaceId), await read(copy.id)];
    expect(outline(after.pages)).toEqual(outline(before.pages));
    const idsOf = ({ pages, files }: typeof before) => [
      ...flattenPages(pages).map(({ id }) => id),
      ...files.map(({ id }) => id),
    ];
    const all = [...idsOf(before), ...idsOf(after)];
    expect(new Set(all).size).toBe(all.length);
    const [, two] = idsOf(after);
    expect(after.pages[0]?.markdown).toContain(`[id](/pages/${two})`);
    expect(after.pages[0]?.markdown).toContain(`https://app.gitbook.com/o/x/s/${copy.id}/one/sub)`);
    expect(after.pages[0]?.cover?.ref).toEqual({ kind: 'file', file: after.files[0]?.id, space: copy.id });
    expect(after.pages[0]?.createdAt).toBe(before.pages[0]?.createdAt);
    const links = await world
      .as('read')
      .call(listSpaceLinks, { params: { spaceId: copy.id }, query: { status: 'broken' } });
    expect(links.items.map(({ href }) => href)).toEqual(['/refs/next']);
    const texts = async (spaceId: string) =>
      (await world.as('read').call(listTexts, { params: { spaceId }, query: {} })).texts.map(
        ({ id: _id, ...text }) => text,
      );
    expect(await texts(copy.id)).toEqual(await texts(original.spaceId));
    // Changes of one of the spaces do not affect the other one.
    await original.publish({ operation: 'update_page', page: original.ids[0] ?? '', title: 'Changed' });
    expect((await read(copy.id)).pages[0]?.title).toBe('One');
  });
});

describe('a template', () => {
  it('gets unused slugs in a space that has pages, and its links lead to its own pages', async () => {
    const world = await createWorld();
    const template = await openTemplate(world);
    const target = await openTemplate(world);
    const apply = (body: object) =>
      world.as('admin').call(applyTemplate, {
        params: { spaceId: target.spaceId },
        body: {
          id: template.spaceId,
          params: { contentRefs: { next: { kind: 'url', url: 'https://example.com/a%20b/c)d e' } } },
          ...body,
        } as never,
      });
    await apply({});
    await apply({});
    const pages = await target.pages();
    expect(pages.map(({ slug, title }) => slug ?? title)).toEqual([
      'one',
      'Out',
      'one-1',
      'Out',
      'one-2',
      'Out',
    ]);
    const [, , first, , second] = pages;
    for (const copy of [first, second]) {
      const [two] = copy?.pages ?? [];
      expect(copy?.markdown).toContain(`[two](/pages/${two?.id}#a)`);
      expect(copy?.markdown).toContain('[refs](https://example.com/a%20b/c%29d%20e) `[x](sub/two.md)`');
      expect(two?.markdown).toContain(`[one](/pages/${copy?.id})`);
      expect(two?.path).toBe(`${copy?.slug}/two`);
    }
    // Every page can still be edited.
    await target.publish(
      ...pages.flatMap(({ id, type }) =>
        type === 'document' ? [{ operation: 'update_page' as const, page: id, description: 'new' }] : [],
      ),
    );
  });

  it('can link to pages and files of other spaces that the caller may read', async () => {
    const world = await createWorld();
    const [template, target, other] = [
      await openShelf(world),
      await openShelf(world),
      await openTemplate(world),
    ];
    await template.publish(page('Start', { document: { markdown: '[p](/refs/page) ![f](/refs/file)' } }));
    const space = other.spaceId;
    const { pages, files } = await world.as('read').call(getContent, { params: { spaceId: space } });
    const at = { params: { spaceId: target.spaceId } };
    const apply = (contentRefs: Record<string, { kind: string }>) =>
      world
        .as('admin')
        .call(applyTemplate, { ...at, body: { id: template.spaceId, params: { contentRefs } } });
    const ref = { kind: 'page', page: pages[0]!.id, space };
    await apply({ page: ref, file: { kind: 'file', file: files[0]!.id, space } as { kind: string } });
    const { items } = await world.as('read').call(listSpaceLinks, { ...at, query: {} });
    expect(items.map(({ status, targetReference }) => ({ status, targetReference }))).toMatchObject([
      { status: 'in-app', targetReference: { kind: 'page', page: pages[0]!.id, space } },
      { status: 'in-app', targetReference: { kind: 'file', file: files[0]!.id, space } },
    ]);
    for (const absent of [{ page: 'pag_absent' }, { space: 'spc_absent' }, { page: files[0]!.id }])
      await expect(apply({ page: { ...ref, ...absent } })).rejects.toMatchObject({
        reason: 'not-found',
      });
  });

  it('keeps the targets of links of Obsidian', async () => {
    const world = await createWorld();
    const template = await openShelf(world);
    await template.importFolder(
      newFolder({ 'a.md': '[[Two#A b|x]] ![[pic.png]]\n', 'b/two.md': '', 'pic.png': '' }),
    );
    const target = await openShelf(world);
    const at = { params: { spaceId: target.spaceId } };
    for (const id of [template.spaceId, template.spaceId])
      await world.as('admin').call(applyTemplate, { ...at, body: { id } });
    const pages = flattenPages(await target.pages());
    const [first, second] = pages.filter(({ path }) => path?.endsWith('two') === true);
    const links = pages
      .filter(({ markdown }) => markdown?.includes('x') === true)
      .map(({ markdown }) => markdown);
    expect(links).toEqual([
      '[[Two#A b|x]] ![[pic.png]]\n',
      expect.stringMatching(
        new RegExp(`^\\[x\\]\\(</pages/${second?.id}#a-b>\\) !\\[\\]\\(</files/fil_\\w+>\\)\n$`),
      ),
    ]);
    expect(first?.id).not.toBe(second?.id);
  });

  it('can be a duplicate of the target space', async () => {
    const world = await createWorld();
    const original = await openShelf(world);
    await original.publish(page('Start'), page('End'));
    const copy = await world
      .as('admin')
      .call(duplicateSpace, { params: { spaceId: original.spaceId }, query: {} });
    await world
      .as('admin')
      .call(applyTemplate, { params: { spaceId: original.spaceId }, body: { id: copy.id } });
    expect((await original.pages()).map(({ slug }) => slug)).toEqual(['start', 'end', 'start-1', 'end-1']);
  });

  it('can be applied to a new or to an existing change request', async () => {
    const world = await createWorld();
    const template = await openTemplate(world);
    const target = await openShelf(world);
    await target.publish(page('One'));
    const params = { spaceId: target.spaceId };
    const slugs = async () => (await target.pages()).map(({ slug, title }) => slug ?? title);
    const { number } = await world
      .as('edit')
      .call(createChangeRequest, { params, body: { template: { id: template.spaceId } } });
    expect(await slugs()).toEqual(['one']);
    await world
      .as('edit')
      .call(applyTemplate, { params, body: { id: template.spaceId, changeRequestId: number } });
    expect(await slugs()).toEqual(['one']);
    await target.merge(number, 'admin');
    expect(await slugs()).toEqual(['one', 'one-1', 'Out', 'one-2', 'Out']);
  });
});
