import type { Static } from '../../contract/schema.ts';
import { subjectOf } from '../../core/authorize.ts';
import type { Handler } from '../../core/handler.ts';
import { explainRole, type RoleReason } from '../../core/permissions.ts';
import { sites, type SiteRow } from '../../core/rows/sites.ts';
import { collections, spaces, type CollectionRow, type SpaceRow } from '../../core/rows/spaces.ts';
import { teams } from '../../core/rows/teams.ts';
import { getExisting, type ReadTransaction } from '../../core/store.ts';
import { invalid, notFound } from '../../errors/problem.ts';
import { requireMember } from '../members/rules.ts';
import type * as contract from './contract.ts';

export const explainAccess: Handler<typeof contract.explainAccess> = async (context, { params, query }) => {
  const { tx, organization } = context;
  const member = await requireMember(tx, organization.id, params.userId);
  const row = await contentOf(tx, organization.id, query);
  const { role, reason, overridden } = await explainRole(
    tx,
    await subjectOf(tx, organization, member, 'admin'),
    row,
  );
  const reasons = [];
  for (const one of [reason, ...overridden]) reasons.push(await shapeReason(tx, one));
  return { object: 'access', user: member.user, role, disabled: member.disabled, reasons };
};

async function contentOf(
  view: ReadTransaction,
  organization: string,
  query: { space?: string; collection?: string; site?: string },
): Promise<SpaceRow | CollectionRow | SiteRow> {
  const [given, ...more] = Object.entries({
    space: query.space,
    collection: query.collection,
    site: query.site,
  }).filter(([, id]) => id !== undefined);
  if (given?.[1] === undefined || more.length > 0)
    throw invalid('/query', 'Exactly one of space, collection and site is needed.', 'Use only one of them.');
  const [type, id] = [given[0], given[1]];
  const row =
    type === 'space'
      ? await view.get(spaces, id)
      : type === 'collection'
        ? await view.get(collections, id)
        : await view.get(sites, id);
  if (row === undefined || row.organization !== organization || ('state' in row && row.state !== 'live'))
    throw notFound(type, id);
  return row;
}

async function shapeReason(
  view: ReadTransaction,
  reason: RoleReason,
): Promise<Static<typeof contract.AccessReason>> {
  const { kind, role } = reason;
  if (!('content' in reason)) return { kind: 'organization', role };
  const { type, id } = reason.content;
  const table = { space: spaces, collection: collections, site: sites }[type] as typeof collections;
  const { title } = await getExisting(view, table, id);
  const content = { type, id, title };
  if (reason.kind !== 'team') return { kind: kind === 'user' ? 'user' : 'default', role, content };
  const team = await getExisting(view, teams, reason.team);
  return { kind: 'team', role, content, team: { id: team.id, title: team.title } };
}
