import { organizationScope, roleIn } from '../../core/authorize.ts';
import { isActiveFor, needsSignIn } from '../../core/membership.ts';
import type { Caller } from '../../core/callers.ts';
import type { RequestContext, ResourceScope } from '../../core/handler.ts';
import { listPage, type Page, type PageQuery } from '../../core/listing.ts';
import { missingRole } from '../../core/missing-role.ts';
import { can } from '../../core/permissions.ts';
import {
  installations,
  pendingScopes,
  type InstallationRow,
  type IntegrationRow,
} from '../../core/rows/integrations.ts';
import { members, organizations } from '../../core/rows/organizations.ts';
import {
  collectRows,
  eachRow,
  findOne,
  type ReadTransaction,
  type Table,
  type WriteTransaction,
} from '../../core/store.ts';
import { notFound } from '../../errors/problem.ts';

/**
 * Returns the organization that publishes an integration, by id or subdomain.
 *
 * @throws Problem(not-found) if the caller is not a member of it; Problem(forbidden) if the caller is not an administrator
 */
export async function publisherOf(
  view: ReadTransaction,
  caller: Caller,
  idOrSubdomain: string,
): Promise<ResourceScope> {
  const missing = () => notFound('organization', idOrSubdomain);
  const row =
    (await view.get(organizations, idOrSubdomain)) ??
    (await findOne(view, organizations, 'byHostname', [idOrSubdomain]));
  if (row === undefined) throw missing();
  const scope = await organizationScope(view, caller, row.id, missing);
  if (!can(scope.role, 'admin'))
    throw missingRole(scope, {
      action: 'publish an integration',
      level: 'admin',
      place: 'in the organization that publishes it',
    });
  return scope;
}

/** Whether the operator of the server has verified the current version of an integration. */
export function isVerified({
  version,
  verifiedVersion,
}: Pick<IntegrationRow, 'version' | 'verifiedVersion'>): boolean {
  return verifiedVersion === version;
}

/**
 * Stores the scopes that other organizations agreed to, before a new version of an integration changes its scopes. Installations
 * from earlier versions of docsctl do not store them. Returns the number of installations that lack scopes of the new version.
 */
export async function keepAgreedScopes(
  tx: WriteTransaction,
  { id, organization, scopes }: IntegrationRow,
  published: IntegrationRow,
): Promise<number> {
  let pending = 0;
  for (const row of await collectRows(tx, installations, 'byIntegration', [id])) {
    if (row.organization === organization) continue;
    const kept = row.scopes === undefined ? await tx.update(installations, row.id, { scopes }) : row;
    if (pendingScopes(published, kept).length > 0) pending++;
  }
  return pending;
}

/** Returns the ids of the caller's organizations; undefined for the owner of a store, who belongs to all of them. */
export async function organizationsOf(
  view: ReadTransaction,
  caller: Caller,
): Promise<ReadonlySet<string> | undefined> {
  if (caller.owner) return undefined;
  const ids = new Set<string>();
  for await (const row of eachRow(view, members, 'byUser', [caller.user.id]))
    if (isActiveFor(caller, row) && !(await needsSignIn(view, caller, row))) ids.add(row.organization);
  return ids;
}

/** The context of a call on an integration. `role` is the caller's role in the publishing organization. */
export type IntegrationContext = Pick<RequestContext, 'caller'> &
  Pick<ResourceScope, 'role'> & {
    readonly tx: ReadTransaction;
    readonly integration: IntegrationRow;
  };

/** Returns the installations whose settings the caller may see; undefined for all installations, which the publisher may see. */
export async function listVisibleInstallations({
  tx,
  caller,
  integration,
  role,
}: IntegrationContext): Promise<readonly InstallationRow[] | undefined> {
  const own = caller.integration?.installation;
  if (own !== undefined) return own.integration === integration.id ? [own] : [];
  const ids = can(role, 'admin') ? undefined : await organizationsOf(tx, caller);
  if (ids === undefined) return undefined;
  const found: InstallationRow[] = [];
  for (const id of ids) {
    const row = await findOne(tx, installations, 'byPlace', [integration.id, id]);
    if (row !== undefined && can((await roleIn(tx, caller, id)) ?? null, 'read')) found.push(row);
  }
  return found;
}

interface TargetInstallation {
  readonly id: string;
  readonly installation: string;
  readonly externalIds: readonly string[];
}

/** Returns one page of the spaces or sites that an integration is installed on and that the caller may see. */
export async function listTargetInstallations<R extends TargetInstallation, T>(
  context: IntegrationContext,
  table: Table<R, 'byInstallation' | 'byIntegration'>,
  query: PageQuery & { externalId?: string },
  shape: (row: R) => Promise<T>,
): Promise<Page<T>> {
  const visible = await listVisibleInstallations(context);
  if (visible?.length === 0) return { count: 0, items: [] };
  const { externalId } = query;
  const hasExternalId = (row: R) => externalId === undefined || row.externalIds.includes(externalId);
  const filter = externalId === undefined ? undefined : hasExternalId;
  const ids = visible?.map(({ id }) => id);
  const selection =
    ids?.length === 1
      ? { index: 'byInstallation' as const, equals: ids, filter }
      : {
          index: 'byIntegration' as const,
          equals: [context.integration.id],
          filter:
            ids === undefined ? filter : (row: R) => ids.includes(row.installation) && hasExternalId(row),
        };
  return listPage(context.tx, { table, ...selection }, query, shape);
}
