import { expect, it } from 'vitest';
import { blobs, type PageEntry } from '../../../src/content/rows.ts';
import type { SourceEntry } from '../../../src/content/links/link-index.ts';
import { readEntries } from '../../../src/content/trie.ts';
import { revisions } from '../../../src/core/rows/revisions.ts';
import { readContent } from '../../../src/content/revisions.ts';
import { spaces } from '../../../src/core/rows/spaces.ts';
import { listSpaceLinks } from '../../../src/resources/spaces/contract.ts';
import { openDesk, page } from '../../resources/content-support.ts';
import { createWorld } from '../../support/world.ts';

it('does not read the text of a page again when a page above it moves', async () => {
  const world = await createWorld();
  const desk = await openDesk(world);
  const markdown = '[other](../other.md)\n';
  await desk.publish(
    page('Above', { ref: 'above' }),
    page('Below', { into: 'above', document: { markdown } }),
    page('Other'),
  );
  const [above] = await desk.pages();
  const { store } = world.core;
  const below = await store.read(async (tx) => {
    const { revision = '' } = (await tx.get(spaces, desk.spaceId)) ?? {};
    return (await readContent(tx, revision)).find(
      (entry): entry is PageEntry => entry.kind === 'page' && entry.title === 'Below',
    );
  });
  // From here on, reading the text fails.
  await store.write((tx) => tx.remove(blobs, below?.blob ?? ''));
  await desk.publish({ operation: 'update_page', page: above?.id ?? '', slug: 'moved' });
  const { items } = await world.as('read').call(listSpaceLinks, { params: { spaceId: desk.spaceId } });
  expect(items).toMatchObject([{ status: 'ok', source: { path: 'moved/below' } }]);
});

it('requires a new version of the index if its content differs', async () => {
  const world = await createWorld();
  const desk = await openDesk(world);
  const markdown = '## 1 Tips & Tricks\n\n[x](#id-1-tips-and-tricks)\n\n:::note\n## In\n:::\n';
  await desk.publish(page('A', { document: { markdown } }), {
    operation: 'insert_page',
    type: 'link',
    document: {},
    title: 'L',
    href: 'a#in',
  });
  const { links } = await world.core.store.read(async (tx) => {
    const { revision = '' } = (await tx.get(spaces, desk.spaceId)) ?? {};
    return (await tx.get(revisions, revision))!;
  });
  const { sources = '', linkers = '' } = links?.roots ?? {};
  const read = (root: string) => world.core.store.read((tx) => readEntries<SourceEntry>(tx, root));
  const anchors = (await read(sources)).flatMap((each) => each.anchors ?? []);
  // If these differ, raise the version, because stores contain indexes of the previous version.
  const names = (await read(linkers)).map(({ id }) => id.replace(/pag_\w+/, 'A')).sort();
  expect([links?.version, anchors, names]).toEqual([
    8,
    ['1-tips--tricks', 'in'],
    ['anchor:page:A#1tipstricks', 'anchor:path:a#in', 'page:A', 'path:a'],
  ]);
});

it('finds the target of an address of another tool, also if it comes later or gets another title', async () => {
  const world = await createWorld();
  const desk = await openDesk(world);
  const markdown = '[a](../other/#there) [b](/docs/in/Other#gone) [c](/docs/in/none)\n';
  const git = (path: string) => ({ git: { path } });
  await desk.publish(page('A', { document: { markdown }, ...git('in/a.md') }));
  const links = async () =>
    (
      await world
        .as('read')
        .call(listSpaceLinks, { params: { spaceId: desk.spaceId }, query: { anchors: true } })
    ).items.map(({ href, status }) => `${href} ${status}`);
  expect(await links()).toEqual([
    '../other/#there broken',
    '/docs/in/Other#gone broken',
    '/docs/in/none broken',
  ]);
  await desk.publish(page('B', { document: { markdown: '# There\n' }, ...git('in/Other.md') }));
  const found = ['../other/#there ok', '/docs/in/Other#gone broken', '/docs/in/none broken'];
  expect(await links()).toEqual(found);
  const other = (await desk.pages()).find(({ title }) => title === 'B');
  const update = { operation: 'update_page', page: other?.id ?? '' } as const;
  await desk.publish({ ...update, document: { markdown: '# Gone\n' }, title: 'C' });
  expect(await links()).toEqual(['../other/#there broken', '/docs/in/Other#gone ok', '/docs/in/none broken']);
});
