import { describe, expect, it } from 'vitest';
import { getSpace, updateSpace } from '../../../src/resources/spaces/contract.ts';
import { createBench, linesOf } from '../bench.ts';
import { faultsIn } from '../read/folder.ts';

describe('merge rules in a manifest', () => {
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
  ])('%s become the rules of the API, and the next plan is empty', async (text, rules) => {
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

  it.each([
    ['{ require_specific_reviewers: true }', '60: true is not allowed here; expected a list'],
    ['{ require_at_least_one_review: [edit@acme.test] }', '61: a list is not allowed here; expected true'],
    ['[{ rule: allow_bypass }]', '31: the rule "allow_bypass" needs "users", a list of members'],
    [
      '[{ rule: require_author_to_merge, users: [edit@acme.test] }]',
      '71: the rule "require_author_to_merge" cannot have "users"; remove it',
    ],
  ])('%s is refused, because only some rules take members', async (text, fault) => {
    const bench = await createBench();
    bench.write(`spaces:\n  a: { title: A, mergeRules: ${text} }`);
    expect(await faultsIn(bench.plan())).toEqual([`org.yaml:3:${fault}`]);
  });

  it('of an organization cannot be inherited', async () => {
    const bench = await createBench();
    bench.write('org: { settings: { mergeRules: inherit } }');
    expect(await faultsIn(bench.plan())).toEqual(['org.yaml:2:32: must be none']);
  });
});
