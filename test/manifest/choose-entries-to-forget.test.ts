import { describe, expect, it } from 'vitest';
import { chooseEntriesToForget } from '../../src/manifest/choose-entries-to-forget.ts';
import { ManifestState, type Owned } from '../../src/manifest/manifest-state.ts';
import { listSpaces } from '../../src/resources/spaces/contract.ts';
import { linesOf } from './bench.ts';
import { broughtTo, forgetIn } from './state-bench.ts';
import { problemIn } from './read/folder.ts';

const lockOf = (resources: Record<string, Partial<Owned>>) =>
  new ManifestState({
    place: 'memory:',
    organization: 'o',
    key: '0'.repeat(64),
    serial: 1,
    resources: Object.fromEntries(
      Object.entries(resources).map(([address, owned]) => [
        address,
        { kind: address.split('.')[0]!, id: address, fields: {}, ...owned },
      ]),
    ),
  });
const lock = lockOf({
  'space.a': {},
  'space.b': { protect: true },
  'site.docs': {},
  'section.docs/x': { parent: 'site.docs' },
  'site-space.docs/x/one': { parent: 'section.docs/x', protect: true },
  'section.odd': { parent: 'section.odd' },
});
const chosen = (addresses: readonly string[], force = true) =>
  chooseEntriesToForget(lock, addresses, { force }).map(({ address }) => address);

describe('forget', () => {
  it('includes the resources inside the given one, each once', () => {
    expect(chosen(['space.a'])).toEqual(['space.a']);
    expect(chosen(['site.docs'])).toEqual(['site.docs', 'section.docs/x', 'site-space.docs/x/one']);
    expect(chosen(['section.docs/x', 'site.docs', 'site.docs'])).toEqual([
      'section.docs/x',
      'site.docs',
      'site-space.docs/x/one',
    ]);
    expect(chosen(['section.odd'])).toEqual(['section.odd']);
  });

  it('suggests the nearest address for an unknown one, and forgets nothing', async () => {
    expect(await problemIn((async () => chosen(['space.aa']))())).toMatchObject({
      reason: 'not-found',
      message: 'The state file has no resource space.aa.',
      hint: 'Did you mean space.a?',
    });
    expect(await problemIn((async () => chosen(['team.zzzzzzzzzzzz']))())).toMatchObject({
      hint: 'List its resources with `docsctl state list`.',
    });
    expect(
      await problemIn((async () => chosen(['space.a', 'site.doc', 'x.yyyyyyyyyyyyyyyyyyyyy']))()),
    ).toMatchObject({
      message: 'The state file has none of these: site.doc, x.yyyyyyyyyyyyyyyyyyyyy.',
      violations: [
        { path: 'site.doc', message: 'is not in the state file; did you mean site.docs?' },
        { path: 'x.yyyyyyyyyyyyyyyyyyyyy', message: 'is not in the state file' },
      ],
    });
  });

  it('refuses protected resources, also inside of the given one', async () => {
    expect(await problemIn((async () => chosen(['space.a', 'space.b'], false))())).toMatchObject({
      reason: 'guard-refused',
      message: 'space.b is protected.',
    });
    expect(await problemIn((async () => chosen(['site.docs'], false))())).toMatchObject({
      message: 'site-space.docs/x/one is protected.',
      violations: [{ path: 'site-space.docs/x/one' }],
    });
  });

  it('changes nothing live, and prune no longer deletes the resource', async () => {
    const bench = await broughtTo('spaces: { a: { title: A }, b: { title: B } }');
    const { serial } = bench.lock!;
    await forgetIn(bench, ['space.a']);
    expect(bench.lock!.serial).toBe(serial + 1);
    bench.write('spaces: { b: { title: B } }');
    expect(linesOf(await bench.plan({ prune: true }))).toEqual([]);
    expect(bench.changing).toEqual([]);
  });

  it('makes the next apply create a new resource, although the create looks like the first one', async () => {
    const bench = await broughtTo('spaces: { a: { title: A } }');
    const before = bench.lock!.resources['space.a']!.id;
    await forgetIn(bench, ['space.a']);
    // The live space has another title now, although the next create is the same as the first one.
    const { updateSpace } = await import('../../src/resources/spaces/contract.ts');
    await bench.api.call(updateSpace, { params: { spaceId: before }, body: { title: 'Mine now' } });
    await bench.apply();
    const { items } = await bench.api.call(listSpaces, { params: { organizationId: bench.world.org } });
    expect(items.map(({ title }) => title).sort()).toEqual(['A', 'Mine now']);
    expect(bench.lock!.resources['space.a']!.id).not.toBe(before);
  });
});
