import { describe, expect, it } from 'vitest';
import { topologicalSort } from '../../src/manifest/topological-sort.ts';
import { kinds } from '../../src/manifest/kinds/index.ts';
import { isSame } from '../../src/manifest/value.ts';
import { getSpace, updateSpace } from '../../src/resources/spaces/contract.ts';
import { createBench, linesOf } from './bench.ts';
import { faultsIn } from './read/folder.ts';

describe('the table of kinds', () => {
  it('has each name once, and each kind behind what it lies in and refers to', () => {
    const names = kinds.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const [index, { name, slots, fields }] of kinds.entries()) {
      const before = [...names.slice(0, index), name];
      for (const { within } of slots) if (within !== undefined) expect(before).toContain(within);
      for (const { refersTo } of Object.values(fields))
        if (refersTo !== undefined) expect(before).toContain(refersTo);
    }
  });

  it('has a call for each field that one can change', () => {
    const lost = kinds.flatMap(({ name, fields, calls }) =>
      Object.entries(fields).flatMap(([field, { call = 'update', create }]) =>
        create === 'only' || calls[call] !== undefined ? [] : [`${name}.${field}`],
      ),
    );
    expect(lost).toEqual([]);
  });
});

describe('merge rules', () => {
  it.each([
    [
      '{ require_at_least_one_review: true }',
      { type: 'rules', rules: [{ rule: 'require_at_least_one_review' }] },
    ],
    [
      '{ allow_bypass: [EDIT@acme.test, usr_admin] }',
      { type: 'rules', rules: [{ rule: 'allow_bypass', users: ['usr_admin', 'usr_edit'] }] },
    ],
    [
      '[{ rule: allow_bypass, users: [edit@acme.test] }, { rule: allow_bypass, users: [usr_admin] }]',
      {
        type: 'rules',
        rules: [
          { rule: 'allow_bypass', users: ['usr_edit'] },
          { rule: 'allow_bypass', users: ['usr_admin'] },
        ],
      },
    ],
    ['none', { type: 'none' }],
  ])('%s are what the API has, and the same again', async (text, rules) => {
    const bench = await createBench();
    await bench.bring(`spaces: { a: { title: A, mergeRules: ${text} } }`);
    const params = { spaceId: bench.lock!.resources['space.a']!.id };
    expect((await bench.world.as('admin').call(getSpace, { params })).mergeRules).toEqual(rules);
    expect(linesOf(await bench.plan())).toEqual([]);
    await bench.world.as('admin').call(updateSpace, {
      params,
      body: { mergeRules: { type: 'rules', rules: [{ rule: 'allow_bypass', users: ['usr_review'] }] } },
    });
    expect((await bench.plan()).steps[0]!.changes[0]!.before).toEqual({ allow_bypass: ['review@acme.test'] });
  });
});

describe('site spaces', () => {
  it('of a new section: the first one shows the title of its space', async () => {
    const text = (first: string) =>
      `spaces: { a: { title: A }, b: { title: B } }\nsites: { s: { sections: [{ path: x, siteSpaces: [{ path: a, space: !ref space.a${first} }, { path: b, space: !ref space.b, title: Bee }] }] } }`;
    const bench = await createBench(text(', title: Aah'));
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:3:26: section.s/x is not there yet, and the first site space of a new section shows the title of its space; leave its title out, or put another one first',
    ]);
    await bench.bring(text(''));
    expect(linesOf(await bench.plan())).toEqual([]);
  });
});

describe('what stands where', () => {
  it('finds those that need each other, and not those that wait for them', () => {
    const needs: Record<string, string[]> = { a: ['b'], b: ['c'], c: ['b'], d: ['c'], e: [] };
    const { sorted, cycle } = topologicalSort(
      Object.keys(needs),
      (key) => key,
      (key) => needs[key]!,
    );
    expect({ sorted, cycle }).toEqual({ sorted: ['e'], cycle: ['b', 'c'] });
    expect(
      topologicalSort(
        ['a', 'b', 'c'],
        (key) => key,
        (key) => (key === 'a' ? ['c'] : []),
      ).sorted,
    ).toEqual(['b', 'c', 'a']);
  });

  it('compares values as they are meant', () => {
    expect(isSame(null, undefined)).toBe(true);
    expect(isSame({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(isSame({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
    expect(isSame(['a', 'b'], ['b', 'a'])).toBe(false);
    expect(isSame(['a', 'b', 'a'], ['b', 'a'], 'set')).toBe(true);
    expect(isSame('one\r\ntwo\n', 'one\ntwo', 'text')).toBe(true);
    expect(isSame({ 'docsctl:secret': 'env A', hash: 'x' }, { 'docsctl:secret': 'env B', hash: 'x' })).toBe(
      true,
    );
  });
});
