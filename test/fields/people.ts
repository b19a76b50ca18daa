import { expect } from 'vitest';
import { ingestConversations } from '../../src/resources/conversations/contract.ts';
import { listOrganizationsOfDomain } from '../../src/resources/email-domains/contract.ts';
import { createInvite, listInvites } from '../../src/resources/invites/contract.ts';
import * as members from '../../src/resources/members/contract.ts';
import * as orgs from '../../src/resources/organizations/contract.ts';
import { createSpec } from '../../src/resources/openapi/contract.ts';
import { createSite, deleteSite } from '../../src/resources/sites/contract.ts';
import { createSpace, deleteSpace } from '../../src/resources/spaces/contract.ts';
import { getSubdomain } from '../../src/resources/subdomains/contract.ts';
import * as teams from '../../src/resources/teams/contract.ts';
import { addTeamMember } from '../../src/resources/team-members/contract.ts';
import { permissionIsKept, roles, setAndSee, type Bench, type Try } from './bench.ts';
import { trustDomains } from '../support/trust-domains.ts';

const mine = ({ org }: Bench) =>
  [
    orgs.listOrganizations,
    {},
    ({ items }: { items: { id: string }[] }) => items.find(({ id }) => id === org.organizationId),
  ] as const;
const organizationAs = (bench: Bench, who: Parameters<Bench['call']>[3]) =>
  bench.call(orgs.getOrganization, bench.org, {}, who);

export const tries: readonly Try[] = [
  {
    of: 'organization',
    fields: [
      'title',
      'ai',
      'inviteLinks',
      'type',
      'plan',
      'trial.status',
      'trial.count',
      'trial.endDate',
      'trial.decision',
      'mergeRules.type',
    ],
    run: (bench) =>
      setAndSee(
        bench,
        [orgs.updateOrganization, bench.org],
        {
          title: 'New title',
          ai: false,
          inviteLinks: false,
          type: 'community',
          plan: 'pro',
          trial: { status: 'ended', count: 2, endDate: '2026-01-31T00:00:00.000Z', decision: 'downgrade' },
          mergeRules: { type: 'rules', rules: [{ rule: 'require_specific_reviewers', users: ['usr_edit'] }] },
        },
        mine(bench),
      ),
  },
  {
    of: 'organization',
    fields: ['inviteLinks'],
    run: async ({ call, reason, org }) => {
      await call(orgs.updateOrganization, org, { body: { inviteLinks: false } });
      expect(await reason(createInvite, org, { body: { role: 'read' } })).toBe('conflict');
    },
  },
  {
    of: 'organization',
    fields: ['emailDomains', 'defaultRole'],
    run: async ({ call, org, world }) => {
      const body = { emailDomains: ['acme.test'], defaultRole: 'comment' };
      await call(orgs.updateOrganization, org, { body });
      await trustDomains(world.core);
      const { organizations } = await call(
        listOrganizationsOfDomain,
        { emailDomain: 'acme.test' },
        {},
        'outsider',
      );
      expect(organizations.map(({ id }) => id)).toEqual(['org_acme']);
      await call(orgs.joinOrganization, org, {}, 'outsider');
      expect((await call(members.getMember, { ...org, userId: 'usr_outsider' })).role).toBe('comment');
    },
  },
  {
    of: 'organization',
    fields: ['hostname'],
    run: async ({ call, org }) => {
      await call(orgs.updateOrganization, org, { body: { hostname: 'acme-docs' } });
      expect(await call(getSubdomain, { subdomain: 'acme-docs' })).toMatchObject({
        target: { organization: 'org_acme' },
      });
    },
  },
  {
    of: 'organization',
    fields: ['defaultContent.type', 'defaultContent.site'],
    run: async ({ call, org }) => {
      const { id } = await call(createSite, org, { body: { title: 'Docs' } });
      await call(orgs.updateOrganization, org, { body: { defaultContent: { type: 'site', site: id } } });
      expect((await call(orgs.getOrganization, org)).defaultContent).toEqual({ type: 'site', site: id });
      await call(deleteSite, { ...org, siteId: id });
      expect(await call(orgs.getOrganization, org)).not.toHaveProperty('defaultContent');
    },
  },
  {
    of: 'organization',
    fields: ['urls.logo'],
    run: async ({ call, org }) => {
      const logo = 'https://acme.test/logo.png';
      await call(orgs.updateOrganization, org, { body: { logo } });
      expect((await call(orgs.getOrganization, org)).urls.logo).toBe(logo);
    },
  },
  {
    of: 'organization',
    fields: ['sso'],
    run: async ({ call, reason, org }) => {
      await call(orgs.updateOrganization, org, { body: { sso: true } });
      expect(await reason(orgs.getOrganization, org, {}, 'edit')).toBe('forbidden');
    },
  },
  {
    of: 'organization',
    fields: ['permissions.createContent'],
    run: (bench) =>
      permissionIsKept(
        roles,
        async (who) => (await organizationAs(bench, who)).permissions.createContent,
        (who) => bench.reason(createSpace, bench.org, { body: {} }, who),
      ),
  },
  {
    of: 'organization',
    fields: ['permissions.createOpenAPISpec'],
    run: (bench) =>
      permissionIsKept(
        roles,
        async (who) => (await organizationAs(bench, who)).permissions.createOpenAPISpec,
        (who) =>
          bench.reason(createSpec, bench.org, { body: { slug: `s-${who}`, source: { text: '{}' } } }, who),
      ),
  },
  {
    of: 'organization',
    fields: ['permissions.ingestConversations'],
    run: (bench) =>
      permissionIsKept(
        roles,
        async (who) => (await organizationAs(bench, who)).permissions.ingestConversations,
        (who) => bench.reason(ingestConversations, bench.org, { body: [] }, who),
      ),
  },
  {
    of: 'organization',
    fields: ['permissions.listMembers', 'permissions.listTeams'],
    run: async (bench) => {
      for (const [name, operation] of [
        ['listMembers', members.listMembers],
        ['listTeams', teams.listTeams],
      ] as const)
        await permissionIsKept(
          roles,
          async (who) => (await organizationAs(bench, who)).permissions[name],
          (who) => bench.reason(operation, bench.org, {}, who),
        );
    },
  },
  {
    of: 'organization',
    fields: ['permissions.admin'],
    run: (bench) =>
      permissionIsKept(
        roles,
        async (who) => (await organizationAs(bench, who)).permissions.admin,
        (who) => bench.reason(orgs.updateOrganization, bench.org, { body: {} }, who),
      ),
  },
  {
    of: 'member',
    fields: ['role', 'disabled', 'sso'],
    run: async (bench) => {
      const at = { ...bench.org, userId: 'usr_read' };
      const find = ({ items }: { items: { id: string }[] }) => items.find(({ id }) => id === 'usr_read');
      const body = { role: 'edit', sso: true, disabled: true };
      await setAndSee(bench, [members.updateMember, at], body, [members.listMembers, bench.org, find]);
      expect(await bench.reason(orgs.getOrganization, bench.org, {}, 'read')).toBe('not-found');
    },
  },
  {
    of: 'member',
    fields: ['lastActiveAt'],
    run: async ({ call, org }) => {
      const look = async () => {
        const { items } = await call(members.listMembers, org, { query: { activity: true } });
        return items.find(({ id }) => id === 'usr_create')?.lastActiveAt;
      };
      expect(await look()).toBeUndefined();
      await call(createSpace, org, { body: {} }, 'create');
      expect(await look()).toEqual(expect.any(String));
    },
  },
  {
    of: 'member',
    fields: ['lastSeenAt'],
    run: async ({ call, org }) => {
      const seen = async () =>
        (await call(members.listMembers, org, { query: { sort: 'lastSeenAt' } })).items.map(({ id }) => id);
      expect(await seen()).toEqual([]);
      await call(orgs.pingOrganization, org, {}, 'edit');
      expect(await seen()).toEqual(['usr_edit']);
    },
  },
  {
    of: 'member',
    fields: ['spaces'],
    run: async ({ call, org }) => {
      const count = async () => (await call(members.getMember, { ...org, userId: 'usr_read' })).spaces;
      expect(await count()).toBe(0);
      const { id } = await call(createSpace, org, { body: {} });
      expect(await count()).toBe(1);
      await call(deleteSpace, { spaceId: id });
      expect(await count()).toBe(0);
    },
  },
  {
    of: 'team',
    fields: ['title', 'members'],
    run: async (bench) => {
      const { id } = await bench.call(teams.createTeam, bench.org, {
        body: { title: 'Writers', members: [] },
      });
      const at = { ...bench.org, teamId: id };
      const read = [teams.listTeams, bench.org, ({ items }: { items: object[] }) => items[0]] as const;
      await setAndSee(bench, [teams.updateTeam, at], { title: 'Authors' }, read);
      const before = (await bench.call(teams.getTeam, at)).members;
      await bench.call(addTeamMember, { ...at, userId: 'usr_edit' }, { body: {} });
      expect((await bench.call(teams.getTeam, at)).members).toBe(before + 1);
      expect((await bench.call(members.getMember, { ...bench.org, userId: 'usr_edit' })).teams).toBe(1);
    },
  },
  {
    of: 'member',
    fields: ['teams'],
    run: async ({ call, org }) => {
      await call(teams.createTeam, org, { body: { title: 'Writers', members: ['usr_edit'] } });
      expect((await call(members.getMember, { ...org, userId: 'usr_edit' })).teams).toBe(1);
    },
  },
  {
    of: 'invite',
    fields: ['role', 'redundant'],
    run: async ({ call, org }) => {
      await call(createInvite, org, { body: { role: 'review' } });
      expect((await call(listInvites, org)).items).toMatchObject([{ role: 'review', redundant: true }]);
    },
  },
];
