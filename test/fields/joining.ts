import { expect } from 'vitest';
import * as agentInstructions from '../../src/resources/agent-instructions/contract.ts';
import { listAuditEvents } from '../../src/resources/audit/contract.ts';
import { createChangeRequest, getChangeRequest } from '../../src/resources/change-requests/contract.ts';
import * as collections from '../../src/resources/collections/contract.ts';
import { ingestBatch, listConversations } from '../../src/resources/conversations/contract.ts';
import { listOrganizationsOfDomain } from '../../src/resources/email-domains/contract.ts';
import { listInvites } from '../../src/resources/invites/contract.ts';
import * as members from '../../src/resources/members/contract.ts';
import * as orgs from '../../src/resources/organizations/contract.ts';
import { setPermissions } from '../../src/resources/permissions/collection/contract.ts';
import { listSiteRedirects, upsertSiteRedirects } from '../../src/resources/site-redirects/contract.ts';
import { createSite } from '../../src/resources/sites/contract.ts';
import * as spaces from '../../src/resources/spaces/contract.ts';
import { addTeamMember, listTeamMembers } from '../../src/resources/team-members/contract.ts';
import { createTeam, updateTeam } from '../../src/resources/teams/contract.ts';
import type { Who } from '../support/world.ts';
import { roles, type Bench, type Try } from './bench.ts';
import { trustDomains } from '../support/trust-domains.ts';

const newCollection = async ({ call, org }: Bench, title: string) =>
  (await call(collections.createCollection, org, { body: { title } })).id;
const eventOf = async ({ call, org }: Bench, action: string) =>
  (await call(listAuditEvents, org, { query: { details: true, action } })).items[0];

export const tries: readonly Try[] = [
  {
    of: 'agent-instructions',
    fields: ['instructions', 'updatedAt', 'updatedBy'],
    run: async (bench) => {
      const { call, org } = bench;
      const look = () => call(agentInstructions.getAgentInstructions, org, {}, 'read');
      const before = await look();
      const { createdAt } = await call(orgs.getOrganization, org);
      expect([before.instructions.nodes, before.updatedAt]).toEqual([[], createdAt]);
      const first = { object: 'leaf', marks: [], text: 'Be brief.' };
      const paragraph = { object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves: [first] }] };
      const instructions = { object: 'document', data: {}, nodes: [paragraph] };
      await call(members.updateMember, { ...org, userId: 'usr_create' }, { body: { role: 'admin' } });
      await call(agentInstructions.updateAgentInstructions, org, { body: { instructions } }, 'create');
      const event = await eventOf(bench, 'agent-instructions.update');
      expect(await look()).toMatchObject({
        instructions,
        updatedAt: event?.occurredAt,
        updatedBy: event?.actor.id,
      });
      expect(event?.actor.id).toBe('usr_create');
    },
  },
  {
    of: 'audit-event',
    fields: ['payload.relatedCount', 'payload.counts'],
    run: async (bench) => {
      const { call, org } = bench;
      const site = { ...org, siteId: (await call(createSite, org, { body: { title: 'Docs' } })).id };
      const upsert = async (from: number, count: number) => {
        const redirects = Array.from({ length: count }, (_, index) => ({
          source: `/old/${from + index}`,
          destination: { kind: 'external', url: 'https://example.com/' },
        }));
        await call(upsertSiteRedirects, site, { body: { redirects } });
        return (await eventOf(bench, 'sites.redirects.upsert'))?.payload;
      };
      expect(await upsert(0, 5)).not.toHaveProperty('relatedCount');
      const payload = await upsert(5, 30);
      expect((await call(listSiteRedirects, site)).count).toBe(35);
      expect([payload?.related?.length, payload?.relatedCount]).toEqual([20, 29]);
      expect(payload).not.toHaveProperty('counts');
      const conversations = ['a', 'b', 'c'].map((id) => ({ id, parts: [] }));
      await call(ingestBatch, org, { body: { conversations } });
      const { count } = await call(listConversations, org);
      const ingest = await eventOf(bench, 'conversations.ingest-batch');
      expect(ingest?.payload?.counts).toMatchObject({ conversation: { added: count, removed: 0 } });
    },
  },
  {
    of: 'collection',
    fields: ['parent', 'organization', 'urls.app'],
    run: async (bench) => {
      const { call, org } = bench;
      const [parent, id] = [await newCollection(bench, 'Product'), await newCollection(bench, 'Guides')];
      const spaceId = (await call(spaces.createSpace, org, { body: { title: 'Guide', parent: id } })).id;
      const listed = async (organizationId: string, query: object, who: Who = 'admin') =>
        (await call(collections.listCollections, { organizationId }, { query }, who)).items;
      expect((await listed('org_acme', { nested: false })).map((one) => one.id)).toEqual([parent, id]);
      await call(collections.moveCollection, { collectionId: id }, { body: { parent } });
      expect((await listed('org_acme', { nested: false })).map((one) => one.id)).toEqual([parent]);
      expect((await listed('org_acme', {})).find((one) => one.id === id)?.parent).toBe(parent);
      await call(members.inviteMembers, { organizationId: 'org_other' }, inviteAdmin, 'outsider');
      const body = { organization: 'org_other' };
      await call(collections.transferCollection, { collectionId: id }, { body });
      expect(await listed('org_other', {}, 'outsider')).toMatchObject([{ id, organization: 'org_other' }]);
      expect((await listed('org_other', {}, 'outsider'))[0]).not.toHaveProperty('parent');
      const app = `http://localhost:8080/o/org_other/c/${id}`;
      expect(await listed('org_other', {}, 'outsider')).toMatchObject([{ urls: { app } }]);
      expect((await call(spaces.getSpace, { spaceId }, {}, 'outsider')).organization).toBe('org_other');
      expect(await bench.reason(collections.getCollection, { collectionId: id }, {}, 'read')).toBe(
        'not-found',
      );
    },
  },
  ...(['space', 'change-request'] as const).map((of) => ({
    of,
    fields: ['urls.app'],
    run: async ({ call, org }: Bench) => {
      const spaceId = (await call(spaces.createSpace, org, { body: { title: 'Guide' } })).id;
      const { id: changeRequestId } = await call(createChangeRequest, { spaceId }, { body: {} });
      await call(members.inviteMembers, { organizationId: 'org_other' }, inviteAdmin, 'outsider');
      await call(spaces.transferSpace, { spaceId }, { body: { organization: 'org_other' } });
      const app = `http://localhost:8080/o/org_other/s/${spaceId}`;
      const found =
        of === 'space'
          ? await call(spaces.getSpace, { spaceId })
          : await call(getChangeRequest, { spaceId, changeRequestId });
      expect(found.urls.app).toBe(of === 'space' ? app : `${app}/~/changes/1`);
    },
  })),
  {
    of: 'collection',
    fields: ['permissions.view', 'permissions.viewInviteLinks'],
    run: async (bench) => {
      const { call, org } = bench;
      const at = { collectionId: await newCollection(bench, 'Product') };
      const may = async (who: Who) =>
        (await call(collections.listCollections, org, {}, who)).items[0]?.permissions;
      expect(await may('guest')).toBeUndefined();
      const body = { role: 'admin', users: ['usr_guest', 'usr_read'] };
      await call(setPermissions, at, { body });
      // An administrator of the collection is not an administrator of the organization, and cannot list invite links.
      for (const who of roles) {
        const [view, invites] = [
          await bench.reason(collections.getCollection, at, {}, who),
          await bench.reason(listInvites, org, {}, who),
        ];
        expect([who, await may(who)]).toMatchObject([
          who,
          { view: view === 'done', viewInviteLinks: invites === 'done' },
        ]);
      }
      expect(await may('guest')).toMatchObject({ view: true, admin: true, viewInviteLinks: false });
    },
  },
  {
    of: 'member',
    fields: ['id', 'user', 'joinedAt'],
    run: async (bench) => {
      const { call, org } = bench;
      const joined = async () => (await call(members.listMembers, org, { query: { limit: 1 } })).items[0];
      const before = await joined();
      const emails = ['dan@example.com'];
      const { users } = await call(members.inviteMembers, org, { body: { emails, role: 'edit' } });
      const dan = await joined();
      expect(dan).toMatchObject({ id: users[0], role: 'edit', user: { id: users[0], email: emails[0] } });
      expect((dan?.joinedAt ?? '') > (before?.joinedAt ?? '')).toBe(true);
      await call(orgs.updateOrganization, org, {
        body: { emailDomains: ['acme.test'], defaultRole: 'read' },
      });
      await trustDomains(bench.world.core);
      await call(orgs.joinOrganization, org, {}, 'outsider');
      const outsider = await joined();
      expect(outsider).toMatchObject({ id: 'usr_outsider', user: { email: 'outsider@acme.test' } });
      expect((outsider?.joinedAt ?? '') > (dan?.joinedAt ?? '')).toBe(true);
      await call(members.deleteMember, { ...org, userId: 'usr_outsider' });
      expect((await joined())?.id).toBe(dan?.id);
    },
  },
  {
    of: 'members.invite',
    fields: ['users', 'invited'],
    run: async ({ call, org }) => {
      const ids = async () => (await call(members.listMembers, org)).items.map(({ id }) => id);
      const before = await ids();
      const emails = ['read@acme.test', 'dan@example.com', { email: 'eva@example.com', role: null }];
      const { users, invited } = await call(members.inviteMembers, org, { body: { emails } });
      const added = (await ids()).filter((id) => !before.includes(id));
      expect([invited, [...users].sort()]).toEqual([2, added.sort()]);
    },
  },
  {
    of: 'members.teams',
    fields: ['team', 'member.role'],
    run: async ({ call, reason, org }) => {
      const { id } = await call(createTeam, org, { body: { title: 'Writers', members: [] } });
      const at = { ...org, teamId: id, userId: 'usr_read' };
      const look = async () => (await call(members.listMemberTeams, at)).items;
      const rename = (title: string) => reason(updateTeam, at, { body: { title } }, 'read');
      expect(await look()).toEqual([]);
      await call(addTeamMember, at, { body: {} });
      expect(await look()).toMatchObject([{ team: { id, title: 'Writers' }, member: { role: 'member' } }]);
      expect(await rename('Authors')).toBe('forbidden');
      await call(addTeamMember, at, { body: { role: 'owner' } });
      expect(await rename('Authors')).toBe('done');
      expect(await look()).toMatchObject([{ team: { title: 'Authors' }, member: { role: 'owner' } }]);
      expect((await call(listTeamMembers, at)).items.map(({ team }) => team.role)).toContain('owner');
    },
  },
  {
    of: 'email-domains.orgs',
    fields: ['organizations'],
    run: async ({ call, org, world }) => {
      const look = async (emailDomain: string, who: Who) =>
        (await call(listOrganizationsOfDomain, { emailDomain }, {}, who)).organizations.map(({ id }) => id);
      expect(await look('example.com', 'read')).toEqual([]);
      await call(orgs.updateOrganization, org, { body: { emailDomains: ['example.com', 'acme.test'] } });
      await trustDomains(world.core);
      expect(await look('example.com', 'read')).toEqual(['org_acme']);
      // Only users of the domain can find out that they may join.
      expect([await look('example.com', 'outsider'), await look('acme.test', 'outsider')]).toEqual([
        [],
        ['org_acme'],
      ]);
      await call(orgs.updateOrganization, org, { body: { emailDomains: [] } });
      expect(await look('acme.test', 'outsider')).toEqual([]);
    },
  },
];

const inviteAdmin = { body: { emails: [{ email: 'admin@acme.test', role: 'admin' }] } };
