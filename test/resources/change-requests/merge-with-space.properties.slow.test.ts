import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../src/errors/problem.ts';
import * as contract from '../../../src/resources/change-requests/contract.ts';
import * as requestPages from '../../../src/resources/content/change-request-pages/contract.ts';
import type { PageBody } from '../../../src/resources/content/schemas.ts';
import { createWorld } from '../../support/world.ts';
import { openDesk } from '../content-support.ts';
import type { ContentChange } from '../../../src/content/changes.ts';

/** The numbers choose one of the existing items, modulo their count. */
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const) }) },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      request: fc.nat(9),
      what: fc.constantFrom('line', 'line', 'line', 'cut', 'page', 'delete', 'move'),
      page: fc.nat(4),
      at: fc.nat(5),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('sync' as const),
      request: fc.nat(9),
      resolve: fc.constantFrom('no', 'ours', 'theirs', 'edited'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('merge' as const),
      request: fc.nat(9),
      resolve: fc.constantFrom('no', 'ours', 'theirs', 'edited'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('status' as const),
      request: fc.nat(9),
      status: fc.constantFrom('draft', 'open', 'archived'),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Pages by ID with their paths and lines. No line occurs twice in a run, so lines can be compared as sets. */
type Content = ReadonlyMap<string, { readonly path: string; readonly lines: readonly string[] }>;
interface Request {
  readonly number: number;
  status: string;
  revision: string;
  readonly initial: string;
  ancestor?: string;
  merged?: string;
  /** The lines of the space when the request was created or last synced. */
  base: ReadonlySet<string>;
}

const flat = (pages: readonly PageBody[] = []): PageBody[] =>
  pages.flatMap((page) => [page, ...flat(page.pages)]);
const contentOf = (pages: readonly PageBody[]): Content =>
  new Map(
    flat(pages).map((page) => [
      page.id,
      { path: `/${page.path}`, lines: page.markdown!.split('\n').filter((line) => line !== '') },
    ]),
  );
const linesOf = (content: Content) => new Set([...content.values()].flatMap(({ lines }) => lines));
const minus = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  [...one].filter((line) => !other.has(line));

async function play(steps: readonly Step[]): Promise<void> {
  const world = await createWorld();
  const desk = await openDesk(world);
  let made = 0;
  let rewritten = false;
  const line = () => `line${++made}`;
  const pageWith = (count: number, more: object = {}): ContentChange => ({
    operation: 'insert_page',
    title: 'Page',
    document: { markdown: `${Array.from({ length: count }, line).join('\n')}\n` },
    ...more,
  });
  await desk.publish(pageWith(5, { ref: 'a' }), pageWith(5), pageWith(5, { into: 'a' }));
  const requests: Request[] = [];
  let main = (await desk.space()).revision;
  const mainContent = async () => contentOf(await desk.pages());
  const ownContent = async (number: number) =>
    contentOf((await world.as('read').call(requestPages.listPages, { params: desk.at(number) })).pages);

  const edit = async (
    { what, page, at }: Extract<Step, { do: 'edit' }>,
    request: Request,
  ): Promise<ContentChange | undefined> => {
    const content = [...(await ownContent(request.number))];
    const pick = (index: number) => content[index % content.length];
    const [id, { lines }] = pick(page) ?? ['', { lines: [] }];
    const written = (next: readonly string[]): ContentChange => ({
      operation: 'update_page',
      page: id,
      document: { markdown: next.map((each) => `${each}\n`).join('') },
    });
    if (what === 'page' || id === '') return pageWith(2, id === '' || at % 2 === 0 ? {} : { into: id });
    if (what === 'line') return written(lines.toSpliced(at % (lines.length + 1), 0, line()));
    if (what === 'cut')
      return lines.length === 0 ? undefined : written(lines.toSpliced(at % lines.length, 1));
    if (what === 'delete') return at < 3 ? { operation: 'delete_page', page: id } : undefined;
    return { operation: 'update_page', page: id, into: at % 3 === 0 ? null : pick(page + at)![0] };
  };

  /** Merges or syncs, with resolutions if requested, and returns the new revision. Checks that no line is lost silently. */
  const bringTogether = async (
    request: Request,
    action: 'sync' | 'merge',
    resolve: string,
  ): Promise<{ revision: string } | undefined> => {
    const [ours, theirs] = [await ownContent(request.number), await mainContent()];
    const operation = action === 'sync' ? contract.syncChangeRequest : contract.mergeChangeRequest;
    const run = (body: object) =>
      world.as('admin').call(operation, { params: desk.at(request.number), body });
    const conflicts = new Set<string>();
    let edited: readonly string[] = [];
    let answer: { revision: string };
    try {
      answer = await run({});
    } catch (error) {
      const { reason, violations } = error as Problem;
      expect(reason).toBe('conflict');
      if (request.status === 'merged' || request.status === 'archived') return undefined;
      expect(violations.length).toBeGreaterThan(0);
      if (resolve === 'no') return undefined;
      const named = [...new Set(violations.map(({ path }) => path.replace(/(:\d+| \(.*\))$/, '')))];
      // Two pages can have the same path on different sides, and a page is kept or deleted with the pages below it.
      const atPath = (path: string) => [
        ...new Set([...ours, ...theirs].filter(([, page]) => page.path === path).map(([id]) => id)),
      ];
      for (const id of named.flatMap(atPath))
        for (const content of [ours, theirs])
          for (const [other, { path }] of content)
            if (other === id || path.startsWith(`${content.get(id)?.path}/`)) conflicts.add(other);
      if (resolve === 'edited') {
        const unions = named
          .filter((path) => atPath(path).length === 1)
          .map((path) => ({
            page: path,
            lines: [
              ...new Set(
                [ours, theirs].flatMap((content) => [...(content.get(atPath(path)[0]!)?.lines ?? [])]),
              ),
            ],
          }));
        edited = unions.flatMap(({ lines }) => lines);
        answer = await run({
          take: 'ours',
          resolutions: unions.map(({ page, lines }) => ({
            page,
            markdown: lines.map((each) => `${each}\n`).join(''),
          })),
        });
      } else answer = await run({ take: resolve });
    }
    const result = action === 'sync' ? await ownContent(request.number) : await mainContent();
    const all = [...result.values()].flatMap(({ lines }) => lines);
    const there = new Set(all);
    // An edited text can contain its lines in another order, and a line that moves can occur twice later.
    if (edited.length > 0) rewritten = true;
    if (!rewritten) expect(all.length).toBe(there.size);
    const own = linesOf(ours);
    const expected = new Set(
      [...linesOf(theirs), ...minus(own, request.base)].filter(
        (each) => own.has(each) || !request.base.has(each),
      ),
    );
    const linesIn = (ids: Iterable<string>) =>
      new Set([...ids].flatMap((id) => [...(ours.get(id)?.lines ?? []), ...(theirs.get(id)?.lines ?? [])]));
    const excused = linesIn(conflicts);
    // Keeping a page keeps the pages above it.
    const above = [...ours, ...theirs].filter(([, { path }]) =>
      [...conflicts].some((id) =>
        [ours, theirs].some((content) => content.get(id)?.path.startsWith(`${path}/`)),
      ),
    );
    const kept = linesIn([...conflicts, ...above.map(([id]) => id)]);
    expect(minus(expected, there).filter((each) => !excused.has(each))).toEqual([]);
    expect(minus(there, expected).filter((each) => !kept.has(each))).toEqual([]);
    expect(edited.filter((each) => !there.has(each))).toEqual([]);
    return answer;
  };

  for (const each of steps) {
    // Usually an open request is chosen, sometimes any.
    const active = requests.filter(({ status }) => status === 'draft' || status === 'open');
    const pool = 'request' in each && each.request < 8 && active.length > 0 ? active : requests;
    const request = 'request' in each && pool.length > 0 ? pool[each.request % pool.length] : undefined;
    const isActive = request !== undefined && active.includes(request);
    if (each.do === 'create') {
      const { number, revision } = await desk.createRequest();
      expect([number, revision]).toEqual([requests.length + 2, main]);
      requests.push({
        number,
        status: 'draft',
        revision,
        initial: revision,
        base: linesOf(await mainContent()),
      });
    } else if (request === undefined) {
      continue;
    } else if (each.do === 'status') {
      const call = world.as('edit').call(contract.updateChangeRequest, {
        params: desk.at(request.number),
        body: { status: each.status },
      });
      const done = await call.then(
        () => true,
        () => false,
      );
      expect(done).toBe(request.status !== 'merged');
      if (done) request.status = each.status;
    } else if (each.do === 'edit') {
      const change = await edit(each, request);
      if (change === undefined) continue;
      const revision = await desk.edit(request.number, [change]).then(
        (answer) => answer.revision,
        ({ reason }: Problem) => reason,
      );
      if (isActive) expect(['invalid-input', 'not-found', revision]).toContain(revision);
      else expect(revision).toBe('conflict');
      if (revision.startsWith('rev_')) request.revision = revision;
    } else {
      const wasOutdated = main !== (request.ancestor ?? request.initial);
      const answer = await bringTogether(request, each.do, each.resolve);
      if (answer !== undefined) {
        expect(isActive).toBe(true);
        if (each.do === 'merge') {
          main = answer.revision;
          request.status = 'merged';
          request.merged = main;
        } else if (wasOutdated) {
          expect(answer.revision).not.toBe(request.revision);
          request.revision = answer.revision;
          request.ancestor = main;
          request.base = linesOf(await mainContent());
        } else expect(answer.revision).toBe(request.revision);
      }
    }
    for (const { number, status, revision, initial, ancestor, merged } of requests) {
      const shown = await world.as('read').call(contract.getChangeRequest, { params: desk.at(number) });
      expect([
        shown.status,
        shown.revision,
        shown.revisionInitial,
        shown.revisionMergedAncestor,
        shown.revisionMerged,
        shown.outdated,
      ]).toEqual([
        status,
        revision,
        initial,
        ancestor,
        merged,
        status !== 'merged' && main !== (ancestor ?? initial),
      ]);
    }
    const count = (status: string) => requests.filter((other) => other.status === status).length;
    expect(await desk.space()).toMatchObject({
      revision: main,
      changeRequests: requests.length + 1,
      changeRequestsOpen: count('open'),
      changeRequestsDraft: count('draft'),
    });
  }
}

describe('change requests over one space', () => {
  it('never lose a merged edit, and report the right status, in any order of operations', async () => {
    const create: Step = { do: 'create' };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 32, size: 'max' }), (steps) =>
        play([create, create, create, ...steps]),
      ),
      { numRuns: 50, seed: 3 },
    );
  }, 60_000);
});
