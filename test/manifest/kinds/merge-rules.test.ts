import { describe, expect, it } from 'vitest';
import { getSpace, updateSpace } from '../../../src/resources/spaces/contract.ts';
import { createBench, linesOf } from '../bench.ts';

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
