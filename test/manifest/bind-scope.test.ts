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

describe('binding a block to a live resource', () => {
  it('uses the explicit "id" of the block', async () => {
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

  it('adopts the resource with the same title, and records it in the state file', async () => {
    const bench = await createBench('spaces: { a: { title: One } }');
    const { id } = await makeSpace(bench, 'One');
    const plan = await bench.plan();
    expect(plan).toMatchObject({ counts: { adopt: 1 }, calls: 0 });
    await bench.apply();
    expect(bench.changing).toEqual([]);
    expect(bench.lock!.resources).toEqual({ 'space.a': { kind: 'space', id, fields: { title: 'One' } } });
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('refuses to guess between two resources with the same title, and names both', async () => {
    const bench = await createBench('spaces:\n  a: { title: One }');
    const ids = [(await makeSpace(bench, 'One')).id, (await makeSpace(bench, 'One')).id];
    expect(await faultsIn(bench.plan())).toEqual([
      `org.yaml:3:3: space.a matches ${ids[0]} and ${ids[1]}, which have the same title; choose one with \`docsctl adopt space.a ${ids[0]}\` or "id: ${ids[0]}"`,
    ]);
  });

  it('chooses by the parent that the file states', async () => {
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

  it('adopts and moves the only resource of that title if it has another parent', async () => {
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

  it('prefers a resource in the adopted parent to one that would have to be moved', async () => {
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

  it('refuses to guess if several resources of that title have other parents', async () => {
    const bench = await createBench(
      'collections:\n  c: { title: Product }\nspaces:\n  a: { title: One, parent: !ref collection.c }',
    );
    const { id: other } = await makeCollection(bench, 'Other');
    const ids = [(await makeSpace(bench, 'One')).id, (await makeSpace(bench, 'One', other)).id];
    expect(await faultsIn(bench.plan())).toEqual([
      `org.yaml:5:3: space.a matches ${ids[0]} and ${ids[1]}, which have the same title; choose one with \`docsctl adopt space.a ${ids[0]}\` or "id: ${ids[0]}"`,
    ]);
  });

  it('creates new resources if several blocks match the title of one resource with another parent', async () => {
    const bench = await createBench(
      'collections: { c: { title: C }, d: { title: D } }\nspaces:\n  a: { title: One, parent: !ref collection.c }\n  b: { title: One, parent: !ref collection.d }',
    );
    await makeSpace(bench, 'One');
    expect((await bench.plan()).counts).toMatchObject({ create: 4, adopt: 0 });
  });

  it('finds groups and sections of a site that are in another group', async () => {
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

  it('uses the ID in the state file if the title differs, so that a rename is an update', async () => {
    const bench = await createBench();
    await bench.bring('spaces: { a: { title: One } }');
    bench.write('spaces: { a: { title: Two } }');
    expect(linesOf(await bench.plan())).toEqual(['update space.a title: "One" ⇒ "Two"']);
    await bench.apply();
    expect(await titles(bench)).toEqual(['Two']);
  });

  it('follows a block that was renamed in the file without any live change', async () => {
    const bench = await createBench();
    await bench.bring('spaces: { a: { title: One } }');
    bench.write('spaces: { b: { title: One } }');
    bench.forget();
    expect(linesOf(await bench.plan({ prune: true }))).toEqual(['adopt space.b']);
    await bench.apply({ prune: true });
    expect(bench.changing).toEqual([]);
    expect(Object.keys(bench.lock!.resources)).toEqual(['space.b']);
  });

  it('creates the resource again if the one in the state file was deleted', async () => {
    const bench = await createBench();
    await bench.bring('spaces: { a: { title: One } }');
    const { id } = bench.lock!.resources['space.a']!;
    await bench.world.as('admin').call(deleteSpace, { params: { spaceId: id } });
    const plan = await bench.plan();
    const hint = `If it was deleted less than 7 days ago, bring it back with its content: \`docsctl spaces restore ${id}\``;
    expect(plan.steps).toMatchObject([{ key: 'space.a', action: 'create', gone: id, hint }]);
    await bench.apply();
    // Within a day, the same create would be answered with the deleted space.
    expect(await titles(bench)).toEqual(['One']);
    expect(bench.lock!.resources['space.a']!.id).not.toBe(id);
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('refuses to bind two blocks to the same resource', async () => {
    const bench = await createBench();
    const { id } = await makeSpace(bench, 'One');
    bench.write(`spaces:\n  a: { id: ${id} }\n  b: { id: ${id} }`);
    expect(await faultsIn(bench.plan())).toEqual([
      `org.yaml:4:12: space.b and space.a (org.yaml:3:3) are both bound to ${id}; remove one of the two`,
    ]);
  });

  it('reports which fields are missing to create a resource', async () => {
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
  it('find the live resource, and read only resources of its kind', async () => {
    const bench = await createBench('spaces: { a: { title: A, parent: !lookup { title: Product } } }');
    const { id } = await makeCollection(bench, 'Product');
    const plan = await bench.plan();
    expect(plan.steps[0]!.changes[1]).toMatchObject({ field: 'parent', after: id });
    expect(new Set(bench.calls.map(({ operation }) => operation.id))).toEqual(
      new Set(['collections.list', 'spaces.list']),
    );
  });

  it('refuse to match no resource or two resources', async () => {
    const bench = await createBench('spaces:\n  a: { parent: !lookup { title: Product } }');
    expect(await faultsIn(bench.plan())).toEqual(['org.yaml:3:16: no collection has the title "Product"']);
    const ids = [(await makeCollection(bench, 'Product')).id, (await makeCollection(bench, 'Product')).id];
    expect(await faultsIn(bench.plan())).toEqual([
      `org.yaml:3:16: ${ids.join(' and ')} all have the title "Product"; add another field to the lookup, or use the ID`,
    ]);
  });
});

describe('emails of people', () => {
  it('are reported at their position in the file if they are not members', async () => {
    const bench = await createBench(
      'teams:\n  a: { title: A, members: [edit@acme.test, nobody@acme.test] }\nspaces: { s: { mergeRules: { allow_bypass: [x@y.test] } } }',
    );
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:3:44: "nobody@acme.test" is not a member of the organization; invite them with `docsctl members invite EMAIL` or add them to "members"',
      'org.yaml:4:45: "x@y.test" is not a member of the organization; invite them with `docsctl members invite EMAIL` or add them to "members"',
    ]);
  });
});
