import fc from 'fast-check';
import { expect, it } from 'vitest';
import { revisions } from '../../../../src/core/rows/revisions.ts';
import { spaces } from '../../../../src/core/rows/spaces.ts';
import { Problem } from '../../../../src/errors/problem.ts';
import { updateLinkIndex } from '../../../../src/content/links/update-link-index.ts';
import { LinkIndex, linkKinds } from '../../../../src/content/links/link-index.ts';
import { readContent } from '../../../../src/content/revisions.ts';
import type { PageBody } from '../../../../src/resources/content/schemas.ts';
import { readEntries } from '../../../../src/content/trie.ts';
import { listSpaceLinks, listSpaces } from '../../../../src/resources/spaces/contract.ts';
import { listPages, listPageLinks } from '../../../../src/resources/content/change-request-pages/contract.ts';
import { createWorld, type World } from '../../../support/world.ts';
import { openDesk, type Desk } from '../../content-support.ts';
import type { ContentChange } from '../../../../src/content/changes.ts';

/** Returns the index that the space has, and an index that is built from its current content alone. */
async function bothIndexes(world: World, spaceId: string) {
  return world.core.store.read(async (view) => {
    const row = (await view.get(revisions, (await view.get(spaces, spaceId))!.revision))!;
    const scratch = new LinkIndex(view, undefined);
    const changes = (await readContent(view, row.id)).map((after) => ({
      id: after.id,
      before: undefined,
      after,
    }));
    await updateLinkIndex(view, scratch, row, changes);
    const sorted = (entries: Iterable<{ readonly id: string } | undefined>) =>
      [...entries].filter((entry) => entry !== undefined).sort((one, other) => (one.id < other.id ? -1 : 1));
    const kept: Record<string, unknown> = {
      sums: [row.links!.total, row.links!.broken, row.links!.missingAnchors],
    };
    const made: Record<string, unknown> = {
      sums: [scratch.total, scratch.totalBroken, scratch.missingAnchors],
    };
    for (const kind of linkKinds) {
      kept[kind] = sorted(await readEntries<{ id: string }>(view, row.links!.roots[kind]!));
      made[kind] = sorted(scratch.changes[kind].values());
    }
    return { kept, made };
  });
}

const flat = (pages: readonly PageBody[]): PageBody[] =>
  pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);
const nat = fc.nat(1000);
const names = ['a', 'b', 'c', 'd'];
const files = ['a.md', 'b.md', 'dir/a.md', 'dir/README.md', 'README.md'];
const pick = <T>(from: readonly T[], at: number): T => from[at % from.length]!;

/** A link to a page by any of its names, or to nothing. */
const href = fc.oneof(
  fc.constantFrom(
    'a.md',
    '../a',
    'dir/',
    '/dir/README.md',
    'b',
    'b.md#x',
    'b#t',
    '/a/b#t-1',
    'dir/#x',
    '#t-2',
    'https://app.gitbook.com/s/spc_other/a#x',
    '/a/b',
    './c.md',
    '#here',
    'https://example.com',
    '/files/none',
    'pic.png',
    '../pic.png',
    '',
    'b#T_1',
    '/a/b#id-1-and-x',
    'd#1.-X',
    '/d#é-or-t',
    '#É-t',
  ),
  nat,
);
const text = fc.array(href, { maxLength: 5 });
const step = fc.oneof(
  fc.record({ do: fc.constant('insert' as const), name: nat, into: nat, git: nat, text }),
  fc.record({ do: fc.constant('text' as const), page: nat, text, matter: fc.boolean() }),
  fc.record({ do: fc.constant('matter' as const), page: nat, lines: fc.nat(2) }),
  fc.record({ do: fc.constant('rename' as const), page: nat, name: nat }),
  fc.record({ do: fc.constant('move' as const), page: nat, into: nat }),
  fc.record({ do: fc.constant('delete' as const), page: nat }),
  fc.record({ do: fc.constant('link' as const), href, page: nat, into: nat, isNew: fc.boolean() }),
  fc.record({ do: fc.constant('file' as const), name: nat }),
  fc.record({ do: fc.constant('include' as const), name: nat, text }),
  fc.record({ do: fc.constant('merge' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Returns headings with the anchors t, t-1, … and x, or an include, which hides the anchors. */
const headings = (count: number): string =>
  count === 4
    ? '{% include "x.md" %}\n\n'
    : `${'# T\n\n'.repeat(1 + (count % 3))}${['# X\n\n', '# 1 and X\n\n', ':::note\n# É or T\n:::\n\n', '<a id="1.x"></a>\n\n', ''][count % 5]}`;

function changeOf(step: Step, ids: readonly string[]): ContentChange | undefined {
  const markdown = (links: readonly (string | number)[], matter = false) =>
    `${matter ? '---\ndescription: x\n---\n' : ''}${headings(links.length)}${links.map((link) => `[x](${typeof link === 'number' ? `/pages/${ids.length === 0 ? 'pag_none' : pick(ids, link)}` : link})`).join('\n')}\n`;
  if (step.do === 'insert') {
    const into = step.into % 2 === 0 || ids.length === 0 ? {} : { into: pick(ids, step.into) };
    const git = step.git % 2 === 0 ? {} : { git: { path: pick(files, step.git >> 1) } };
    return {
      operation: 'insert_page',
      title: pick(names, step.name),
      document: { markdown: markdown(step.text) },
      ...into,
      ...git,
    };
  }
  if (step.do === 'link') {
    const target =
      typeof step.href === 'number'
        ? `/pages/${ids.length === 0 ? 'pag_none' : pick(ids, step.href)}`
        : step.href;
    if (step.isNew || ids.length === 0)
      return {
        operation: 'insert_page',
        type: 'link',
        document: {},
        title: 'L',
        href: target || '#x',
        ...(step.into % 2 === 0 || ids.length === 0 ? {} : { into: pick(ids, step.into) }),
      };
    return { operation: 'update_page', page: pick(ids, step.page), href: target || 'b' };
  }
  if (step.do === 'file')
    return {
      operation: 'insert_files',
      files: [
        {
          name: 'pic.png',
          contentType: 'image/png',
          base64: 'AAAA',
          git: { path: pick(['pic.png', 'dir/pic.png', 'a.md'], step.name) },
        },
      ],
    };
  if (step.do === 'include') {
    const path = pick(['.gitbook/includes/i.md', 'b.md'], step.name);
    return {
      operation: 'put_text',
      role: 'include',
      git: { path },
      title: 'I',
      text: step.text.length === 0 ? null : markdown(step.text),
    };
  }
  if (step.do === 'merge' || ids.length === 0) return undefined;
  const page = pick(ids, step.page);
  if (step.do === 'text')
    return { operation: 'update_page', page, document: { markdown: markdown(step.text, step.matter) } };
  if (step.do === 'matter') {
    const matter = ['', '---\ndescription: x\n---\n', '---\ndescription: x\nicon: y\n---\n'][step.lines]!;
    return {
      operation: 'update_page',
      page,
      document: { markdown: `${matter}[x](b)\n` },
      git: { path: 'dir/b.md' },
    };
  }
  if (step.do === 'rename') return { operation: 'update_page', page, slug: pick(names, step.name) };
  if (step.do === 'move')
    return { operation: 'update_page', page, into: step.into % 3 === 0 ? null : pick(ids, step.into) };
  return { operation: 'delete_page', page };
}

async function idsOf(world: World, desk: Desk, number: number): Promise<string[]> {
  const { pages } = await world
    .as('read')
    .call(listPages, { params: desk.at(number), query: { texts: false } });
  return flat(pages).map(({ id }) => id);
}

/** Returns the links of all pages of a change request, and the number of broken ones. */
async function linksOfDraft(world: World, desk: Desk, number: number) {
  const found: unknown[] = [];
  let broken = 0;
  for (const pageId of (await idsOf(world, desk, number)).sort()) {
    const { items, stats } = await world
      .as('read')
      .call(listPageLinks, { params: { ...desk.at(number), pageId }, query: { limit: 1000 } });
    for (const { href, line, status, targetReference } of items)
      found.push([pageId, href, line, status, targetReference?.page ?? targetReference?.file]);
    broken += stats.broken.total;
  }
  return { found, broken };
}

it(
  'an index that is updated by each merge equals an index built from scratch',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 20 }), async (steps) => {
        const world = await createWorld();
        const desk = await openDesk(world);
        const page = (title: string, href: string, more: object = {}) => ({
          operation: 'insert_page' as const,
          title,
          document: { markdown: `[x](${href})\n` },
          ref: title,
          ...more,
        });
        await desk.publish(
          page('a', 'b'),
          page('b', '/a/b/c', { into: 'a' }),
          page('c', 'd', { into: 'b' }),
          page('d', '/a/b#x', { git: { path: 'dir/README.md' } }),
        );
        let number: number | undefined;
        const merge = async (): Promise<void> => {
          if (number === undefined) return;
          const draft = await linksOfDraft(world, desk, number);
          await desk.merge(number);
          number = undefined;
          const { kept, made } = await bothIndexes(world, desk.spaceId);
          expect(kept).toEqual(made);
          const { items, stats } = await world
            .as('read')
            .call(listSpaceLinks, { params: { spaceId: desk.spaceId }, query: { limit: 1000 } });
          const ofPages = items.filter(({ source }) => source!.kind === 'page');
          const found = ofPages.map(({ source, href, line, status, targetReference }) => [
            source!.id,
            href,
            line,
            status,
            targetReference?.page ?? targetReference?.file,
          ]);
          const byPage = found.sort((one, other) =>
            one[0]! < other[0]! ? -1 : one[0]! > other[0]! ? 1 : Number(one[2]) - Number(other[2]),
          );
          expect(byPage).toEqual(draft.found);
          expect(stats).toEqual({
            total: items.length,
            broken: { total: items.filter(({ status }) => status === 'broken').length },
          });
        };
        for (const each of [...steps, { do: 'merge' as const }]) {
          if (each.do === 'merge') {
            await merge();
            continue;
          }
          number ??= (await desk.createRequest()).number;
          const change = changeOf(each, await idsOf(world, desk, number));
          if (change === undefined) continue;
          // A change is refused if its slug is taken or it moves a page into itself.
          await desk.edit(number, [change]).catch((error: unknown) => expect(error).toBeInstanceOf(Problem));
        }
      }),
      { numRuns: 25 },
    );
  },
);

it('links are listed only for the requested space', async () => {
  const world = await createWorld();
  const desk = await openDesk(world);
  await desk.publish({ operation: 'insert_page', title: 'a', document: { markdown: '[x](a.md)' } });
  const other = await openDesk(world);
  expect(
    (await world.as('read').call(listSpaces, { params: { organizationId: world.org } })).items,
  ).toHaveLength(2);
  expect((await world.as('read').call(listSpaceLinks, { params: { spaceId: other.spaceId } })).items).toEqual(
    [],
  );
});
