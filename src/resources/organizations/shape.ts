import type { Static } from '../../contract/schema.ts';
import type { ReadContext } from '../../core/handler.ts';
import { can, type EffectiveRole } from '../../core/permissions.ts';
import type { OrganizationRow } from '../../core/rows/organizations.ts';
import { defined } from '../../contract/values.ts';
import type { Organization } from './contract.ts';
import { teamMembers } from '../../core/rows/teams.ts';

/** The user for whom an organization is shaped; undefined for a user who is not a member. */
export type Viewer = { readonly user: string; readonly role: EffectiveRole } | undefined;

/** Returns an organization in the form of the API. */
export async function shapeOrganization(
  { tx, url }: ReadContext,
  row: OrganizationRow,
  viewer: Viewer,
): Promise<Static<typeof Organization>> {
  const role = viewer?.role ?? null;
  const [admin, create, read] = [can(role, 'admin'), can(role, 'create'), can(role, 'read')];
  const ownTeam =
    viewer !== undefined && (await tx.count(teamMembers, 'byUserRole', [row.id, viewer.user, 'owner'])) > 0;
  return defined({
    object: 'organization',
    id: row.id,
    title: row.title,
    createdAt: row.createdAt,
    emailDomains: row.emailDomains.slice(),
    hostname: row.hostname,
    type: row.type ?? 'business',
    defaultRole: row.defaultRole,
    defaultContent: row.defaultContent ?? undefined,
    sso: row.sso,
    ai: row.ai,
    inviteLinks: row.inviteLinks,
    plan: row.plan ?? 'free',
    mergeRules: row.mergeRules,
    urls: defined({
      location: url(`/v1/orgs/${row.id}`),
      app: url(`/o/${row.id}`),
      logo: row.logo ?? undefined,
    }),
    trial: row.trial ?? { status: 'none', count: 0 },
    permissions: {
      view: viewer !== undefined,
      admin,
      ownTeam,
      createContent: create,
      createOpenAPISpec: create,
      ingestConversations: create,
      // docsctl has no billing.
      viewBilling: false,
      listMembers: read,
      listTeams: read,
      listIntegrations: read,
      listInstallations: read,
      installIntegration: admin,
    },
  });
}
