import { expect } from 'vitest';
import * as changeRequests from '../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import { submitReview } from '../../src/resources/change-request-reviews/contract.ts';
import { listOrganizationsOfDomain } from '../../src/resources/email-domains/contract.ts';
import {
  createInstallation,
  installOnSpace,
} from '../../src/resources/integration-installations/contract.ts';
import { listInvites } from '../../src/resources/invites/contract.ts';
import * as members from '../../src/resources/members/contract.ts';
import { listOrganizationInstallations } from '../../src/resources/organization-installations/contract.ts';
import { listOrganizationIntegrations } from '../../src/resources/organization-integrations/contract.ts';
import * as orgs from '../../src/resources/organizations/contract.ts';
import * as onSpace from '../../src/resources/permissions/space/contract.ts';
import * as spaces from '../../src/resources/spaces/contract.ts';
import * as teams from '../../src/resources/teams/contract.ts';
import * as teamMembers from '../../src/resources/team-members/contract.ts';
import { install, publish } from '../resources/integrations/support.ts';
import { permissionIsKept, roles, type Bench, type Try } from './bench.ts';
import { trustDomains } from '../support/trust-domains.ts';

const rules = (...given: object[]) => ({ mergeRules: { type: 'rules', rules: given } });
const anyOf = (...users: string[]) => ({ rule: 'require_specific_reviewers', users });

/** Opens a change request in a new space, and merges it as an editor with the right to merge. */
async function merging({ call, org, reason }: Bench) {
  const spaceId = (await call(spaces.createSpace, org, { body: { title: 'Guide' } })).id;
  const at = {
    spaceId,
    changeRequestId: (await call(changeRequests.createChangeRequest, { spaceId }, { body: {} })).id,
  };
  const change = { operation: 'insert_page', title: 'One', document: { markdown: 'Text' } };
  await call(batchContent, at, { body: { changes: [change] } });
  return {
    at,
    approve: (who: 'review' | 'create') => call(submitReview, at, { body: { status: 'approved' } }, who),
    merge: () => reason(changeRequests.mergeChangeRequest, at, { body: {} }),
  };
}

const newTeam = async ({ call, org }: Bench, body: object = {}) => ({
  ...org,
  teamId: (await call(teams.createTeam, org, { body: { title: 'Writers', members: [], ...body } })).id,
});

export const tries: readonly Try[] = [
  {
    of: 'organization',
    fields: ['mergeRules.rules.rule', 'mergeRules.rules.users'],
    run: async (bench) => {
      const { call, org } = bench;
      const { approve, merge } = await merging(bench);
      const set = async (...given: object[]) => {
        await call(orgs.updateOrganization, org, { body: rules(...given) });
        expect((await call(orgs.listOrganizations, {})).items[0]?.mergeRules).toEqual({
          type: 'rules',
          rules: given,
        });
      };
      await set(anyOf('usr_create'));
      await approve('review');
      expect(await merge()).toBe('conflict');
      await set({ rule: 'require_at_least_one_approved_review' });
      expect(await merge()).toBe('done');
    },
  },
  {
    of: 'space',
    fields: ['mergeRules.rules.rule', 'mergeRules.rules.users'],
    run: async (bench) => {
      const { call, org } = bench;
      const { at, approve, merge } = await merging(bench);
      const set = async (...given: object[]) => {
        await call(spaces.updateSpace, at, { body: rules(...given) });
        expect((await call(spaces.listSpaces, org)).items[0]?.mergeRules).toEqual({
          type: 'rules',
          rules: given,
        });
      };
      await set({ rule: 'require_at_least_one_approved_review' });
      expect(await merge()).toBe('conflict');
      await approve('review');
      await set(anyOf('usr_create'));
      expect(await merge()).toBe('conflict');
      await set(anyOf('usr_create'), { rule: 'allow_bypass', users: ['usr_admin'] });
      expect(await merge()).toBe('done');
    },
  },
  {
    of: 'space',
    fields: ['icon', 'urls.icon'],
    run: async (bench) => {
      const { call, org } = bench;
      const { at } = await merging(bench);
      const icon = 'https://example.com/icon.png';
      const look = async () => (await call(spaces.listSpaces, org)).items.find(({ id }) => id === at.spaceId);
      expect(await look()).not.toHaveProperty('icon');
      await call(spaces.updateSpace, at, { body: { icon } });
      expect(await look()).toMatchObject({ icon, emoji: '', urls: { icon } });
      const copy = await call(spaces.duplicateSpace, at);
      expect(copy).toMatchObject({ icon, urls: { icon } });
      await call(spaces.updateSpace, at, { body: { emoji: '1f600' } });
      expect(await look()).not.toHaveProperty('icon');
      expect((await look())?.urls).not.toHaveProperty('icon');
    },
  },
  {
    of: 'organization',
    fields: [
      'permissions.installIntegration',
      'permissions.listInstallations',
      'permissions.listIntegrations',
    ],
    run: async (bench) => {
      await publish(bench.world);
      const body = { organization: 'org_acme' };
      for (const [name, ...call] of [
        ['installIntegration', createInstallation, { integrationName: 'bot' }, { body }],
        ['listInstallations', listOrganizationInstallations, bench.org],
        ['listIntegrations', listOrganizationIntegrations, bench.org],
      ] as const)
        await permissionIsKept(
          roles,
          async (who) => (await bench.call(orgs.getOrganization, bench.org, {}, who)).permissions[name],
          (who) => bench.reason(call[0], call[1], call[2] ?? {}, who),
        );
    },
  },
  {
    of: 'organization',
    fields: ['permissions.view', 'permissions.ownTeam'],
    run: async (bench) => {
      const { call, org, reason } = bench;
      await call(orgs.updateOrganization, org, {
        body: { emailDomains: ['acme.test'], defaultRole: 'read' },
      });
      await trustDomains(bench.world.core);
      const look = async () =>
        (
          await call(listOrganizationsOfDomain, { emailDomain: 'acme.test' }, {}, 'outsider')
        ).organizations.find(({ id }) => id === org.organizationId)?.permissions;
      expect(await look()).toMatchObject({ view: false, ownTeam: false });
      expect(await reason(orgs.getOrganization, org, {}, 'outsider')).toBe('not-found');
      await call(orgs.joinOrganization, org, {}, 'outsider');
      expect(await look()).toMatchObject({ view: true, ownTeam: false });
      const team = await newTeam(bench);
      const at = { ...team, userId: 'usr_outsider' };
      const rename = () => reason(teams.updateTeam, team, { body: { title: 'New' } }, 'outsider');
      await call(teamMembers.addTeamMember, at, { body: { role: 'member' } });
      expect([(await look())?.ownTeam, await rename()]).toEqual([false, 'forbidden']);
      await call(teamMembers.addTeamMember, at, { body: { role: 'owner' } });
      expect([(await look())?.ownTeam, await rename()]).toEqual([true, 'done']);
      await call(members.deleteMember, { ...org, userId: 'usr_outsider' });
      expect((await look())?.view).toBe(false);
    },
  },
  {
    of: 'space',
    fields: ['permissions.review', 'permissions.installIntegration', 'permissions.viewInviteLinks'],
    run: async (bench) => {
      const { call, org, reason, world } = bench;
      const { at } = await merging(bench);
      const { spaceId } = at;
      await publish(world);
      const installed = { integrationName: 'bot', installationId: (await install(world)).id };
      // A guest who administers the space is not an administrator of the organization.
      await call(onSpace.setPermissions, at, { body: { role: 'admin', users: ['usr_guest'] } });
      for (const [name, ...attempt] of [
        ['review', submitReview, at, { body: { status: 'approved' } }],
        ['installIntegration', installOnSpace, installed, { body: { space: spaceId } }],
        ['viewInviteLinks', listInvites, org, {}],
      ] as const)
        await permissionIsKept(
          roles,
          async (who) => (await call(spaces.getSpace, at, {}, who)).permissions[name],
          // Callers who may install it get a conflict the second time.
          (who) => reason(attempt[0], attempt[1], attempt[2], who),
        );
    },
  },
  {
    of: 'team',
    fields: ['permissions.admin', 'permissions.view'],
    run: async (bench) => {
      const { call } = bench;
      const team = await newTeam(bench, { members: ['usr_read'] });
      const look = async (who: 'read' | 'guest' | 'edit' | 'admin') =>
        (await call(teams.getTeam, team, {}, who)).permissions;
      const rename = (who: 'read' | 'edit' | 'admin') =>
        bench.reason(teams.updateTeam, team, { body: { title: 'New' } }, who);
      await permissionIsKept(
        ['admin', 'edit', 'read'],
        async (who) => (await look(who as 'read')).admin,
        (who) => rename(who as 'read'),
      );
      await call(teamMembers.addTeamMember, { ...team, userId: 'usr_read' }, { body: { role: 'owner' } });
      expect([(await look('read')).admin, await rename('read')]).toEqual([true, 'done']);
      expect(await look('edit')).toEqual({ admin: false, view: true });
      // Guests see only the teams that they are in.
      expect(await bench.reason(teams.getTeam, team, {}, 'guest')).toBe('forbidden');
      await call(teamMembers.addTeamMember, { ...team, userId: 'usr_guest' }, { body: {} });
      expect(await look('guest')).toEqual({ admin: false, view: true });
    },
  },
  {
    of: 'teams.members.list',
    fields: ['organization', 'team.role', 'permissions.view'],
    run: async (bench) => {
      const { call, org, reason } = bench;
      const team = await newTeam(bench, { members: ['usr_read', 'usr_guest'] });
      const list = async (who: 'guest' | 'edit') =>
        (await call(teamMembers.listTeamMembers, team, {}, who)).items;
      const of = async (id: string) =>
        (await list('edit')).find(({ organization }) => organization.id === id);
      expect(await of('usr_read')).toMatchObject({
        organization: { role: 'read' },
        team: { role: 'member' },
      });
      await call(teamMembers.addTeamMember, { ...team, userId: 'usr_read' }, { body: { role: 'owner' } });
      await call(members.updateMember, { ...org, userId: 'usr_read' }, { body: { role: 'comment' } });
      expect(await of('usr_read')).toMatchObject({
        organization: { role: 'comment' },
        team: { role: 'owner' },
      });
      for (const who of ['guest', 'edit'] as const)
        for (const { organization, permissions } of await list(who)) {
          const seen = await reason(members.getMember, { ...org, userId: organization.id }, {}, who);
          expect([who, organization.id, permissions.view]).toEqual([who, organization.id, seen === 'done']);
        }
    },
  },
];
