import { describe, expect, it } from 'vitest';
import type { Api } from '../../../src/contract/api.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { hasNoDrift, findDrift } from '../../../src/manifest/find-drift.ts';
import { readPlan, writePlan } from '../../../src/manifest/saved-plan.ts';
import { readState } from '../../../src/manifest/state-file.ts';
import {
  deleteMember,
  inviteMembers,
  listMembers,
  updateMember,
} from '../../../src/resources/members/contract.ts';
import { updateOrganization } from '../../../src/resources/organizations/contract.ts';
import { listTeamMembers } from '../../../src/resources/team-members/contract.ts';
import { Bench, createBench, linesOf } from '../bench.ts';
import { createWorld } from '../../support/world.ts';
import { exportBench } from '../export/export-bench.ts';
import { desiredFaults, desiredOf } from '../desired.ts';
import { folderOf, problemIn } from '../read/folder.ts';

async function membersOf({ api, world }: Bench) {
  const { items } = await api.call(listMembers, { params: { organizationId: world.org } });
  return Object.fromEntries(items.map(({ user, role, sso }) => [user.email, sso ? `${role} sso` : role]));
}

async function teamMembersOf({ api, world, lock }: Bench, address: string) {
  const params = { organizationId: world.org, teamId: lock!.resources[address]!.id };
  const { items } = await api.call(listTeamMembers, { params });
  // Whoever creates a team is in it, unless the manifest states its members.
  return items
    .flatMap(({ organization: { user } }) => (user.email === 'admin@acme.test' ? [] : [user.email]))
    .sort();
}

const settled = async (bench: Bench) => expect(linesOf(await bench.plan())).toEqual([]);

describe('members in a manifest', () => {
  it('are invited before teams and merge rules name them, and the next plan is empty', async () => {
    const bench = await createBench();
    bench.write(`
teams:
  writers: { title: Writers, members: [dan@acme.test, edit@acme.test] }
  support: { title: Support }
spaces: { guide: { title: Guide, mergeRules: { allow_bypass: [dan@acme.test] } } }
members:
  Dan@acme.test: { role: edit, teams: [!ref team.writers, !ref team.support] }
  eva@acme.test: { role: guest, sso: true }
`);
    const { steps } = await bench.plan();
    const waiting = steps.filter(({ after }) => after.includes('member.dan@acme.test'));
    expect(waiting.map(({ key }) => key)).toEqual([
      'team.writers',
      'member.dan@acme.test (last)',
      'space.guide',
    ]);
    await bench.apply();
    expect(await membersOf(bench)).toMatchObject({ 'dan@acme.test': 'edit', 'eva@acme.test': 'null sso' });
    expect(await teamMembersOf(bench, 'team.writers')).toEqual(['dan@acme.test', 'edit@acme.test']);
    expect(await teamMembersOf(bench, 'team.support')).toEqual(['dan@acme.test']);
    await settled(bench);
    expect(hasNoDrift(await driftOf(bench))).toBe(true);
  });

  it.each([
    ['review', 'review'],
    ['guest', null],
  ])('get the default role %s that the same manifest gives the organization', async (stated, role) => {
    const bench = await createBench();
    await bench.bring('org: { settings: { defaultRole: edit } }');
    await bench.bring('org: { settings: { defaultRole: edit } }\nmembers: { eva@acme.test: {} }');
    bench.write(
      `org: { settings: { defaultRole: ${stated} } }\nmembers: { eva@acme.test: {}, dan@acme.test: {}, jo@acme.test: { role: admin } }`,
    );
    const document = await bench.plan();
    expect(() => readPlan(writePlan(document), 'plan.json')).not.toThrow();
    // The organization is changed after the invitations.
    let invited = 0;
    let done = (): void => {};
    const invitations = new Promise<void>((resolve) => void (done = resolve));
    bench.after = ({ operation }) => {
      if (operation.id === inviteMembers.id && ++invited === 2) done();
    };
    bench.before = ({ operation }) => (operation.id === updateOrganization.id ? invitations : undefined);
    await bench.apply();
    expect(await membersOf(bench)).toMatchObject({
      'eva@acme.test': 'edit',
      'dan@acme.test': role,
      'jo@acme.test': 'admin',
    });
    await settled(bench);
  });

  it('are adopted, and their role, teams and sign-in are changed', async () => {
    const bench = await createBench(
      'teams: { writers: { title: Writers } }\nmembers: { edit@acme.test: { role: review } }',
    );
    expect(linesOf(await bench.plan())).toEqual([
      'create team.writers title: ⇒ "Writers"',
      'adopt member.edit@acme.test role: "edit" ⇒ "review"',
    ]);
    await bench.apply();
    await bench.bring(
      'teams: { writers: { title: Writers } }\nmembers: { edit@acme.test: { role: comment, sso: true, teams: [!ref team.writers] } }',
    );
    expect((await membersOf(bench))['edit@acme.test']).toBe('comment sso');
    expect(await teamMembersOf(bench, 'team.writers')).toEqual(['edit@acme.test']);
    await settled(bench);
    await bench.bring('teams: { writers: { title: Writers } }\nmembers: { edit@acme.test: { teams: [] } }');
    expect(await teamMembersOf(bench, 'team.writers')).toEqual([]);
    await settled(bench);
  });

  it('are removed only with --prune, only if owned, and never if protected', async () => {
    const bench = await createBench();
    await bench.bring(
      'members: { dan@acme.test: { role: read }, eva@acme.test: { role: read, protect: true }, edit@acme.test: {} }',
    );
    bench.write('members: {}');
    const plan = await bench.plan();
    expect(linesOf(plan)).toEqual([]);
    expect(plan.left.map(({ address }) => address).sort()).toEqual([
      'member.dan@acme.test',
      'member.edit@acme.test',
      'member.eva@acme.test',
    ]);
    await bench.apply({ prune: true });
    const members = await membersOf(bench);
    expect(Object.keys(members)).toContain('eva@acme.test');
    expect(Object.keys(members)).toContain('review@acme.test');
    expect(members).not.toHaveProperty('dan@acme.test');
    expect(members).not.toHaveProperty('edit@acme.test');
  });

  it('always include an administrator', async () => {
    const bench = await createBench('members: { admin@acme.test: { role: edit } }');
    expect(await problemIn(bench.apply())).toMatchObject({
      reason: 'guard-refused',
      message:
        'This would leave the organization without an administrator: member.admin@acme.test is the last one.',
      violations: [
        { path: 'org.yaml:2:12', message: 'member.admin@acme.test would no longer be an administrator' },
      ],
    });
    await bench.bring('members: { admin@acme.test: { role: admin } }');
    bench.write('members: {}');
    expect(await problemIn(bench.plan({ prune: true }))).toMatchObject({ reason: 'guard-refused' });
    // The new administrator is updated first, whatever the order of the file.
    bench.write('members: { admin@acme.test: { role: edit }, edit@acme.test: { role: admin } }');
    const [first] = (await bench.plan()).steps;
    expect(first).toMatchObject({ address: 'member.admin@acme.test', after: ['member.edit@acme.test'] });
    await bench.apply();
    expect(await membersOf(bench)).toMatchObject({ 'admin@acme.test': 'edit', 'edit@acme.test': 'admin' });
  });

  it('disables members, also new ones, and exports who is disabled', async () => {
    const bench = await createBench();
    const disabled = async () => {
      const { items } = await bench.api.call(listMembers, { params: { organizationId: bench.world.org } });
      return items.flatMap((one) => (one.disabled ? [one.user.email] : [])).sort();
    };
    await bench.bring(
      'members: { dan@acme.test: { role: read, disabled: true }, edit@acme.test: { disabled: true } }',
    );
    expect(await disabled()).toEqual(['dan@acme.test', 'edit@acme.test']);
    await settled(bench);
    // Elsewhere, they would be members who can do everything again.
    const { files } = await exportBench(bench, { portable: true, kinds: ['member'] });
    expect(files.get('docsctl.yaml')).toContain('dan@acme.test: { role: read, disabled: true }');
    expect(files.get('docsctl.yaml')).toContain('read@acme.test: { role: read }');
    await bench.bring(
      'members: { dan@acme.test: { role: read, disabled: false }, edit@acme.test: { role: edit } }',
    );
    expect(await disabled()).toEqual(['edit@acme.test']);
  });

  it('keeps an administrator who is not disabled', async () => {
    const bench = await createBench();
    const disable = 'members: { admin@acme.test: { disabled: true }, edit@acme.test: ';
    for (const other of ['{}', '{ role: admin, disabled: true }']) {
      bench.write(`${disable}${other} }`);
      expect(await problemIn(bench.plan())).toMatchObject({ reason: 'guard-refused' });
    }
    bench.write(`${disable}{ role: admin } }`);
    const [first] = (await bench.plan()).steps;
    expect(first).toMatchObject({ address: 'member.admin@acme.test', after: ['member.edit@acme.test'] });
  });

  it('report mistakes with their positions', async () => {
    expect(
      await desiredFaults(
        `teams: { writers: { title: Writers } }
members:
  dan: {}
  eva@acme.test: { role: editor, teams: [!ref team.writer] }
  fay@acme.test: { teams: [writers], email: fay@acme.test }
  FAY@acme.test: {}`,
      ),
    ).toEqual([
      'org.yaml:4:3: "dan" is not a valid email address',
      'org.yaml:5:26: "editor" is not one of: admin, create, review, edit, comment, read, guest; did you mean edit?',
      'org.yaml:5:42: the manifest has no team.writer; did you mean "team.writers"?',
      'org.yaml:6:28: "writers" is not an ID; did you mean !ref team.writers?',
      'org.yaml:6:38: "email" is not a known field; expected one of id, protect, role, sso, disabled, teams',
      'org.yaml:7:3: member.fay@acme.test already exists at org.yaml:6:3; remove one of the two',
    ]);
    expect(
      await desiredFaults(
        `teams: { writers: { title: Writers } }
members:
  eva@acme.test: { teams: [!ref team.writer] }
  fay@acme.test: { teams: [writers] }
  FAY@acme.test: {}`,
      ),
    ).toEqual([
      'org.yaml:4:28: the manifest has no team.writer; did you mean "team.writers"?',
      'org.yaml:5:28: "writers" is not an ID; did you mean !ref team.writers?',
      'org.yaml:6:3: member.fay@acme.test already exists at org.yaml:5:3; remove one of the two',
    ]);
  });

  it('are refused if they contradict the members of teams, with both positions', async () => {
    const text = (teams: string) => `teams:
  writers: { title: Writers, members: [Edit@acme.test] }
members:
  edit@acme.test: { teams: [${teams}] }`;
    expect(await desiredFaults(text(''))).toEqual([
      'org.yaml:5:28: team.writers is not stated here, but its members at org.yaml:3:39 include edit@acme.test; change one of the two',
    ]);
    await desiredOf(text('!ref team.writers'));
    expect(await desiredFaults(text('!ref team.writers').replace('Edit@acme.test', 'x@acme.test'))).toEqual([
      'org.yaml:5:28: team.writers is listed here, but its members at org.yaml:3:39 do not include edit@acme.test; change one of the two',
    ]);
    // A team that is named by its title is known only after the organization was read.
    const bench = await createBench();
    await bench.bring('teams: { writers: { title: Writers } }');
    bench.write(text('!lookup { title: Writers }').replace('Edit@', 'review@'));
    expect((await problemIn(bench.plan())).violations[0]!.message).toContain('do not include edit@acme.test');
  });

  it('show a role that was changed by hand, and a member who left', async () => {
    const bench = await createBench();
    await bench.bring('members: { dan@acme.test: { role: read }, eva@acme.test: { role: read } }');
    const params = (address: string) => ({
      organizationId: bench.world.org,
      userId: bench.lock!.resources[address]!.id,
    });
    await bench.api.call(updateMember, { params: params('member.dan@acme.test'), body: { role: 'edit' } });
    await bench.api.call(deleteMember, { params: params('member.eva@acme.test') });
    const { resources } = await driftOf(bench);
    expect(resources.map(({ address, status, changes }) => [address, status, ...changes])).toEqual([
      ['member.dan@acme.test', 'changed', { field: 'role', before: 'read', after: 'edit' }],
      ['member.eva@acme.test', 'gone'],
    ]);
    expect(linesOf(await bench.plan())).toEqual([
      'update member.dan@acme.test role: "edit" ⇒ "read"',
      'create member.eva@acme.test email: ⇒ "eva@acme.test" role: ⇒ "read"',
    ]);
  });

  it('are pending until they accept their invitations', async () => {
    const world = await createWorld();
    const whole = world.as('admin');
    let hasJoined = false;
    const isDan = ({ user }: { readonly user: { readonly email?: string } }) =>
      user.email === 'dan@acme.test';
    const call = (async (operation, input, options) => {
      const answer = await whole.call(operation, input, options);
      if (hasJoined) return answer;
      if (operation.id === 'members.get' && isDan(answer as never))
        throw new Problem('not-found', 'Not a member.');
      if (operation.id !== 'members.list') return answer;
      const { items } = answer as { items: { user: { email?: string } }[] };
      return { ...(answer as object), items: items.filter((one) => !isDan(one)) };
    }) as Api['call'];
    const bench = new Bench(world, folderOf({}), { ...whole, call });
    const text = (role: string) => `
teams: { writers: { title: Writers, members: [dan@acme.test, edit@acme.test] }, support: { title: Support } }
members: { dan@acme.test: { role: ${role}, teams: [!ref team.writers, !ref team.support] } }`;
    await bench.bring(text('edit'));
    await settled(bench);
    expect((await bench.plan()).pending).toEqual(['member.dan@acme.test']);
    expect(hasNoDrift(await driftOf(bench))).toBe(true);
    bench.write(text('review'));
    await settled(bench);
    hasJoined = true;
    await bench.apply();
    expect(await membersOf(bench)).toMatchObject({ 'dan@acme.test': 'review' });
    expect(await teamMembersOf(bench, 'team.support')).toEqual(['dan@acme.test']);
    expect(await teamMembersOf(bench, 'team.writers')).toEqual(['dan@acme.test', 'edit@acme.test']);
    await settled(bench);
    expect(bench.lock!.resources['member.dan@acme.test']!.left).toBeUndefined();
  });
});

function driftOf(bench: Bench) {
  return findDrift({ api: bench.api, state: readState(bench.lockOptions), concurrency: 4 });
}
