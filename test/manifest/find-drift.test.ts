import { describe, expect, it } from 'vitest';
import { Type } from '../../src/contract/schema.ts';
import type { Api } from '../../src/contract/api.ts';
import { Problem } from '../../src/errors/problem.ts';
import { findDrift } from '../../src/manifest/find-drift.ts';
import { kind, type Body } from '../../src/manifest/kind.ts';
import { readState } from '../../src/manifest/state-file.ts';
import { ManifestState, type Owned } from '../../src/manifest/manifest-state.ts';
import { updateOrganization } from '../../src/resources/organizations/contract.ts';
import { deleteSite } from '../../src/resources/sites/contract.ts';
import { updateSection } from '../../src/resources/site-sections/contract.ts';
import { deleteSpace, moveSpace, updateSpace } from '../../src/resources/spaces/contract.ts';
import { updateTeamMembers } from '../../src/resources/team-members/contract.ts';
import type { Bench } from './bench.ts';
import { broughtTo, driftLines, driftOf } from './state-bench.ts';
import { problemIn } from './read/folder.ts';

const example = `
teams: { writers: { title: Writers, members: [edit@acme.test] } }
collections: { product: { title: Product }, archive: { title: Archive } }
spaces:
  guide: { title: Guide, emoji: "📘", parent: !ref collection.product }
  api: { title: API }
sites:
  docs: { title: Docs, sections: [{ path: guide, title: Guide, space: !ref space.guide }] }
  other: { title: Other, siteSpaces: [{ path: one, space: !ref space.api }] }
org: { settings: { defaultContent: { site: !ref site.docs } } }
`;
const idOf = (bench: Bench, address: string): string => bench.lock!.resources[address]!.id;

/** State with these resources, and an Api that is never called. */
function vault(resources: Record<string, Owned>) {
  const api: Api = {
    place: 'https://vault.test',
    call: () => Promise.reject(new Error('no call')),
    close: () => Promise.resolve(),
  };
  return {
    api,
    state: new ManifestState({
      place: api.place,
      organization: 'o',
      key: '0'.repeat(64),
      serial: 3,
      resources,
    }),
    concurrency: 3,
  };
}

describe('drift', () => {
  it('is empty after an apply, even if the manifest has changed since', async () => {
    const bench = await broughtTo(example);
    bench.write('teams: {}');
    expect(await driftOf(bench)).toMatchObject({
      resources: [],
      counts: { changed: 0, gone: 0, same: 11, unread: 0 },
      unseen: [],
      unreadable: [],
      lock: { serial: bench.lock!.serial },
    });
    expect(bench.changing).toEqual([]);
  });

  it('lists the value of the last apply and the live value, with names instead of IDs', async () => {
    const bench = await broughtTo(example);
    const { org: organizationId } = bench.world;
    const spaceId = idOf(bench, 'space.guide');
    await bench.api.call(updateSpace, { params: { spaceId }, body: { title: 'Guide 2', language: 'de' } });
    await bench.api.call(moveSpace, {
      params: { spaceId },
      body: { parent: idOf(bench, 'collection.archive') },
    });
    await bench.api.call(updateTeamMembers, {
      params: { organizationId, teamId: idOf(bench, 'team.writers') },
      body: { add: [bench.world.user('review')] },
    });
    await bench.api.call(updateSection, {
      params: {
        organizationId,
        siteId: idOf(bench, 'site.docs'),
        siteSectionId: idOf(bench, 'section.docs/guide'),
      },
      body: { title: 'Guides' },
    });
    await bench.api.call(updateOrganization, {
      params: { organizationId },
      body: { defaultContent: { type: 'site', site: idOf(bench, 'site.other') }, ai: false },
    });
    const drift = await driftOf(bench);
    // The language and `ai` were never applied, so they are not drift.
    expect(driftLines(drift)).toEqual([
      'team.writers members: ["edit@acme.test"] → ["edit@acme.test","review@acme.test"]',
      'space.guide title: "Guide" → "Guide 2"',
      'space.guide parent: {"docsctl:ref":"collection.product"} → {"docsctl:ref":"collection.archive"}',
      'section.docs/guide title: "Guide" → "Guides"',
      'org.settings defaultContent: {"site":{"docsctl:ref":"site.docs"}} → {"site":{"docsctl:ref":"site.other"}}',
    ]);
    expect(drift.resources.find(({ address }) => address === 'space.guide')).toMatchObject({
      id: spaceId,
      name: 'Guide 2',
      status: 'changed',
    });
  });

  it('lists deleted resources, and the resources that were deleted with them', async () => {
    const bench = await broughtTo(example);
    await bench.api.call(deleteSite, {
      params: { organizationId: bench.world.org, siteId: idOf(bench, 'site.docs') },
    });
    await bench.api.call(deleteSpace, { params: { spaceId: idOf(bench, 'space.guide') } });
    const drift = await driftOf(bench);
    expect(driftLines(drift)).toEqual([
      'space.guide gone',
      'site.docs gone',
      'section.docs/guide gone with site.docs',
      'site-space.docs/guide/space gone with section.docs/guide',
      'org.settings defaultContent: {"site":{"docsctl:ref":"site.docs"}} → null',
    ]);
    expect(drift.resources[0]).toMatchObject({ name: 'Guide' });
    expect(drift.counts).toMatchObject({ gone: 4, changed: 1 });
  });

  it('reads only pages of the kinds in the state file', async () => {
    const bench = await broughtTo(
      `spaces: { ${Array.from({ length: 600 }, (_, n) => `s${n}: { title: S ${n} }`).join(', ')} }`,
    );
    expect((await driftOf(bench)).counts).toMatchObject({ same: 600 });
    expect(bench.calls.map(({ operation }) => operation.id)).toEqual(['spaces.list', 'spaces.list']);
  });

  it('reads fields that take a call of their own for several resources at once', async () => {
    const waiting: (() => void)[] = [];
    const table = [
      kind<Body>({
        name: 'slow',
        description: '',
        example: '',
        slots: [{ field: 'slow', as: 'map' }],
        keys: [],
        fields: {
          // No call is answered before three were made.
          value: {
            schema: Type.Unsafe<unknown>({}),
            fetch: async (_, { id }) => {
              await new Promise<void>((resolve) => {
                waiting.push(resolve);
                if (waiting.length === 3) for (const go of waiting.splice(0)) go();
              });
              return id;
            },
          },
        },
        list: () => Promise.resolve([{ id: 'a' }, { id: 'b' }, { id: 'c' }]),
        calls: {},
      }),
    ];
    const owned = (id: string, value: string): Owned => ({ kind: 'slow', id, fields: { value } });
    const drift = await findDrift({
      ...vault({ 'slow.a': owned('a', 'a'), 'slow.b': owned('b', 'x'), 'slow.c': owned('c', 'c') }),
      table,
    });
    expect(driftLines(drift)).toEqual(['slow.b value: "x" → "b"']);
  });

  it('reports fields of a newer version as unknown', async () => {
    const table = [
      kind<Body & { title: string }>({
        name: 'vault',
        description: '',
        example: '',
        slots: [{ field: 'vaults', as: 'map' }],
        keys: [],
        fields: { title: { schema: Type.String() } },
        list: () => Promise.resolve([{ id: 'v', title: 'V' }]),
        calls: {},
      }),
    ];
    const fields = { title: 'V', newer: 1 };
    const drift = await findDrift({ ...vault({ 'vault.v': { kind: 'vault', id: 'v', fields } }), table });
    expect(drift).toMatchObject({ resources: [], counts: { same: 1 } });
    expect(drift.unseen).toEqual([{ address: 'vault.v', field: 'newer', why: 'unknown' }]);
  });

  it('does not compare content with the folder it came from', async () => {
    const bench = await broughtTo('spaces: { guide: { title: Guide } }');
    const section = bench.lock!;
    const lock = new ManifestState({
      ...section,
      resources: {
        'space.guide': {
          ...section.resources['space.guide']!,
          fields: { title: 'Guide', content: { dir: 'content' } },
        },
      },
    });
    expect(await findDrift({ api: bench.api, state: lock, concurrency: 1 })).toMatchObject({
      resources: [],
      unseen: [{ address: 'space.guide', field: 'content', why: 'content' }],
    });
  });

  it.each([
    ['not-implemented', 'unsupported'],
    ['forbidden', 'forbidden'],
  ] as const)('lists what cannot be read: %s', async (reason, shown) => {
    const bench = await broughtTo(example);
    bench.before = ({ operation }) => {
      if (/^(members\.list|sites\.structure|teams\.members\.list)$/.test(operation.id))
        throw new Problem(reason, 'Not here.');
    };
    const drift = await driftOf(bench);
    expect(drift.unreadable).toEqual([
      { what: 'member', count: 1, message: 'Not here.', reason: shown },
      { what: 'section', count: 1, message: 'Not here.', reason: shown },
      { what: 'site-space', count: 2, message: 'Not here.', reason: shown },
    ]);
    expect(drift).toMatchObject({ resources: [], counts: { same: 8, unread: 3 } });
    bench.before = ({ operation }) => {
      if (operation.id === 'spaces.list') throw new Problem('unreachable', 'Gone.');
    };
    expect(await problemIn(driftOf(bench))).toMatchObject({ reason: 'unreachable' });
  });

  it('treats resources that are deleted while it reads as gone', async () => {
    const bench = await broughtTo(example);
    bench.before = ({ operation, input }) => {
      const { siteId } = (input.params ?? {}) as { siteId?: string };
      if (operation.id === 'sites.structure' && siteId === idOf(bench, 'site.docs'))
        throw new Problem('not-found', 'There is no such site.');
      if (operation.path.includes('/teams/:teamId/members'))
        throw new Problem('not-found', 'There is no such team.');
    };
    expect(driftLines(await driftOf(bench))).toEqual([
      'team.writers gone',
      'section.docs/guide gone',
      'site-space.docs/guide/space gone with section.docs/guide',
    ]);
  });

  it('lists resources whose parents in the state file are missing or form a cycle as unreadable', async () => {
    const section = (parent: string): Owned => ({ kind: 'section', id: 's', parent, fields: {} });
    const { api, state } = vault({
      'section.a': section('section.b'),
      'section.b': section('section.a'),
      'section.c': section('site.none'),
      'future.x': { kind: 'future', id: 'x', fields: {} },
    });
    const drift = await findDrift({ api, state, concurrency: 1 });
    expect(drift).toMatchObject({ resources: [], counts: { unread: 4 } });
    expect(drift.unreadable.map(({ what, count }) => [what, count])).toEqual([
      ['section', 3],
      ['future', 1],
    ]);
  });

  it('compares no fields of resources that were only adopted', async () => {
    const bench = await broughtTo('spaces: { guide: { title: Guide } }');
    const lock = readState(bench.lockOptions);
    lock.set('space.guide', { ...lock.get('space.guide')!, fields: {} });
    await bench.api.call(updateSpace, {
      params: { spaceId: idOf(bench, 'space.guide') },
      body: { title: 'Else' },
    });
    expect(await findDrift({ api: bench.api, state: lock, concurrency: 1 })).toMatchObject({
      resources: [],
      counts: { same: 1 },
    });
  });
});
