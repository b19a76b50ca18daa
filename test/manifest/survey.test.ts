import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/errors/problem.ts';
import { kinds } from '../../src/manifest/kinds/index.ts';
import { createBench, linesOf, type Bench } from './bench.ts';

const text = (title: string, member = 'edit@acme.test') => `
teams: { t: { title: ${title}, members: [${member}] } }
spaces: { a: { title: A } }
sites:
  s: { title: ${title}, siteSpaces: [{ path: a, space: !ref space.a }], shareLinks: { press: { name: Press } } }`;

/** A bench whose backend refuses some calls after the first manifest was applied. */
async function refusing(reason: 'forbidden' | 'not-implemented', ...operations: string[]): Promise<Bench> {
  const bench = await createBench();
  await bench.bring(text('One'));
  bench.write(text('Two', 'review@acme.test'));
  bench.before = ({ operation }) => {
    if (operations.includes(operation.id)) throw new Problem(reason, `${operation.id} is not for you.`);
  };
  return bench;
}
const cannotOf = async (bench: Bench) =>
  (await bench.plan()).steps
    .filter(({ action }) => action === 'unsupported')
    .map(({ key, reason, forbidden }) => [key, reason, forbidden]);

describe('resources that cannot be read', () => {
  it('are unsupported, and all others are applied', async () => {
    const bench = await refusing('forbidden', 'sites.share-links.list');
    expect(await cannotOf(bench)).toEqual([
      ['share-link.s/press', 'sites.share-links.list is not for you.', true],
    ]);
    const before = bench.lock!.resources['share-link.s/press'];
    expect((await bench.apply({ skipUnsupported: true })).counts).toMatchObject({
      done: 2,
      failed: 0,
      unsupported: 1,
    });
    expect(bench.lock!.resources['share-link.s/press']).toEqual(before);
    bench.before = () => {};
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('make the resources inside them unsupported', async () => {
    const bench = await refusing('forbidden', 'sites.list');
    expect(await cannotOf(bench)).toEqual([
      ['site.s', 'sites.list is not for you.', true],
      ['site-space.s/a', 'site.s cannot be read', true],
      ['share-link.s/press', 'site.s cannot be read', true],
    ]);
  });

  it.each(['forbidden', 'not-implemented'] as const)(
    'can be a single field that takes a call of its own (%s)',
    async (reason) => {
      expect(kinds.find(({ name }) => name === 'team')!.fields['members']!.fetch).toBeDefined();
      const bench = await refusing(reason, 'teams.members.list');
      const flag = reason === 'forbidden' ? true : undefined;
      expect(await cannotOf(bench)).toEqual([
        ['team.t (members)', '"members" cannot be compared: teams.members.list is not for you.', flag],
      ]);
      const { members } = bench.lock!.resources['team.t']!.fields;
      await bench.apply({ skipUnsupported: true });
      expect(bench.lock!.resources['team.t']!.fields).toEqual({ title: 'Two', members });
      bench.before = () => {};
      expect(linesOf(await bench.plan())).toEqual([
        'update team.t members: ["edit@acme.test"] ⇒ ["review@acme.test"]',
      ]);
    },
  );

  it('are not removed from the state file, and not deleted by prune', async () => {
    const bench = await refusing('forbidden', 'sites.share-links.list');
    bench.write(text('Two').replace('{ press: { name: Press } }', '{}'));
    const plan = await bench.plan({ prune: true });
    expect(linesOf(plan).filter((line) => line.startsWith('delete'))).toEqual([]);
    expect(plan.left).toEqual([]);
    await bench.apply({ prune: true });
    expect(bench.lock!.resources).toHaveProperty('share-link.s/press');
  });

  it('do not include errors of an unreachable server', async () => {
    const bench = await refusing('forbidden');
    bench.before = () => {
      throw new Problem('unreachable', 'Gone.');
    };
    await expect(bench.plan()).rejects.toMatchObject({ reason: 'unreachable' });
  });
});
