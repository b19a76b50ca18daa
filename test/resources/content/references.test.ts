import { beforeAll, describe, expect, it } from 'vitest';
import type { RichNode } from '../../../src/contract/shapes.ts';
import { defined } from '../../../src/contract/values.ts';
import { spaces } from '../../../src/core/rows/spaces.ts';
import { getContent } from '../../../src/resources/content/space/contract.ts';
import { getPage } from '../../../src/resources/content/space-pages/contract.ts';
import * as requestPages from '../../../src/resources/content/change-request-pages/contract.ts';
import { newFolder, openShelf, type Shelf } from '../../content-sync/folder-support.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
let shelf: Shelf;
let other: Shelf;
let ids: Record<string, string>;

const start = (elsewhere: string, part: string) => `---
vars: { name: Elsa, count: 3, empty: null }
---
# Start

[page](guides/one.md) [anchor](guides/one.md#two) [own](#here) [file](pic.png) [gone](none.md) [lost](/broken/pages/pag_old)
[web](https://example.com/a) [id](/pages/ONE#x) [space](https://app.gitbook.com/s/${elsewhere}/) [there](https://app.gitbook.com/s/${elsewhere}/far/#y)
[unknown](https://app.gitbook.com/s/spc_none/far) [user](/users/usr_read) [Old name](guides/one.md "mention") \`[page](guides/one.md)\`

{% content-ref url="guides/one.md" %}
[one.md](guides/one.md)
{% endcontent-ref %}

{% include ".gitbook/includes/part.md" %}

{% include "https://app.gitbook.com/s/${elsewhere}/~/reusable/${part}/" %}

<table><thead><tr><th>N</th><th data-type="content-ref"></th><th data-type="files"></th></tr></thead><tbody><tr><td>1</td><td><a href="guides/one.md">x</a></td><td><a href="pic.png">p</a></td></tr></tbody></table>

![](pic.png)
`;

beforeAll(async () => {
  world = await createWorld();
  other = await openShelf(world);
  await other.importFolder(
    newFolder({
      'far.md': '# Far\n',
      '.gitbook/includes/shared.md': 'Shared [far](../../far.md)\n',
    }),
  );
  const part = (await world.as('read').call(getContent, { params: { spaceId: other.spaceId } }))
    .reusableContents[0];
  shelf = await openShelf(world);
  await shelf.importFolder(
    newFolder({
      'SUMMARY.md': '* [Start](README.md)\n* [One](guides/one.md "The one")\n',
      'README.md': start(other.spaceId, part?.id ?? ''),
      'guides/one.md': '# One\n\n## Two\n\n[back](../README.md)\n',
      'pic.png': Buffer.from('picture'),
      '.gitbook/includes/part.md': 'Part [one](../../guides/one.md)\n',
    }),
  );
  const { pages, files, reusableContents } = await world
    .as('read')
    .call(getContent, { params: { spaceId: shelf.spaceId } });
  ids = {
    start: pages[0]?.id ?? '',
    one: pages[1]?.id ?? '',
    file: files[0]?.id ?? '',
    part: reusableContents[0]?.id ?? '',
    shared: part?.id ?? '',
    far: (await other.pages())[0]?.id ?? '',
  };
});

const read = (query: object, page = ids['start'] ?? '') =>
  world.as('read').call(getPage, { params: { spaceId: shelf.spaceId, pageId: page }, query });
const nodesOf = (nodes: readonly RichNode[] = []): RichNode[] =>
  nodes.flatMap((node) => [
    node,
    ...nodesOf(node.nodes),
    ...nodesOf(node['fragments'] as readonly RichNode[] | undefined),
  ]);
const refsOf = (nodes: readonly RichNode[], type: string) =>
  nodesOf(nodes).flatMap((node) => (node.type === type ? [node.data?.['ref']] : []));

describe('the references of a document', () => {
  it('have the IDs of their targets, in published content and in drafts', async () => {
    const { start: _start, one, file, part, shared, far } = ids;
    const { number } = await shelf.createRequest();
    await shelf.edit(number, [
      { operation: 'update_page', page: one ?? '', description: 'a draft has no index of links' },
    ]);
    const draft = await world.as('read').call(requestPages.getPage, {
      params: { ...shelf.at(number), pageId: ids['start'] ?? '' },
      query: { format: 'document' },
    });
    for (const { document } of [await read({ format: 'document' }), draft]) {
      const nodes = document?.nodes ?? [];
      expect(refsOf(nodes, 'link')).toEqual([
        { kind: 'page', page: one },
        { kind: 'anchor', anchor: 'two', page: one },
        { kind: 'anchor', anchor: 'here' },
        { kind: 'file', file },
        { kind: 'url', url: 'none.md' },
        { kind: 'page', page: 'pag_old' },
        { kind: 'url', url: 'https://example.com/a' },
        { kind: 'url', url: '/pages/ONE#x' },
        { kind: 'space', space: other.spaceId },
        { kind: 'anchor', anchor: 'y', page: far, space: other.spaceId },
        { kind: 'url', url: 'https://app.gitbook.com/s/spc_none/far' },
        { kind: 'user', user: 'usr_read' },
      ]);
      expect(refsOf(nodes, 'mention')).toEqual([{ kind: 'page', page: one }]);
      expect(refsOf(nodes, 'content-ref')).toEqual([{ kind: 'page', page: one }]);
      expect(refsOf(nodes, 'image')).toEqual([{ kind: 'file', file }]);
      expect(refsOf(nodes, 'reusable-content')).toEqual([
        { kind: 'reusable-content', reusableContent: part },
        { kind: 'reusable-content', reusableContent: shared, space: other.spaceId },
      ]);
      const [table] = nodesOf(nodes).filter(({ type }) => type === 'table');
      expect(JSON.stringify(table?.data?.['records'])).toContain(
        `"column-2":{"kind":"page","page":"${one}"},"column-3":["${file}"]`,
      );
    }
  });

  it('are written back as Markdown that leads to the same targets', async () => {
    const before = await read({ format: 'document' });
    const { number } = await shelf.createRequest();
    await shelf.edit(number, [
      {
        operation: 'update_page',
        page: ids['start'] ?? '',
        document: defined({ document: before.document }),
      },
    ]);
    const draft = (query: object) =>
      world
        .as('read')
        .call(requestPages.getPage, { params: { ...shelf.at(number), pageId: ids['start'] ?? '' }, query });
    const { markdown } = await draft({});
    expect(markdown).toContain(`[page](/pages/${ids['one']})`);
    expect(markdown).toContain('{% include ".gitbook/includes/part.md" %}');
    expect(markdown).toContain(
      `{% include "https://app.gitbook.com/s/${other.spaceId}/~/reusable/${ids['shared']}/" %}`,
    );
    const after = await draft({ format: 'document' });
    for (const type of ['link', 'mention', 'content-ref', 'image', 'reusable-content'])
      expect(refsOf(after.document?.nodes ?? [], type)).toEqual(refsOf(before.document?.nodes ?? [], type));
  });
});

describe('the references of Markdown', () => {
  it('are returned as written, with IDs, or relative to the page', async () => {
    expect((await read({})).markdown).toContain('[page](guides/one.md) [anchor](guides/one.md#two)');
    const { markdown = '' } = await read({ 'format.markdown.refs': 'stable' });
    const { one, file, far } = ids;
    expect(markdown).toContain(
      `[page](/pages/${one}) [anchor](/pages/${one}#two) [own](#here) [file](/files/${file}) [gone](none.md)`,
    );
    expect(markdown).toContain(`[there](https://app.gitbook.com/s/${other.spaceId}/${far}#y)`);
    expect(markdown).toContain('`[page](guides/one.md)`');
    expect(markdown).toContain(`{% content-ref url="/pages/${one}" %}`);
    const { number } = await shelf.createRequest();
    // This page has no file.
    const { pages: [fresh] = [] } = await shelf.edit(number, [
      { operation: 'insert_page', title: 'Fresh', document: { markdown: 'Text\n' } },
    ]);
    const text = `${markdown}\n\n[fresh](/pages/${fresh?.id})\n`;
    await shelf.edit(number, [
      { operation: 'update_page', page: ids['start'] ?? '', document: { markdown: text } },
    ]);
    const back = await world.as('read').call(requestPages.getPage, {
      params: { ...shelf.at(number), pageId: ids['start'] ?? '' },
      query: { 'format.markdown.refs': 'relative' },
    });
    expect(back.markdown).toContain(
      '[page](guides/one.md) [anchor](guides/one.md#two) [own](#here) [file](pic.png) [gone](none.md)',
    );
    expect(back.markdown).toContain('[fresh](fresh.md)');
  });
});

describe('a dereferenced page', () => {
  it('includes the texts of reusable contents, and the titles of targets only with true', async () => {
    const reusable = (await read({ dereferenced: 'reusable-contents' })).markdown ?? '';
    expect(reusable).toContain('Part [one](guides/one.md)');
    expect(reusable).toContain(`Shared [far](https://app.gitbook.com/s/${other.spaceId}/${ids['far']})`);
    expect(reusable).toContain('[Old name](guides/one.md "mention")');
    const all = (await read({ dereferenced: 'true' })).markdown ?? '';
    expect(all).toContain('Part [one](guides/one.md)');
    expect(all).toContain('[The one](guides/one.md "mention")');
    expect(all).toContain(
      '{% content-ref url="guides/one.md" %}\n[The one](guides/one.md)\n{% endcontent-ref %}',
    );
    const { document } = await read({ format: 'document', dereferenced: 'true' });
    const labels = nodesOf(document?.nodes).flatMap(({ type, data }) =>
      type === 'mention' || type === 'content-ref' ? [data?.['label']] : [],
    );
    expect(labels).toEqual(['The one', 'The one']);
    expect(refsOf(document?.nodes ?? [], 'reusable-content')).toEqual([]);
  });
});

describe('a space of another organization', () => {
  it('is referred to only by its address, and its reusable contents are not included', async () => {
    await world.core.store.write((tx) => tx.update(spaces, other.spaceId, { organization: 'org_other' }));
    const { document } = await read({ format: 'document', dereferenced: 'true' });
    expect(JSON.stringify(document)).not.toContain(ids['far']);
    expect(refsOf(document?.nodes ?? [], 'link')).toContainEqual({
      kind: 'url',
      url: `https://app.gitbook.com/s/${other.spaceId}/far/#y`,
    });
    expect((await read({ dereferenced: 'true' })).markdown).not.toContain('Shared');
  });
});
