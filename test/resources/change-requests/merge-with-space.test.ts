import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../../src/contract/check.ts';
import type { Problem } from '../../../src/errors/problem.ts';
import * as contract from '../../../src/resources/change-requests/contract.ts';
import * as requestContent from '../../../src/resources/content/change-request/contract.ts';
import * as requestPages from '../../../src/resources/content/change-request-pages/contract.ts';
import { readContent } from '../../../src/content/revisions.ts';
import * as spaceFiles from '../../../src/resources/content/space-files/contract.ts';
import * as spacePages from '../../../src/resources/content/space-pages/contract.ts';
import { createWorld, type World } from '../../support/world.ts';
import { openDesk, outline, page, type Desk } from '../content-support.ts';
import type { ContentChange } from '../../../src/content/changes.ts';

let world: World;
let desk: Desk;
beforeEach(async () => {
  world = await createWorld();
  desk = await openDesk(world);
});

const text = 'one\ntwo\nthree\nfour\nfive\n';
const file = (name: string, content: string, more: object = {}) => ({
  name,
  contentType: 'text/plain',
  base64: Buffer.from(content).toString('base64'),
  ...more,
});
const update = (pageId: string, more: object): ContentChange => ({
  operation: 'update_page',
  page: pageId,
  ...more,
});
const write = (pageId: string, markdown: string): ContentChange => update(pageId, { document: { markdown } });
const remove = (pageId: string): ContentChange => ({ operation: 'delete_page', page: pageId });
const main = (pageId: string) =>
  world.as('read').call(spacePages.getPage, { params: { spaceId: desk.spaceId, pageId } });
const tree = async () => outline(await desk.pages());
const merge = (id: number, body: object = {}) =>
  world.as('review').call(contract.mergeChangeRequest, { params: desk.at(id), body });
const sync = (id: number, body: object = {}) =>
  world.as('edit').call(contract.syncChangeRequest, { params: desk.at(id), body });
const problem = (call: Promise<unknown>): Promise<Problem> =>
  call.then(
    () => expect.unreachable('it was done'),
    (error: Problem) => error,
  );
const places = async (call: Promise<unknown>) => {
  const error = await problem(call);
  expect(error).toMatchObject({ reason: 'conflict', exitCode: 6, status: 409 });
  return error.violations.map(({ path }) => path);
};

/** Publishes pages, then makes changes in a change request and in the space. Returns the IDs of the pages. */
const diverge = async (
  start: ContentChange[],
  ours: (ids: string[]) => ContentChange[],
  theirs: (ids: string[]) => ContentChange[],
) => {
  const made = await desk.publish(...start);
  const ids = [...made.pages!, ...made.insertedFiles!].map(({ id }) => id);
  const { number } = await desk.createRequest();
  await desk.edit(number, ours(ids));
  await desk.publish(...theirs(ids));
  return { number, ids };
};

describe('merging into a space that has changed', () => {
  it('takes the lines and fields that only one side changed', async () => {
    const { number, ids } = await diverge(
      [page('A', { document: { markdown: text }, git: { path: 'a.md' } }), page('B')],
      ([a]) => [write(a!, text.replace('one', 'ONE')), update(a!, { title: 'AA', emoji: '1f600' })],
      ([a, b]) => [
        write(a!, text.replace('five', 'FIVE')),
        update(a!, { description: 'D', hidden: true }),
        update(b!, { title: 'BB' }),
        page('C'),
      ],
    );
    await merge(number);
    const merged = text.replace('one', 'ONE').replace('five', 'FIVE');
    expect(await main(ids[0]!)).toMatchObject({
      markdown: merged,
      title: 'AA',
      emoji: '1f600',
      description: 'D',
      hidden: true,
    });
    // The ID that Git computes: `printf 'ONE\ntwo\nthree\nfour\nFIVE\n' | git hash-object --stdin`.
    expect((await main(ids[0]!)).git).toEqual({
      path: 'a.md',
      oid: 'dbf86fa8f46c0e88522ea39b32d0c9d0bc8f120c',
    });
    expect((await desk.pages()).map(({ title }) => title)).toEqual(['AA', 'BB', 'C']);
  });

  it('gives the same result as a sync before the merge', async () => {
    const { number, ids } = await diverge(
      [page('A', { document: { markdown: text } })],
      ([a]) => [write(a!, text.replace('one', 'ONE')), page('Mine')],
      ([a]) => [write(a!, text.replace('five', 'FIVE')), page('Theirs')],
    );
    await sync(number);
    const own = await world.as('read').call(requestPages.listPages, { params: desk.at(number) });
    expect(outline(own.pages)).toEqual(['a', 'theirs', 'mine']);
    await merge(number);
    expect(await tree()).toEqual(['a', 'theirs', 'mine']);
    expect((await main(ids[0]!)).markdown).toBe(text.replace('one', 'ONE').replace('five', 'FIVE'));
  });

  it('reports no conflict if both sides made the same changes', async () => {
    const same = ([a, b]: string[]) => [write(a!, 'same\n'), update(a!, { title: 'Same' }), remove(b!)];
    const { number } = await diverge([page('A'), page('B')], same, same);
    await merge(number);
    expect((await desk.pages()).map(({ title }) => title)).toEqual(['Same']);
  });

  it('merges front matter as text', async () => {
    const matter = (a: string, b: string) => `---\ntitle: ${a}\n# kept\ndescription: ${b}\n---\nbody\n`;
    const { number, ids } = await diverge(
      [page('T', { title: undefined, document: { markdown: matter('T', 'D') }, git: { path: 't.md' } })],
      ([a]) => [update(a!, { document: { markdown: matter('TT', 'D') } })],
      ([a]) => [update(a!, { document: { markdown: matter('T', 'DD') } })],
    );
    await merge(number);
    expect(await main(ids[0]!)).toMatchObject({ title: 'TT', description: 'DD', markdown: 'body\n' });
  });

  it('takes files that only one side changed', async () => {
    const insert = (name: string, content: string, more: object = {}): ContentChange => ({
      operation: 'insert_files',
      files: [file(name, content, more)],
    });
    const { number, ids } = await diverge(
      [insert('a', 'a'), insert('b', 'b')],
      ([a]) => [insert('a', 'AA', { replaces: a }), insert('mine', 'm')],
      ([, b]) => [insert('b', 'BBB', { replaces: b })],
    );
    await merge(number);
    const { items } = await world
      .as('read')
      .call(spaceFiles.listFiles, { params: { spaceId: desk.spaceId } });
    expect(items.map(({ name, size }) => [name, size])).toEqual([
      ['a', 2],
      ['b', 3],
      ['mine', 1],
    ]);
    await desk.createRequest();
    await desk.edit(4, [insert('a', 'mine', { replaces: ids[0] })]);
    await desk.publish(insert('a', 'their', { replaces: ids[0] }));
    expect(await places(merge(4))).toEqual(['a (bytes)']);
    await expect(merge(4)).rejects.toMatchObject({
      hint: expect.stringContaining('--ours a` or `--theirs a`. Add'),
    });
    await expect(merge(4, { resolutions: [{ page: 'a', markdown: 'text' }] })).rejects.toMatchObject({
      reason: 'invalid-input',
      message: '"a" has no text that could be edited.',
    });
    await merge(4, { resolutions: [{ page: ids[0], take: 'ours' }] });
    expect(
      (
        await world
          .as('read')
          .call(spaceFiles.getFile, { params: { spaceId: desk.spaceId, fileId: ids[0]! } })
      ).size,
    ).toBe(4);
  });

  it('gives a file that both sides changed the path and the hash of the content that is kept', async () => {
    const insert = (name: string, content: string, more: object): ContentChange => ({
      operation: 'insert_files',
      files: [file(name, content, more)],
    });
    for (const [ours, theirs] of [
      ['new\n', 'old\n'],
      ['old\n', 'new\n'],
    ] as const) {
      const { number, ids } = await diverge(
        [insert('a', 'old\n', { git: { path: 'files/a.txt' } })],
        ([a]) => [insert(ours === 'old\n' ? 'b' : 'a', ours, { replaces: a })],
        ([a]) => [insert(theirs === 'old\n' ? 'b' : 'a', theirs, { replaces: a })],
      );
      await merge(number);
      const params = { spaceId: desk.spaceId, fileId: ids[0]! };
      expect(await world.as('read').call(spaceFiles.getFile, { params })).toMatchObject({
        name: 'b',
        size: 4,
        // `printf 'new\n' | git hash-object --stdin`
        git: { path: 'files/a.txt', oid: '3e757656cf36eca53338e520d134963a44f793f8' },
      });
      await desk.publish({ operation: 'delete_files', files: [ids[0]!] });
    }
  });

  it('merges texts of a folder, including texts that both sides added', async () => {
    const put = (lines: string): ContentChange => ({
      operation: 'put_text',
      role: 'variables',
      git: { path: '.gitbook/vars.yaml' },
      text: lines,
    });
    const { number } = await diverge(
      [page('A')],
      () => [put('a: 1\n')],
      () => [put('a: 1\n')],
    );
    await merge(number);
    const { number: next } = await desk.createRequest();
    await desk.edit(next, [put('a: 2\n')]);
    await desk.publish(put('a: 3\n'));
    expect(await places(merge(next))).toEqual(['.gitbook/vars.yaml:1']);
    await merge(next, { take: 'theirs' });
    const other = (lines: string): ContentChange => ({
      operation: 'put_text',
      role: 'summary',
      git: { path: 'SUMMARY.md' },
      text: lines,
    });
    const twins = await diverge(
      [page('B')],
      () => [other('mine\n')],
      () => [other('theirs\n')],
    );
    expect(await places(merge(twins.number))).toEqual(['SUMMARY.md:1']);
    await merge(twins.number, { resolutions: [{ page: 'SUMMARY.md', markdown: 'both\n' }] });
    const entries = await world.core.store.read(async (view) =>
      readContent(view, (await desk.space()).revision),
    );
    const texts = entries.filter((entry) => entry.kind === 'text');
    expect(texts.map(({ title, size }) => [title, size]).sort()).toEqual([
      ['SUMMARY', 5],
      ['vars', 5],
    ]);
  });
});

describe('the cost of a merge', () => {
  /** Counts the rows that the store reads and writes, and the entries of content in them. */
  const counted = async (work: () => Promise<unknown>) => {
    let rows = 0;
    const { store } = world.core;
    const write = store.write.bind(store);
    const count = (value: unknown): void => void (rows += Array.isArray(value) ? value.length : 1);
    store.write = (run) =>
      write((tx) =>
        run(
          new Proxy(tx, {
            get:
              (target, name: keyof typeof tx) =>
              async (...given: never[]) => {
                const answer: unknown = await (target[name] as (...all: never[]) => Promise<unknown>).apply(
                  target,
                  given,
                );
                count(answer);
                return answer;
              },
          }),
        ),
      );
    await work();
    store.write = write;
    return rows;
  };

  it('depends on the number of changed pages, not on the size of the space', async () => {
    const cost = async (pages: number) => {
      desk = await openDesk(world);
      for (let done = 0; done < pages; done += 600) {
        const { number } = await desk.createRequest();
        const changes = Array.from({ length: Math.min(600, pages - done) }, (_, index) =>
          page(`Page ${done + index}`),
        );
        await world
          .as('admin')
          .call(requestContent.batchContent, { params: desk.at(number), body: { changes } });
        await desk.merge(number, 'admin');
      }
      const all = await desk.pages();
      const { number } = await desk.createRequest();
      await desk.edit(number, [write(all[3]!.id, 'mine\n')]);
      await desk.publish(write(all[7]!.id, 'theirs\n'));
      return counted(() => merge(number));
    };
    const [few, many] = [await cost(100), await cost(1200)];
    expect(many).toBeLessThan(few * 1.5);
    expect(few).toBeLessThan(150);
  });
});

describe('a conflict', () => {
  it('reports the page, line and both sides, and is resolved by ours, theirs or a new text', async () => {
    const prepare = () =>
      diverge(
        [page('Start', { document: { markdown: text } })],
        ([a]) => [write(a!, text.replace('two', 'mine').replace('five', 'FIVE'))],
        ([a]) => [write(a!, text.replace('two', `theirs${'!'.repeat(100)}`))],
      );
    const { number, ids } = await prepare();
    const before = await desk.space();
    const error = await problem(merge(number));
    expect(error).toMatchObject({
      reason: 'conflict',
      message: expect.stringContaining('1 conflict in 1 page'),
      hint: expect.stringContaining(
        `docsctl change-requests merge ${number} --space ${desk.spaceId} --ours /start`,
      ),
      violations: [{ path: '/start:2', message: `ours: "mine"; theirs: "theirs${'!'.repeat(74)}…"` }],
    });
    expect(await problem(sync(number))).toMatchObject({ violations: error.violations });
    expect(await desk.space()).toEqual(before);
    await merge(number, { resolutions: [{ page: '/start', take: 'ours' }] });
    expect((await main(ids[0]!)).markdown).toBe(text.replace('two', 'mine').replace('five', 'FIVE'));

    const second = await prepare();
    await sync(second.number, { resolutions: [{ page: second.ids[0], take: 'theirs' }] });
    await merge(second.number);
    expect((await main(second.ids[0]!)).markdown).toBe(
      text.replace('two', `theirs${'!'.repeat(100)}`).replace('five', 'FIVE'),
    );

    const third = await prepare();
    await merge(third.number, { resolutions: [{ page: third.ids[0], markdown: 'both\n' }] });
    expect((await main(third.ids[0]!)).markdown).toBe('both\n');
  });

  it('shows long lines around their first difference', async () => {
    const line = (end: string) =>
      `Create a new directory called Workflows in the folder of the project, and add to it a class ${end}`;
    const { number } = await diverge(
      [page('Start', { document: { markdown: line('one') } })],
      ([a]) => [write(a!, line('that is called HelloWorld'))],
      ([a]) => [write(a!, line('that has the name GoodMorning'))],
    );
    expect((await problem(merge(number))).violations.map(({ message }) => message)).toEqual([
      'ours: "…add to it a class that is called HelloWorld"; theirs: "…add to it a class that has the name GoodMorning"',
    ]);
  });

  it('is reported for a field, for the place of a page and for a page that one side deleted', async () => {
    const { number, ids } = await diverge(
      [page('A', { ref: 'a' }), page('B', { ref: 'b' }), page('C'), page('D'), page('E', { into: 'a' })],
      ([a, b, c, d]) => [
        update(a!, { title: 'A1', slug: 'a1' }),
        update(c!, { into: a! }),
        remove(b!),
        write(d!, 'mine'),
      ],
      ([a, b, c, d]) => [
        update(a!, { title: 'A2', slug: 'a2' }),
        update(c!, { into: b! }),
        write(b!, 'edited\n'),
        remove(d!),
      ],
    );
    const found = await problem(merge(number));
    expect(found.violations.map(({ path, message }) => [path, message]).sort()).toEqual([
      ['/a1 (slug)', 'ours: "a1"; theirs: "a2"'],
      ['/a1 (title)', 'ours: "A1"; theirs: "A2"'],
      ['/a1/c (place)', 'ours: moved under "A1"; theirs: moved under "B"'],
      ['/b (deleted)', 'ours: deleted; theirs: edited'],
      ['/d (deleted)', 'ours: edited; theirs: deleted'],
    ]);
    const [a, b, c, d] = ids;
    const settle = [
      { page: '/a1', take: 'theirs' },
      { page: b, take: 'theirs' },
      { page: c, take: 'theirs' },
    ];
    expect(await places(merge(number, { resolutions: settle }))).toEqual(['/d (deleted)']);
    await merge(number, { resolutions: [...settle, { page: d, take: 'ours' }] });
    expect(await tree()).toEqual([['a2', ['a2/e']], ['b', ['b/c']], 'd']);
    expect((await main(b!)).markdown).toBe('edited\n');
    expect((await main(a!)).title).toBe('A2');
  });

  it('is reported for a page added or moved below a page that the other side deleted', async () => {
    const prepare = () =>
      diverge(
        [page('P', { ref: 'p' }), page('Q', { into: 'p', ref: 'q' }), page('Moved')],
        ([, q, moved]) => [
          page('New', { into: q!, ref: 'n' }),
          page('Inner', { into: 'n' }),
          update(moved!, { into: q! }),
        ],
        ([p]) => [remove(p!)],
      );
    const { number } = await prepare();
    expect((await places(merge(number))).sort()).toEqual(['/p/q/moved (deleted)', '/p/q/new (deleted)']);
    await merge(number, { take: 'ours' });
    expect(await tree()).toEqual([['p', [['p/q', [['p/q/new', ['p/q/new/inner']], 'p/q/moved']]]]]);
    desk = await openDesk(world);
    const second = await prepare();
    await merge(second.number, { take: 'theirs' });
    expect(await tree()).toEqual(['moved']);
    desk = await openDesk(world);
    const third = await prepare();
    await merge(third.number, {
      resolutions: [
        { page: '/p/q/new', take: 'ours' },
        { page: '/p/q/moved', take: 'theirs' },
      ],
    });
    expect(await tree()).toEqual([['p', [['p/q', [['p/q/new', ['p/q/new/inner']]]]]], 'moved']);
  });

  it('is reported for moves that would make a cycle or exceed the maximum depth', async () => {
    const round = () =>
      diverge(
        [page('A'), page('B')],
        ([a, b]) => [update(a!, { into: b! })],
        ([a, b]) => [update(b!, { into: a! })],
      );
    const { number } = await round();
    expect(await places(merge(number))).toEqual(['/b/a (place)']);
    await merge(number, { take: 'ours' });
    expect(await tree()).toEqual([['b', ['b/a']]]);
    desk = await openDesk(world);
    await merge((await round()).number, { take: 'theirs' });
    expect(await tree()).toEqual([['a', ['a/b']]]);

    desk = await openDesk(world);
    const chain = (name: string) =>
      Array.from({ length: 8 }, (_, depth) =>
        page(`${name}${depth}`, {
          ref: `${name}${depth}`,
          ...(depth === 0 ? {} : { into: `${name}${depth - 1}` }),
        }),
      );
    const deep = await diverge(
      [...chain('a'), ...chain('b'), page('X'), page('Y', { ref: 'y' })],
      (ids) => [update(ids[16]!, { into: ids[15]! })],
      (ids) => [update(ids[8]!, { into: ids[7]! })],
    );
    expect(await places(merge(deep.number))).toEqual([
      `/${Array.from({ length: 8 }, (_, at) => `b${at}`).join('/')}/x (place)`,
    ]);
    await merge(deep.number, { take: 'theirs' });
    expect((await tree()).slice(1)).toEqual(['x', 'y']);
  });

  it('is not reported for new pages with the same slug; the page of the change request gets another slug', async () => {
    const { number } = await diverge(
      [page('A'), page('Z')],
      () => [page('New', { at: 1 }), page('Other', { at: 2 })],
      () => [page('New', { at: 1, slug: 'New' }), page('More', { at: 2 })],
    );
    await merge(number);
    expect(await tree()).toEqual(['a', 'New', 'more', 'new-1', 'other', 'z']);
    // A page can still be inserted at every position between two pages.
    for (let at = 0; at <= 6; at++) await desk.publish(page(`At ${at}`, { at: at * 2 }));
    expect(await tree()).toEqual([
      'at-0',
      'a',
      'at-1',
      'New',
      'at-2',
      'more',
      'at-3',
      'new-1',
      'at-4',
      'other',
      'at-5',
      'z',
      'at-6',
    ]);
  });

  it('is listed at most 100 times, but the message has the whole count', async () => {
    const many = Array.from({ length: 120 }, (_, index) => `${index}\n\n`);
    const { number } = await diverge(
      [page('A', { document: { markdown: many.join('') } })],
      ([a]) => [write(a!, many.map((line) => `o${line}`).join(''))],
      ([a]) => [write(a!, many.map((line) => `t${line}`).join(''))],
    );
    const error = await problem(merge(number));
    expect(error.message).toContain('120 conflicts in 1 page');
    expect(error.violations).toHaveLength(100);
  });
});

describe('a resolution', () => {
  it('is refused for a page without a conflict, and if a page has two resolutions', async () => {
    const { number, ids } = await diverge(
      [page('A'), page('B')],
      ([a, b]) => [write(a!, 'x'), write(b!, 'x')],
      ([a]) => [write(a!, 'y')],
    );
    for (const other of ['/b', ids[1]!, '/none']) {
      const error = await problem(
        merge(number, {
          resolutions: [
            { page: '/a', take: 'ours' },
            { page: other, take: 'ours' },
          ],
        }),
      );
      expect(error).toMatchObject({
        reason: 'invalid-input',
        violations: [{ path: '/body/resolutions/1/page' }],
      });
    }
    expect(
      await problem(
        merge(number, {
          resolutions: [
            { page: '/a', take: 'ours' },
            { page: ids[0], take: 'theirs' },
          ],
        }),
      ),
    ).toMatchObject({ reason: 'invalid-input' });
    expect(await problem(merge(number, { resolutions: [{ page: '/a' }] }))).toMatchObject({
      reason: 'invalid-input',
    });
    await merge(number, { take: 'theirs' });
    const { number: fresh } = await desk.createRequest();
    expect(await problem(sync(fresh, { resolutions: [{ page: '/a', take: 'ours' }] }))).toMatchObject({
      reason: 'invalid-input',
    });
    expect(await problem(merge(fresh, { resolutions: [{ page: '/a', take: 'ours' }] }))).toMatchObject({
      reason: 'invalid-input',
    });
  });

  it('is accepted for a conflict that another resolution already solves', async () => {
    const { number, ids } = await diverge(
      [page('P', { ref: 'p' })],
      ([p]) => [write(p!, 'mine'), page('N', { into: p! })],
      ([p]) => [remove(p!)],
    );
    expect((await places(merge(number))).sort()).toEqual(['/p (deleted)']);
    await merge(number, { resolutions: [{ page: ids[0], take: 'ours' }] });
    expect(await tree()).toEqual([['p', ['p/n']]]);
    desk = await openDesk(world);
    const other = await diverge(
      [page('P', { ref: 'p' })],
      ([p]) => [remove(p!)],
      ([p]) => [write(p!, 'theirs'), page('N', { into: p! })],
    );
    expect((await places(merge(other.number))).sort()).toEqual(['/p (deleted)', '/p/n (deleted)']);
    await merge(other.number, {
      resolutions: [
        { page: '/p', take: 'theirs' },
        { page: '/p/n', markdown: 'edited\n' },
      ],
    });
    expect(await tree()).toEqual([['p', ['p/n']]]);
    const [above] = await desk.pages();
    expect((await main(above?.pages?.[0]?.id ?? '')).markdown).toBe('edited\n');
  });

  it('with a text restores a page that one side deleted, and takes its front matter', async () => {
    const { number, ids } = await diverge(
      [page('P')],
      ([p]) => [remove(p!)],
      ([p]) => [write(p!, 'theirs'), update(p!, { title: 'PP' })],
    );
    await merge(number, { resolutions: [{ page: ids[0], markdown: '---\ntitle: New\n---\nnew\n' }] });
    expect(await main(ids[0]!)).toMatchObject({ title: 'New', markdown: 'new\n' });
  });
});

describe('the changes of a change request', () => {
  it('are listed as changes of pages and files since the last sync', async () => {
    const { number, ids } = await diverge(
      [
        page('A', { ref: 'a' }),
        page('B', { into: 'a' }),
        page('C'),
        { operation: 'insert_files', files: [file('f', 'f'), file('g', 'g')] },
        page('L', { type: 'link', document: {}, href: 'https://a.test' }),
      ],
      ([a, b, c, l, f, g]) => [
        write(a!, 'new'),
        update(a!, { title: 'AA', emoji: '1f600' }),
        update(b!, { into: null }),
        remove(c!),
        page('New', { into: a! }),
        update(l!, { href: 'https://b.test' }),
        { operation: 'insert_files', files: [file('f', 'ff', { replaces: f })] },
        { operation: 'delete_files', files: [g!] },
      ],
      () => [page('Theirs')],
    );
    const changes = (query: object = {}) =>
      world.as('read').call(contract.listChanges, { params: desk.at(number), query });
    const answer = await changes();
    expect(violationsOf(contract.listChanges.returns.schema, answer, '')).toEqual([]);
    expect(answer.more).toBeUndefined();
    expect(answer.changes).toMatchObject([
      {
        type: 'page_edited',
        page: { id: ids[0], path: 'a', title: 'AA' },
        attributes: { title: { before: 'A', after: 'AA' }, emoji: { after: '1f600' }, document: {} },
      },
      { type: 'page_created', page: { title: 'New', path: 'a/new' } },
      { type: 'page_moved', page: { title: 'B', path: 'b' }, parent: { before: { id: ids[0], title: 'A' } } },
      { type: 'page_deleted', page: { title: 'C', path: 'c' } },
      {
        type: 'page_edited',
        page: { type: 'link' },
        attributes: { target: { before: { url: 'https://a.test' }, after: { url: 'https://b.test' } } },
      },
      {
        type: 'file_edited',
        file: { name: 'f' },
        attributes: { size: { before: 1, after: 2 }, downloadURL: {} },
      },
      { type: 'file_deleted', file: { name: 'g' } },
    ]);
    expect(await changes({ limit: 2 })).toEqual({ changes: answer.changes.slice(0, 2), more: 5 });
    await sync(number);
    expect((await changes()).changes.map(({ type }) => type)).toEqual(answer.changes.map(({ type }) => type));
    await merge(number);
    expect((await changes()).changes).toHaveLength(7);
    const { number: empty } = await desk.createRequest();
    expect(await world.as('read').call(contract.listChanges, { params: desk.at(empty) })).toEqual({
      changes: [],
    });
  });
});
