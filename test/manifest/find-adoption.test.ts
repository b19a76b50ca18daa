import { describe, expect, it } from 'vitest';
import { createCollection } from '../../src/resources/collections/contract.ts';
import { createSpace, deleteSpace, updateSpace } from '../../src/resources/spaces/contract.ts';
import { createBench, linesOf, type Bench } from './bench.ts';
import { adoptIn, broughtTo } from './state-bench.ts';
import { problemIn } from './read/folder.ts';

const makeSpace = async (bench: Bench, title: string) =>
  (
    await bench.world
      .as('admin')
      .call(createSpace, { params: { organizationId: bench.world.org }, body: { title, emoji: '📘' } })
  ).id;
const idOf = (bench: Bench, address: string): string => bench.lock!.resources[address]!.id;

describe('adopt', () => {
  it('records which of two resources is meant, changes nothing live, and the plan shows the differences', async () => {
    const bench = await createBench('spaces: { guide: { title: Guide, emoji: null, protect: true } }');
    const ids = [await makeSpace(bench, 'Guide'), await makeSpace(bench, 'Guide')];
    await adoptIn(bench, 'space.guide', ids[1]!);
    expect(bench.changing).toEqual([]);
    expect(bench.lock).toMatchObject({
      serial: 1,
      resources: { 'space.guide': { kind: 'space', id: ids[1], protect: true, fields: {} } },
    });
    const plan = await bench.plan();
    expect(linesOf(plan)).toEqual(['update space.guide emoji: "📘" ⇒ null']);
    expect(plan.steps[0]).toMatchObject({ id: ids[1], changes: [{ moved: 'file' }] });
  });

  it.each([['Handbook'], ['handbook']])(
    'finds a resource by a title that only one has: %s',
    async (given) => {
      const bench = await createBench('spaces: { guide: { title: Guide } }');
      const id = await makeSpace(bench, 'Handbook');
      await makeSpace(bench, 'Hand');
      await adoptIn(bench, 'space.guide', given);
      expect(idOf(bench, 'space.guide')).toBe(id);
    },
  );

  it('prefers an ID to a title, and a title with the same case to others', async () => {
    const bench = await createBench('spaces: { a: { title: A }, b: { title: B } }');
    const id = await makeSpace(bench, 'One');
    await makeSpace(bench, id);
    const upper = await makeSpace(bench, 'ONE');
    await adoptIn(bench, 'space.a', id);
    await adoptIn(bench, 'space.b', 'ONE');
    expect([idOf(bench, 'space.a'), idOf(bench, 'space.b')]).toEqual([id, upper]);
  });

  it('finds nested resources by their path, and requires that their parent is adopted first', async () => {
    const text =
      'spaces: { a: { title: A } }\nsites: { docs: { title: Docs, sections: [{ path: guide, title: Guide, space: !ref space.a }] }, other: { title: Other, siteSpaces: [] } }';
    const bench = await broughtTo(text);
    const section = idOf(bench, 'section.docs/guide');
    bench.write(
      text
        .replace('path: guide', 'ref: g, path: guide')
        .replace('siteSpaces: []', 'sections: [{ path: x, title: Xx, space: !ref space.a }]'),
    );
    expect(await problemIn(adoptIn(bench, 'section.other/x', section))).toMatchObject({
      reason: 'conflict',
      message: `${section} is the ID of section.docs/guide in site.docs.`,
      hint: 'Give the ID or title of a section in site.other.',
    });
    expect(await problemIn(adoptIn(bench, 'section.docs/g', 'guide'))).toMatchObject({
      message: `${section} already belongs to section.docs/guide.`,
      hint: expect.stringContaining('docsctl forget section.docs/guide') as string,
    });
    expect(await problemIn(adoptIn(bench, 'site-space.docs/g/space', 'A'))).toMatchObject({
      reason: 'conflict',
      message: 'site-space.docs/g/space is inside section.docs/g, which is not in the state file yet.',
      hint: 'Run `docsctl adopt section.docs/g ID` first.',
    });
    bench.write(text);
    await adoptIn(bench, 'section.docs/guide', 'GUIDE');
    expect(idOf(bench, 'section.docs/guide')).toBe(section);
  });

  it('refuses unknown resources, resources of another kind and addresses missing from the manifest', async () => {
    const bench = await createBench(
      'collections: { top: { title: Top } }\nspaces: { guide: { title: Guide } }',
    );
    await makeSpace(bench, 'Handbook');
    await bench.world
      .as('admin')
      .call(createCollection, { params: { organizationId: bench.world.org }, body: { title: 'Top' } });
    await adoptIn(bench, 'collection.top', 'Top');
    expect(await problemIn(adoptIn(bench, 'space.guide', 'book'))).toMatchObject({
      reason: 'not-found',
      message: 'No space is called "book".',
      hint: expect.stringMatching(/^Did you mean spc_\w+ \(Handbook\)\?$/) as string,
    });
    expect(await problemIn(adoptIn(bench, 'space.guide', 'spc_none'))).toMatchObject({
      hint: 'Use the title or ID of an existing space.',
    });
    expect(await problemIn(adoptIn(bench, 'space.guide', idOf(bench, 'collection.top')))).toMatchObject({
      reason: 'conflict',
      hint: 'Give the ID or title of a space.',
      message: expect.stringContaining('is the ID of collection.top, a collection.') as string,
    });
    for (const wrong of ['space.giude', 'guide', 'spaces.guide'])
      expect(await problemIn(adoptIn(bench, wrong, 'Handbook'))).toMatchObject({
        reason: 'not-found',
        message: `The manifest has no block ${wrong}.`,
        hint: 'Did you mean space.guide?',
      });
    await makeSpace(bench, 'HandBook');
    const two = await problemIn(adoptIn(bench, 'space.guide', 'HANDBOOK'));
    expect(two).toMatchObject({ reason: 'ambiguous', hint: 'Use the ID of one of them.' });
    expect(two.message).toMatch(
      /^"HANDBOOK" matches 2 resources: spc_\w+ \(Handbook\), spc_\w+ \(HandBook\)\.$/,
    );
    expect(Object.keys(bench.lock!.resources)).toEqual(['collection.top']);
  });

  it('refuses to bind a resource to two blocks, or a block to two resources', async () => {
    const bench = await broughtTo('spaces: { a: { title: A }, b: { title: B } }');
    const [a, b] = [idOf(bench, 'space.a'), idOf(bench, 'space.b')];
    expect(await problemIn(adoptIn(bench, 'space.a', b))).toMatchObject({
      reason: 'conflict',
      message: `${b} already belongs to space.b.`,
    });
    const free = await makeSpace(bench, 'Free');
    expect(await problemIn(adoptIn(bench, 'space.a', free))).toMatchObject({
      reason: 'conflict',
      message: `space.a is already bound to ${a}.`,
      hint: expect.stringContaining('docsctl forget space.a') as string,
    });
    bench.write(`spaces:\n  a: { title: A }\n  c: { id: ${free}, title: C }`);
    await bench.world.as('admin').call(deleteSpace, { params: { spaceId: a } });
    expect(await problemIn(adoptIn(bench, 'space.a', free))).toMatchObject({
      message: `org.yaml:4:12: the manifest gives the ID ${free} to space.c.`,
    });
    bench.write(`spaces:\n  a: { id: ${free}, title: A }`);
    const other = await makeSpace(bench, 'Other');
    expect(await problemIn(adoptIn(bench, 'space.a', other))).toMatchObject({
      message: `org.yaml:3:12: the manifest gives space.a the ID ${free}.`,
    });
    await adoptIn(bench, 'space.a', free);
    expect(idOf(bench, 'space.a')).toBe(free);
  });

  it('lets the plan tell live changes from changes of the file after the next apply', async () => {
    const bench = await createBench('spaces: { guide: { title: Guide } }');
    const id = await makeSpace(bench, 'Handbook');
    await adoptIn(bench, 'space.guide', id);
    await bench.apply();
    await bench.world.as('admin').call(updateSpace, { params: { spaceId: id }, body: { title: 'By hand' } });
    expect((await bench.plan()).steps[0]!.changes).toEqual([
      { field: 'title', before: 'By hand', after: 'Guide', moved: 'live' },
    ]);
  });
});
