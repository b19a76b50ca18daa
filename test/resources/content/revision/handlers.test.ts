import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../../../src/contract/check.ts';
import { changeRequests } from '../../../../src/core/rows/change-requests.ts';
import { revisions as revisionRows } from '../../../../src/core/rows/revisions.ts';
import { listChangeRequests, listContributors } from '../../../../src/resources/change-requests/contract.ts';
import { findPageByPath, readPageNode } from '../../../../src/content/page-node.ts';
import { readPages } from '../../../../src/content/revisions.ts';
import { buildTree } from '../../../../src/content/tree.ts';
import * as revisions from '../../../../src/resources/content/revision/contract.ts';
import * as revisionPages from '../../../../src/resources/content/revision-pages/contract.ts';
import * as spaceContent from '../../../../src/resources/content/space/contract.ts';
import { createSpec } from '../../../../src/resources/openapi/contract.ts';
import * as spaces from '../../../../src/resources/spaces/contract.ts';
import { createWorld, type World } from '../../../support/world.ts';
import { openDesk, page, reason, type Desk } from '../../content-support.ts';

let world: World;
let desk: Desk;
beforeEach(async () => {
  world = await createWorld();
  desk = await openDesk(world);
});

describe('revisions', () => {
  it('are listed newest first, and can be read as a whole or by page after later changes', async () => {
    const { pages } = await desk.publish(page('First'));
    const { revision } = await desk.space();
    const id = pages![0]!.id;
    await desk.publish({
      operation: 'update_page',
      page: id,
      title: 'Second',
      document: { markdown: 'second' },
    });
    const { items } = await world
      .as('read')
      .call(revisions.listRevisions, { params: { spaceId: desk.spaceId }, query: { type: 'merge' } });
    expect(items.map((item) => item.id)).toEqual([(await desk.space()).revision, revision]);
    expect(items[0]).toMatchObject({ type: 'merge', pages: 1, files: 0, createdBy: { id: 'usr_admin' } });
    expect(violationsOf(revisions.listRevisions.returns.schema, { count: 2, items }, '')).toEqual([]);
    const params = { spaceId: desk.spaceId, revisionId: revision };
    const old = await world.as('read').call(revisions.getContent, { params });
    expect(violationsOf(revisions.getContent.returns.schema, old, '')).toEqual([]);
    expect(old).toMatchObject({
      id: revision,
      pages: [{ title: 'First', urls: { app: expect.stringContaining(`/~/revisions/${revision}/`) } }],
      mergedFrom: { number: 1 },
    });
    expect(
      await world.as('read').call(revisionPages.getPage, { params: { ...params, pageId: id } }),
    ).toMatchObject({ title: 'First', markdown: '# First\n' });
    expect(
      await world.as('read').call(revisionPages.getPageByPath, { params: { ...params, pagePath: 'first' } }),
    ).toMatchObject({ id });
  });

  it('count their document pages, without groups and links', async () => {
    const insert = { operation: 'insert_page', document: {} } as const;
    const link = { ...insert, type: 'link', title: 'Link', href: 'https://example.com' } as const;
    const group = { ...insert, type: 'group', title: 'Group' } as const;
    const { pages } = await desk.publish(page('First'), link, group);
    const counts = async () =>
      (
        await world.as('read').call(revisions.listRevisions, {
          params: { spaceId: desk.spaceId },
          query: { type: 'merge' },
        })
      ).items.map((item) => item.pages);
    expect(await counts()).toEqual([1]);
    // Revisions of earlier versions do not have this number.
    const { revision } = await desk.space();
    await world.core.store.write((tx) =>
      tx.update(revisionRows, revision, { documents: undefined } as never),
    );
    await desk.publish({ operation: 'delete_page', page: pages![1]!.id }, page('Second'));
    expect(await counts()).toEqual([2, 3]);
  });

  it('list their changes and the merged change request', async () => {
    await desk.publish(page('First'), page('Second'));
    const { revision } = await desk.space();
    const answer = await world.as('read').call(revisions.listChanges, {
      params: { spaceId: desk.spaceId, revisionId: revision },
      query: { limit: 1 },
    });
    expect(answer).toMatchObject({ mergedFrom: { number: 1 }, changes: [{ type: 'page_created' }], more: 1 });
    expect(violationsOf(revisions.listChanges.returns.schema, answer, '')).toEqual([]);
    const items = (
      await world.as('read').call(revisions.listRevisions, { params: { spaceId: desk.spaceId } })
    ).items;
    expect(
      (
        await world
          .as('read')
          .call(revisions.listChanges, { params: { spaceId: desk.spaceId, revisionId: items.at(-1)!.id } })
      ).changes,
    ).toEqual([]);
  });

  it('of another space are not found', async () => {
    const other = await world.as('admin').call(spaces.createSpace, { params: { organizationId: world.org } });
    expect(
      await reason(
        world
          .as('admin')
          .call(revisions.getContent, { params: { spaceId: desk.spaceId, revisionId: other.revision } }),
      ),
    ).toBe('not-found');
    expect(
      await reason(
        world
          .as('guest')
          .call(revisions.getContent, { params: { spaceId: other.id, revisionId: other.revision } }),
      ),
    ).toBe('not-found');
  });
});

const vars = '# kept\nproduct: Elsa\ncount: 3\nnested:\n  no: 1\n';
const setUp = () =>
  desk.publish(
    { operation: 'put_text', role: 'variables', git: { path: '.gitbook/vars.yaml' }, text: vars },
    {
      operation: 'put_text',
      role: 'include',
      git: { path: '.gitbook/includes/note.md' },
      title: 'A note',
      text: '---\ntitle: A note\n---\nNote **this**\n{% include "loop.md" %}\n',
    },
    {
      operation: 'put_text',
      role: 'include',
      git: { path: '.gitbook/includes/loop.md' },
      text: '{% include "loop.md" %}',
    },
    page('Start', {
      git: { path: 'docs/start.md' },
      document: {
        markdown:
          'Use <code class="expression">space.vars.product</code>, not <code class="expression">space.vars.none</code>.\n\n  {% include "../.gitbook/includes/note.md" %}\n\n{% include "absent.md" %}\n',
      },
    }),
  );

describe('the texts of a folder', () => {
  it('are stored unchanged, listed as reusable contents and variables, and can be replaced and removed', async () => {
    await setUp();
    const params = { spaceId: desk.spaceId };
    const { texts } = await world.as('read').call(spaceContent.listTexts, { params });
    expect(texts.map(({ role, title, git, text }) => [role, title, git.path, text?.length])).toEqual([
      ['include', 'loop', '.gitbook/includes/loop.md', 23],
      ['include', 'A note', '.gitbook/includes/note.md', 60],
      ['variables', 'vars', '.gitbook/vars.yaml', vars.length],
    ]);
    expect(violationsOf(spaceContent.listTexts.returns.schema, { texts }, '')).toEqual([]);
    const whole = await world.as('read').call(spaceContent.getContent, { params });
    expect(whole.variables).toEqual({ product: 'Elsa', count: '3' });
    expect(whole.reusableContents.map(({ title }) => title).sort()).toEqual(['A note', 'loop']);
    expect(whole.reusableContents.map(({ git }) => git?.path).sort()).toEqual([
      '.gitbook/includes/loop.md',
      '.gitbook/includes/note.md',
    ]);
    const bare = await world.as('read').call(spaceContent.getContent, { params, query: { metadata: false } });
    for (const one of bare.reusableContents) expect(one).not.toHaveProperty('git');
    await desk.publish(
      { operation: 'put_text', role: 'include', git: { path: '.gitbook/includes/note.md' }, text: 'new' },
      { operation: 'put_text', role: 'include', git: { path: '.gitbook/includes/loop.md' }, text: null },
    );
    const again = await world.as('read').call(spaceContent.listTexts, { params });
    expect(again.texts.map(({ id, text }) => [id, text])).toEqual([
      [texts[1]!.id, 'new'],
      [texts[2]!.id, vars],
    ]);
    const { number } = await desk.createRequest();
    expect(
      await reason(
        desk.edit(number, [{ operation: 'put_text', role: 'include', git: { path: 'none.md' }, text: null }]),
      ),
    ).toBe('not-found');
  });

  it('are included in pages that refer to them, up to a cycle', async () => {
    await setUp();
    const id = (await desk.pages())[0]!.id;
    const read = async (query: object) =>
      (
        await world
          .as('read')
          .call((await import('../../../../src/resources/content/space-pages/contract.ts')).getPage, {
            params: { spaceId: desk.spaceId, pageId: id },
            query,
          })
      ).markdown!;
    expect(await read({})).toContain('{% include "../.gitbook');
    const evaluated = await read({ evaluated: 'true', dereferenced: 'true' });
    expect(evaluated).toContain('Use Elsa, not .');
    expect(evaluated).toContain('\n  Note **this**\n  {% include "loop.md" %}\n');
    expect(evaluated).toContain('{% include "absent.md" %}');
    expect(await read({ dereferenced: 'reusable-contents' })).toContain('space.vars.product');
  });
});

describe('a batch of changes', () => {
  it('creates one revision for 300 changes', async () => {
    const { number } = await desk.createRequest();
    const changes = Array.from({ length: 300 }, (_, index) =>
      page(`P${index}`, { ref: `r${index}`, ...(index === 0 ? {} : { into: `r${(index - 1) >> 4}` }) }),
    );
    const { batchContent } = await import('../../../../src/resources/content/change-request/contract.ts');
    const answer = await world.as('edit').call(batchContent, { params: desk.at(number), body: { changes } });
    expect(answer.pages).toHaveLength(300);
    expect(answer.pages[299]).toMatchObject({ type: 'created_page', ref: 'r299', path: 'p0/p1/p18/p299' });
    expect(violationsOf(batchContent.returns.schema, answer, '')).toEqual([]);
    expect(
      await reason(world.as('read').call(batchContent, { params: desk.at(number), body: { changes } })),
    ).toBe('forbidden');
  });
});

describe('a template', () => {
  it('fills a space or a change request with copies, and its references with the given targets', async () => {
    const source = await openDesk(world);
    const { pages } = await source.publish(
      page('Parent', { ref: 'p', git: { path: 'parent.md' } }),
      page('Child', {
        into: 'p',
        document: { markdown: 'See [spec](/refs/spec), [home](/refs/home) and [none](/refs/none).' },
      }),
      { operation: 'insert_files', files: [{ name: 'a.txt', contentType: 'text/plain', base64: 'YQ==' }] },
    );
    await source.publish({
      operation: 'update_page',
      page: pages![0]!.id,
      document: { markdown: `to [child](/pages/${pages![1]!.id})` },
    });
    await desk.publish(page('Parent'), page('Home'));
    const home = (await desk.pages())[1]!.id;
    const { id: specId } = await world.as('admin').call(createSpec, {
      params: { organizationId: world.org },
      body: { slug: 'petstore', source: { text: '{}' } },
    });
    const contentRefs = { spec: { kind: 'openapi', spec: 'petstore' }, home: { kind: 'page', page: home } };
    const apply = (body: object, who: 'edit' | 'review' = 'review') =>
      world.as(who).call(spaceContent.applyTemplate, {
        params: { spaceId: desk.spaceId },
        body: { id: source.spaceId, params: { contentRefs }, ...body },
      });
    const contributionsTo = async (number: number) => {
      const { items } = await world.as('read').call(listContributors, { params: desk.at(number) });
      return items.map(({ actionType, count }) => `${actionType} ${count}`);
    };
    await apply({});
    const [, , parent] = await desk.pages();
    expect(parent).toMatchObject({
      title: 'Parent',
      slug: 'parent-1',
      git: { path: 'parent.md' },
      pages: [
        {
          title: 'Child',
          path: 'parent-1/child',
          markdown: `See [spec](openapi:petstore), [home](/pages/${home}) and [none](/refs/none).`,
        },
      ],
    });
    expect(parent!.markdown).toBe(`to [child](/pages/${parent!.pages![0]!.id})`);
    expect(parent!.id).not.toBe(pages![0]!.id);
    const request = await desk.createRequest();
    await apply({ changeRequestId: request.id }, 'edit');
    expect(await contributionsTo(request.number)).toEqual(['edit 1']);
    expect(await desk.pages()).toHaveLength(3);
    expect(await reason(apply({}, 'edit'))).toBe('forbidden');
    await desk.merge(request.number);
    expect((await desk.pages()).map(({ slug }) => slug)).toEqual(['parent', 'home', 'parent-1', 'parent-2']);
    const filled = await desk.createRequest({ template: { id: source.spaceId } });
    expect(filled).toMatchObject({ status: 'draft' });
    expect(await contributionsTo(filled.number)).toEqual(['edit 1']);
    expect(await desk.pages()).toHaveLength(4);
    await desk.merge(filled.number);
    expect(await desk.pages()).toHaveLength(5);
    expect(await reason(apply({ id: 'none' }))).toBe('not-found');
    for (const x of [
      { kind: 'page', page: 'none' },
      { kind: 'openapi', spec: 'none' },
    ])
      expect(await reason(apply({ params: { contentRefs: { x } } }))).toBe('not-found');
    await apply({ params: { contentRefs: { spec: { kind: 'openapi', spec: specId } } } });
    expect((await desk.pages()).at(-1)?.pages?.[0]?.markdown).toContain('[spec](openapi:petstore)');
    expect(await reason(apply({ params: { contentRefs: { x: { kind: 'tag' } } } }))).toBe('invalid-input');
    expect(await reason(apply({ changeRequestId: 'none' }))).toBe('not-found');
    const mergeRules = (rules: object[]) =>
      world.as('admin').call(spaces.updateSpace, {
        params: { spaceId: desk.spaceId },
        body: { mergeRules: { type: 'rules', rules } as never },
      });
    await mergeRules([{ rule: 'require_at_least_one_review' }]);
    expect(await reason(apply({}))).toBe('conflict');
    await mergeRules([
      { rule: 'require_at_least_one_review' },
      { rule: 'allow_bypass', users: [world.user('review')] },
    ]);
    await apply({});
  });
});

describe('the subtree of each page', () => {
  it('equals its part of the whole tree after any edits', async () => {
    const { number } = await desk.createRequest();
    const made = (
      await desk.edit(number, [
        page('A', { ref: 'a' }),
        page('B', { ref: 'b', into: 'a' }),
        page('C', { into: 'b' }),
        page('D'),
        { operation: 'insert_page', type: 'link', title: 'Web', href: 'https://example.test', document: {} },
      ])
    ).pages!.map(({ id }) => id);
    const [a, b, c, d] = made as [string, string, string, string];
    const agrees = async () => {
      await world.core.store.read(async (view) => {
        const { revision } = (await view.get(changeRequests, (await requestId()).id))!;
        const { byId } = buildTree(await readPages(view, revision));
        for (const [id, node] of byId) {
          expect(await readPageNode(view, revision, id)).toEqual(node);
          if (node.page.type !== 'link') expect(await findPageByPath(view, revision, node.path)).toBe(id);
        }
        expect(await findPageByPath(view, revision, 'web')).toBeUndefined();
      });
    };
    const all = await world
      .as('admin')
      .call(listChangeRequests, { params: { spaceId: desk.spaceId }, query: { status: 'draft' } });
    const requestId = async () => all.items[0]!;
    await agrees();
    for (const change of [
      { operation: 'update_page', page: d, into: b, at: 0 },
      { operation: 'update_page', page: b, into: null, at: 0 },
      { operation: 'update_page', page: c, slug: 'renamed', title: 'T' },
      { operation: 'update_page', page: d, document: { markdown: 'x' } },
      { operation: 'insert_page', title: 'E', document: {}, into: a },
      { operation: 'delete_page', page: b },
    ] as const) {
      await desk.edit(number, [change]);
      await agrees();
    }
    const many = Array.from({ length: 45 }, (_, index) => page(`N${index}`, { into: a }));
    await desk.edit(number, many);
    await agrees();
  });
});

it('the number of includes in a page is limited', async () => {
  const lines = (to: number) => `{% include "i${to}.md" %}\n`.repeat(30);
  const includes = Array.from({ length: 7 }, (_, index) => ({
    operation: 'put_text' as const,
    role: 'include' as const,
    git: { path: `i${index}.md` },
    text: index === 6 ? ' \n' : lines(index + 1),
  }));
  const { pages } = await desk.publish(
    ...includes,
    page('Bomb', { git: { path: 'p.md' }, document: { markdown: '{% include "i0.md" %}\n' } }),
  );
  const { getPage } = await import('../../../../src/resources/content/space-pages/contract.ts');
  const { markdown } = await world.as('read').call(getPage, {
    params: { spaceId: desk.spaceId, pageId: pages![0]!.id },
    query: { dereferenced: 'true' },
  });
  expect(markdown).toContain('{% include');
  expect(markdown!.length).toBeLessThan(50_000);
});
