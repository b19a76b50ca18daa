import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createCollection } from '../../src/resources/collections/contract.ts';
import { createSpace, deleteSpace, listSpaces } from '../../src/resources/spaces/contract.ts';
import { createBench, linesOf, type Bench } from './bench.ts';
import { faultsIn } from './read/folder.ts';

const makeSpace = (bench: Bench, title: string, parent?: string) =>
  bench.world.as('admin').call(createSpace, {
    params: { organizationId: bench.world.org },
    body: { title, ...(parent === undefined ? {} : { parent }) },
  });
const makeCollection = (bench: Bench, title: string, parent?: string) =>
  bench.world.as('admin').call(createCollection, {
    params: { organizationId: bench.world.org },
    body: { title, ...(parent === undefined ? {} : { parent }) },
  });
const titles = async (bench: Bench) =>
  (await bench.world.as('admin').call(listSpaces, { params: { organizationId: bench.world.org } })).items.map(
    ({ title }) => title,
  );

describe('which live resource a block means', () => {
  it('is that of its explicit id', async () => {
    const bench = await createBench();
    const { id } = await makeSpace(bench, 'One');
    await makeSpace(bench, 'One');
    bench.write(`spaces: { a: { id: ${id}, title: Uno } }`);
    expect(linesOf(await bench.plan())).toEqual(['adopt space.a title: "One" ⇒ "Uno"']);
    bench.write('spaces:\n  a: { id: spc_none, title: Uno }');
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:3:12: no space that you can see here has this ID; check the ID and your role, or remove "id" to create a new one',
    ]);
  });

  it('is the one of its natural key, and is written down', async () => {
    const bench = await createBench('spaces: { a: { title: One } }');
    const { id } = await makeSpace(bench, 'One');
    const plan = await bench.plan();
    expect(plan).toMatchObject({ counts: { adopt: 1 }, calls: 0 });
    await bench.apply();
    expect(bench.changing).toEqual([]);
    expect(bench.lock!.resources).toEqual({ 'space.a': { kind: 'space', id, fields: { title: 'One' } } });
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('is not guessed: two of the same title are an error that names both', async () => {
    const bench = await createBench('spaces:\n  a: { title: One }');
    const ids = [(await makeSpace(bench, 'One')).id, (await makeSpace(bench, 'One')).id];
    expect(await faultsIn(bench.plan())).toEqual([
      `org.yaml:3:3: space.a matches ${ids[0]} and ${ids[1]}, which have the same title; choose one with \`docsctl adopt space.a ${ids[0]}\` or "id: ${ids[0]}"`,
    ]);
  });

  it('is narrowed down by the parent that the file states', async () => {
    const bench = await createBench(
      'collections: { c: { title: Product } }\nspaces: { a: { title: One, parent: !ref collection.c } }',
    );
    const { id: parent } = await makeCollection(bench, 'Product');
    await makeSpace(bench, 'One');
    const { id } = await makeSpace(bench, 'One', parent);
    expect((await bench.plan()).steps.map(({ key, action, id: live }) => [key, action, live])).toEqual([
      ['collection.c', 'adopt', parent],
      ['space.a', 'adopt', id],
    ]);
  });

  it('is the only one of its title where it lies elsewhere, and is moved', async () => {
    const bench = await createBench(
      'collections: { c: { title: Product }, d: { title: Archive, parent: !ref collection.c } }\nspaces: { a: { title: One, parent: !ref collection.d } }',
    );
    await makeCollection(bench, 'Product');
    await makeCollection(bench, 'Archive');
    const { id } = await makeSpace(bench, 'One');
    expect(linesOf(await bench.plan())).toEqual([
      'adopt collection.c',
      'adopt collection.d parent: null ⇒ →collection.c',
      'adopt space.a parent: null ⇒ →collection.d',
    ]);
    await bench.apply();
    expect(bench.lock!.resources['space.a']!.id).toBe(id);
    expect(await titles(bench)).toEqual(['One']);
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('is the one in the parent that was found elsewhere itself, before any that would have to be moved', async () => {
    const bench = await createBench(
      'collections: { top: { title: Top }, c: { title: Product, parent: !ref collection.top }, d: { title: Guides, parent: !ref collection.c } }',
    );
    const product = await makeCollection(bench, 'Product');
    await makeCollection(bench, 'Guides');
    const inside = await makeCollection(bench, 'Guides', product.id);
    expect((await bench.plan()).steps.map(({ key, action, id }) => [key, action, id])).toEqual([
      ['collection.top', 'create', undefined],
      ['collection.c', 'adopt', product.id],
      ['collection.d', 'adopt', inside.id],
    ]);
  });

  it('is not guessed where several of its title lie elsewhere', async () => {
    const bench = await createBench(
      'collections:\n  c: { title: Product }\nspaces:\n  a: { title: One, parent: !ref collection.c }',
    );
    const { id: other } = await makeCollection(bench, 'Other');
    const ids = [(await makeSpace(bench, 'One')).id, (await makeSpace(bench, 'One', other)).id];
    expect(await faultsIn(bench.plan())).toEqual([
      `org.yaml:5:3: space.a matches ${ids[0]} and ${ids[1]}, which have the same title; choose one with \`docsctl adopt space.a ${ids[0]}\` or "id: ${ids[0]}"`,
    ]);
  });

  it('is a new one where several blocks have the title of one that lies elsewhere', async () => {
    const bench = await createBench(
      'collections: { c: { title: C }, d: { title: D } }\nspaces:\n  a: { title: One, parent: !ref collection.c }\n  b: { title: One, parent: !ref collection.d }',
    );
    await makeSpace(bench, 'One');
    expect((await bench.plan()).counts).toMatchObject({ create: 4, adopt: 0 });
  });

  it('is the group or section of a site that lies in another group', async () => {
    const bench = await createBench();
    const text = (groups: string, group: string) =>
      `spaces: { a: { title: A } }\nsites: { s: { title: Docs, groups: { ${groups} }, sections: [{ path: a, title: Guide, space: !ref space.a, group: ${group} }] } }`;
    await bench.bring(text('one: { title: One }, two: { title: Two }', 'two'));
    rmSync(bench.lockOptions.path);
    bench.write(text('one: { title: One }, two: { title: Two, parent: one }', 'one'));
    expect(linesOf(await bench.plan())).toEqual([
      'adopt space.a',
      'adopt site.s',
      'adopt section-group.s/one',
      'adopt section-group.s/two parent: null ⇒ →section-group.s/one',
      'adopt section.s/a group: →section-group.s/two ⇒ →section-group.s/one',
      'adopt site-space.s/a/space',
    ]);
  });

  it('is that of the lock, whatever its title is now: a rename is an update', async () => {
    const bench = await createBench();
    await bench.bring('spaces: { a: { title: One } }');
    bench.write('spaces: { a: { title: Two } }');
    expect(linesOf(await bench.plan())).toEqual(['update space.a title: "One" ⇒ "Two"']);
    await bench.apply();
    expect(await titles(bench)).toEqual(['Two']);
  });

  it('moves to another name in the file without a change on the live side', async () => {
    const bench = await createBench();
    await bench.bring('spaces: { a: { title: One } }');
    bench.write('spaces: { b: { title: One } }');
    bench.forget();
    expect(linesOf(await bench.plan({ prune: true }))).toEqual(['adopt space.b']);
    await bench.apply({ prune: true });
    expect(bench.changing).toEqual([]);
    expect(Object.keys(bench.lock!.resources)).toEqual(['space.b']);
  });

  it('is made anew where the one of the lock is gone', async () => {
    const bench = await createBench();
    await bench.bring('spaces: { a: { title: One } }');
    const { id } = bench.lock!.resources['space.a']!;
    await bench.world.as('admin').call(deleteSpace, { params: { spaceId: id } });
    const plan = await bench.plan();
    const hint = `If it was deleted less than 7 days ago, bring it back with its content: \`docsctl spaces restore ${id}\``;
    expect(plan.steps).toMatchObject([{ key: 'space.a', action: 'create', gone: id, hint }]);
    await bench.apply();
    // The same create within a day would be answered with the space that is gone.
    expect(await titles(bench)).toEqual(['One']);
    expect(bench.lock!.resources['space.a']!.id).not.toBe(id);
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('cannot be that of another block', async () => {
    const bench = await createBench();
    const { id } = await makeSpace(bench, 'One');
    bench.write(`spaces:\n  a: { id: ${id} }\n  b: { id: ${id} }`);
    expect(await faultsIn(bench.plan())).toEqual([
      `org.yaml:4:12: space.b and space.a (org.yaml:3:3) are both bound to ${id}; remove one of the two`,
    ]);
  });

  it('tells what is missing to make a new one', async () => {
    const bench = await createBench(
      'teams: { a: {} }\nspaces: { s: {} }\nsites: { d: { sections: [{ path: a }], siteSpaces: [] } }',
    );
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:2:10: team.a does not exist yet; to create it, set "title"',
      'org.yaml:4:26: section.d/a does not exist yet; a new section needs "space" or "siteSpaces"',
    ]);
  });
});

describe('lookups', () => {
  it('find the one live resource, and only that kind is read for it', async () => {
    const bench = await createBench('spaces: { a: { title: A, parent: !lookup { title: Product } } }');
    const { id } = await makeCollection(bench, 'Product');
    const plan = await bench.plan();
    expect(plan.steps[0]!.changes[1]).toMatchObject({ field: 'parent', after: id });
    expect(new Set(bench.calls.map(({ operation }) => operation.id))).toEqual(
      new Set(['collections.list', 'spaces.list']),
    );
  });

  it('refuse none and two', async () => {
    const bench = await createBench('spaces:\n  a: { parent: !lookup { title: Product } }');
    expect(await faultsIn(bench.plan())).toEqual(['org.yaml:3:16: no collection has the title "Product"']);
    const ids = [(await makeCollection(bench, 'Product')).id, (await makeCollection(bench, 'Product')).id];
    expect(await faultsIn(bench.plan())).toEqual([
      `org.yaml:3:16: ${ids.join(' and ')} all have the title "Product"; add another field to the lookup, or use the ID`,
    ]);
  });
});

describe('people', () => {
  it('who are no members are told where they stand', async () => {
    const bench = await createBench(
      'teams:\n  a: { title: A, members: [edit@acme.test, nobody@acme.test] }\nspaces: { s: { mergeRules: { allow_bypass: [x@y.test] } } }',
    );
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:3:44: "nobody@acme.test" is not a member of the organization; invite them with `docsctl members invite EMAIL` or add them to "members"',
      'org.yaml:4:45: "x@y.test" is not a member of the organization; invite them with `docsctl members invite EMAIL` or add them to "members"',
    ]);
  });
});
