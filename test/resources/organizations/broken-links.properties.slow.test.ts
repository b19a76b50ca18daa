import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ContentChange } from '../../../src/content/changes.ts';
import { Problem } from '../../../src/errors/problem.ts';
import type { PageBody } from '../../../src/resources/content/schemas.ts';
import { findBrokenLinks } from '../../../src/resources/organizations/contract.ts';
import { listSpaceLinks } from '../../../src/resources/spaces/contract.ts';
import { createWorld, type World } from '../../support/world.ts';
import { openDesk, page, type Desk } from '../content-support.ts';

const files = ['a.md', 'b.md', 'in/a.md', 'in/README.md'];
const pick = <T>(from: readonly T[], at: number): T => from[at % from.length]!;
const nat = fc.nat(1000);
const href = fc.constantFrom(
  'a.md',
  'b.md#t',
  'in/',
  '../a.md',
  '/in/a.md#x',
  'a.md#t-1',
  '#x',
  '#t',
  'none',
  'a',
);
const text = fc
  .record({
    links: fc.array(href, { maxLength: 4 }),
    headings: fc.array(fc.constantFrom('T', 'X'), { maxLength: 3 }),
  })
  .map(({ links, headings }) =>
    [...headings.map((each) => `# ${each}\n`), ...links.map((each) => `[x](${each})`)].join('\n'),
  );
const edit = fc.oneof(
  fc.record({ do: fc.constant('insert' as const), file: nat, text }),
  fc.record({ do: fc.constant('text' as const), page: nat, text }),
  fc.record({ do: fc.constant('move' as const), page: nat, file: nat, text }),
  fc.record({ do: fc.constant('rename' as const), page: nat, file: nat }),
  fc.record({ do: fc.constant('delete' as const), page: nat }),
);

function changeOf(
  step: typeof edit extends fc.Arbitrary<infer T> ? T : never,
  ids: readonly string[],
): ContentChange {
  if (step.do === 'insert' || ids.length === 0)
    return page('P', {
      document: { markdown: 'text' in step ? step.text : '' },
      git: { path: pick(files, 'file' in step ? step.file : 0) },
    });
  const id = pick(ids, step.page);
  if (step.do === 'delete') return { operation: 'delete_page', page: id };
  if (step.do === 'rename')
    return { operation: 'update_page', page: id, slug: pick(['a', 'c', 'p'], step.file) };
  const document = { markdown: step.text };
  return {
    operation: 'update_page',
    page: id,
    document,
    ...(step.do === 'move' ? { git: { path: pick(files, step.file) } } : {}),
  };
}

/** Returns the broken links of a space, including missing anchors, as `page href line`. */
async function brokenLinks(world: World, { spaceId }: Desk): Promise<string[]> {
  const { items } = await world
    .as('read')
    .call(listSpaceLinks, { params: { spaceId }, query: { status: 'broken', anchors: true, limit: 1000 } });
  return items.map(({ source, href: to, line }) => `${source!.id} ${to} ${line}`);
}

const withoutLine = (link: string) => link.replace(/ \d+$/, '');
const ids = (pages: readonly PageBody[]) => pages.map(({ id }) => id).sort();

it(
  'the predicted broken links of a change request equal the broken links after its merge',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(edit, { maxLength: 5 }),
        fc.array(edit, { minLength: 1, maxLength: 5 }),
        async (first, then) => {
          const world = await createWorld();
          const desk = await openDesk(world);
          const apply = async (steps: typeof first, made: ContentChange[] = []) => {
            const { number, id } = await desk.createRequest();
            for (const step of steps) {
              const change = changeOf(step, ids(await desk.pages()));
              await desk.edit(number, [change]).then(
                () => made.push(change),
                (error: unknown) => expect(error).toBeInstanceOf(Problem),
              );
            }
            return { number, id, made };
          };
          await desk.merge((await apply(first)).number);
          const before = await brokenLinks(world, desk);
          const known = new Set(before.map(withoutLine));
          const { number, id, made } = await apply(then);
          const find = (planned: object) =>
            world.as('read').call(findBrokenLinks, {
              params: { organizationId: world.org },
              query: { limit: 1000 },
              body: { spaces: [{ space: desk.spaceId, ...planned }] },
            });
          const [byRequest, byChanges] = [await find({ changeRequest: id }), await find({ changes: made })];
          const pages = new Set(ids(await desk.pages()));
          await desk.merge(number);
          const expected = (await brokenLinks(world, desk)).filter((link) => !known.has(withoutLine(link)));
          const found = ({ items }: typeof byRequest) =>
            items.map(({ source, href: to, line }) => `${source.id ?? 'new'} ${to} ${line}`).sort();
          const named = expected.map((link) =>
            pages.has(link.split(' ')[0]!) ? link : link.replace(/^\S+/, 'new'),
          );
          expect(found(byRequest)).toEqual(named.sort());
          expect(found(byChanges)).toEqual(named);
          expect(byRequest.brokenBefore).toBe(before.length);
        },
      ),
      { numRuns: 40 },
    );
  },
);
