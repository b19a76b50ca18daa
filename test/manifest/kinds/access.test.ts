import { describe, expect, it } from 'vitest';
import { findDrift, hasNoDrift } from '../../../src/manifest/find-drift.ts';
import { readState } from '../../../src/manifest/state-file.ts';
import * as ofCollection from '../../../src/resources/permissions/collection/contract.ts';
import * as ofSite from '../../../src/resources/permissions/site/contract.ts';
import * as ofSpace from '../../../src/resources/permissions/space/contract.ts';
import { createBench, linesOf, type Bench } from '../bench.ts';
import { desiredFaults } from '../desired.ts';
import { applyTo, exportBench, planOf, textOf } from '../export/export-bench.ts';
import { createUndoBench } from '../journal/undo-bench.ts';
import { problemIn } from '../read/folder.ts';
import { rehearseBench } from '../rehearse/rehearse-bench.ts';

const contracts = { space: ofSpace, collection: ofCollection, site: ofSite };
const idOf = (bench: Bench, address: string): string => bench.lock!.resources[address]!.id;

/** The roles on a resource, by email and by the title of the team. */
async function rolesOn(bench: Bench, address: string) {
  const kind = address.split('.', 1)[0] as keyof typeof contracts;
  const { listUserPermissions, listTeamPermissions } = contracts[kind] as unknown as typeof ofSpace;
  const params = { organizationId: bench.world.org, [`${kind}Id`]: idOf(bench, address) };
  const users = await bench.api.call(listUserPermissions, { params: params as never });
  const teams = await bench.api.call(listTeamPermissions, { params: params as never });
  return Object.fromEntries([
    ...users.items.map(({ user, permission }) => [user.email, permission]),
    ...teams.items.map(({ team, permission }) => [team.title, permission]),
  ]) as Record<string, string | null>;
}

const settled = async (bench: Bench) => expect(linesOf(await bench.plan())).toEqual([]);
const driftOf = (bench: Bench) =>
  findDrift({ api: bench.api, state: readState(bench.lockOptions), concurrency: 4 });

const text = `
teams: { writers: { title: Writers }, support: { title: Support } }
collections:
  product: { title: Product, access: [{ team: !ref team.support, role: read }] }
spaces:
  guide:
    title: Guide
    parent: !ref collection.product
    access:
      - { team: !ref team.writers, role: edit }
      - { email: Edit@acme.test, role: comment }
      - { email: review@acme.test, role: none }
sites:
  docs: { title: Docs, access: [{ team: !ref team.writers, role: admin }] }
`;

describe('access in a manifest', () => {
  it('gives teams and members roles on collections, spaces and sites, and the next plan is empty', async () => {
    const bench = await createBench();
    await bench.bring(text);
    expect(await rolesOn(bench, 'collection.product')).toEqual({ Support: 'read' });
    expect(await rolesOn(bench, 'space.guide')).toEqual({
      Writers: 'edit',
      'edit@acme.test': 'comment',
      'review@acme.test': null,
    });
    expect(await rolesOn(bench, 'site.docs')).toEqual({ Writers: 'admin' });
    await settled(bench);
    expect(hasNoDrift(await driftOf(bench))).toBe(true);
  });

  it('gives roles to people whom the same manifest invites', async () => {
    const bench = await createBench();
    await bench.bring(`
members: { dan@acme.test: { role: guest } }
spaces: { guide: { title: Guide, access: [{ email: dan@acme.test, role: edit }] } }`);
    expect(await rolesOn(bench, 'space.guide')).toEqual({ 'dan@acme.test': 'edit' });
    await settled(bench);
  });

  it('changes only what differs, removes unlisted entries, and keeps access that is not stated', async () => {
    const bench = await createBench();
    await bench.bring(text);
    const next = text
      .replace('      - { email: Edit@acme.test, role: comment }\n', '')
      .replace('role: none', 'role: edit');
    bench.write(next);
    expect(linesOf(await bench.plan())).toEqual([expect.stringMatching(/^update space.guide access: /)]);
    bench.forget();
    await bench.apply();
    expect(bench.changing.map(({ operation, input }) => [operation.id, input.body])).toEqual([
      ['spaces.permissions.remove-user', undefined],
      ['spaces.permissions.set', { role: 'edit', users: [bench.world.user('review')] }],
    ]);
    expect(await rolesOn(bench, 'space.guide')).toEqual({ Writers: 'edit', 'review@acme.test': 'edit' });
    await bench.bring('spaces: { guide: { title: Guide } }');
    expect(await rolesOn(bench, 'space.guide')).toEqual({ Writers: 'edit', 'review@acme.test': 'edit' });
    await bench.bring('spaces: { guide: { title: Guide, access: [] } }');
    expect(await rolesOn(bench, 'space.guide')).toEqual({});
    await settled(bench);
  });

  it('shows roles that were changed by hand', async () => {
    const bench = await createBench();
    await bench.bring(text);
    await bench.api.call(ofSpace.setPermissions, {
      params: { spaceId: idOf(bench, 'space.guide') },
      body: { role: 'admin', users: ['edit@acme.test'] },
    });
    const { resources } = await driftOf(bench);
    const writers = { team: { 'docsctl:ref': 'team.writers' }, role: 'edit' };
    const review = { email: 'review@acme.test', role: 'none' };
    expect(resources).toMatchObject([
      {
        address: 'space.guide',
        changes: [
          {
            field: 'access',
            before: [writers, { email: 'edit@acme.test', role: 'comment' }, review],
            after: [writers, { email: 'edit@acme.test', role: 'admin' }, review],
          },
        ],
      },
    ]);
    await bench.apply();
    expect(await rolesOn(bench, 'space.guide')).toMatchObject({ 'edit@acme.test': 'comment' });
  });

  it('is exported, and gives the same access in an empty organization', async () => {
    const bench = await createBench();
    await bench.bring(text);
    const exported = await exportBench(bench);
    expect(linesOf(await planOf(bench, exported))).toEqual([]);
    const other = await createBench();
    await applyTo(other, exported, 4);
    for (const address of ['collection.product', 'space.guide', 'site.docs'])
      expect(await rolesOn(other, address)).toEqual(await rolesOn(bench, address));
    expect(textOf(await exportBench(other))).toBe(textOf(exported));
  });

  it('is left out of an export by a member who may not read it', async () => {
    const bench = await createBench();
    await bench.bring(text);
    const api = bench.world.as('read');
    const { unsupported, files } = await exportBench(
      { ...bench, api, world: bench.world },
      { kinds: ['spaces'] },
    );
    expect([...unsupported.keys()]).toEqual(['space.access']);
    expect(textOf({ files } as never)).toContain('Guide');
  });

  it('is rehearsed like it is applied, and can be undone', async () => {
    const bench = await createUndoBench();
    await bench.bring(text);
    const changed = text.replace('role: comment', 'role: admin').replace('role: edit', 'role: create');
    bench.write(changed);
    const { rows, unsettled, notCopied } = await rehearseBench(bench);
    expect(rows.map(({ key, status }) => [key, status])).toEqual([['space.guide', 'done']]);
    expect([unsettled, notCopied]).toEqual([[], []]);
    const before = await rolesOn(bench, 'space.guide');
    await bench.apply();
    expect(await rolesOn(bench, 'space.guide')).toMatchObject({
      Writers: 'create',
      'edit@acme.test': 'admin',
    });
    await bench.undo();
    expect(await rolesOn(bench, 'space.guide')).toEqual(before);
  });

  it('is restored with a collection whose deletion is undone', async () => {
    const bench = await createUndoBench();
    await bench.bring(text.replace('    parent: !ref collection.product\n', ''));
    await bench.bring(
      'teams: { writers: { title: Writers }, support: { title: Support } }\ncollections: {}',
      { prune: true },
    );
    await bench.undo();
    expect(await rolesOn(bench, 'collection.product')).toEqual({ Support: 'read' });
  });

  it('reports mistakes with their positions', async () => {
    const faults = (access: string) =>
      desiredFaults(`teams: { writers: { title: Writers } }
spaces:
  guide:
    access:
      - ${access}`);
    expect(await faults('{ role: edit }')).toEqual(['org.yaml:6:9: this needs a "team" or an "email"']);
    expect(await faults('{ team: !ref team.writers, email: a@b.test, role: edit }')).toEqual([
      'org.yaml:6:9: this has both "team" and "email"; write an item for each',
    ]);
    expect(await faults('{ team: !ref team.writer, role: edit }')).toEqual([
      'org.yaml:6:17: the manifest has no team.writer; did you mean "team.writers"?',
    ]);
    expect(await faults('{ team: writers, role: editor }')).toEqual([
      'org.yaml:6:17: "writers" is not an ID; did you mean !ref team.writers?',
      'org.yaml:6:32: "editor" is not one of: admin, create, review, edit, comment, read, none; did you mean edit?',
    ]);
    expect(await faults('{ email: a@b.test, role: edit }\n      - { email: A@b.test, role: read }')).toEqual([
      'org.yaml:7:9: the same member is listed twice',
    ]);
    const people = Array.from({ length: 5001 }, (_, index) => `{ email: a${index}@b.test, role: edit }`);
    expect(await faults(people.join('\n      - '))).toEqual([
      'org.yaml:6:7: this list has 5001 items; at most 5000 are allowed',
    ]);
    const bench = await createBench(
      'spaces:\n  guide:\n    title: Guide\n    access:\n      - { email: edit@acme.test, role: edit }\n      - { email: zoe@acme.test, role: read }',
    );
    expect((await problemIn(bench.plan())).violations).toEqual([
      {
        path: 'org.yaml:7:18',
        message:
          '"zoe@acme.test" is not a member of the organization; invite them with `docsctl members invite EMAIL` or add them to "members"',
      },
    ]);
  });

  it('reads and sends 200 roles with a few calls', async () => {
    const bench = await createBench();
    const emails = Array.from({ length: 200 }, (_, index) => `person${index}@acme.test`);
    await bench.bring(`members: { ${emails.map((email) => `${email}: { role: read }`).join(', ')} }`);
    const wide = (role: string) =>
      `spaces: { guide: { title: Guide, access: [${emails.map((email) => `{ email: ${email}, role: ${role} }`).join(', ')}] } }`;
    await bench.bring(wide('edit'));
    bench.write(wide('comment'));
    bench.forget();
    await bench.apply();
    expect(new Set(Object.values(await rolesOn(bench, 'space.guide')))).toEqual(new Set(['comment']));
    const ids = bench.calls.map(({ operation }) => operation.id);
    expect(ids.filter((id) => id.startsWith('spaces.permissions.'))).toEqual([
      'spaces.permissions.teams',
      'spaces.permissions.users',
      'spaces.permissions.teams',
      'spaces.permissions.users',
      'spaces.permissions.set',
      // The calls that the test itself makes.
      'spaces.permissions.users',
      'spaces.permissions.teams',
    ]);
  });
});
