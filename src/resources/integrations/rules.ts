import { organizationScope, roleIn } from '../../core/authorize.ts';
import type { Caller } from '../../core/callers.ts';
import type { ResourceScope } from '../../core/handler.ts';
import { listPage, type Page, type PageQuery } from '../../core/listing.ts';
import { can } from '../../core/permissions.ts';
import { installations, type InstallationRow, type IntegrationRow } from '../../core/rows/integrations.ts';
import { members, organizations } from '../../core/rows/organizations.ts';
import { eachRow, findOne, type ReadTransaction, type Table } from '../../core/store.ts';
import { notFound, Problem } from '../../errors/problem.ts';

/** The organization that is to publish, by id or subdomain, where the caller administers it. */
export async function publisherOf(
  view: ReadTransaction,
  caller: Caller,
  context: string,
): Promise<ResourceScope> {
  const missing = () => notFound('organization', context);
  const id =
    (await view.get(organizations, context))?.id ??
    (await findOne(view, organizations, 'byHostname', [context]))?.id;
  if (id === undefined) throw missing();
  const place = await organizationScope(view, caller, id, missing);
  if (!can(place.role, 'admin'))
    throw new Problem(
      'forbidden',
      'Only an administrator of an organization publishes an integration for it.',
      { hint: 'Ask one of them.' },
    );
  return place;
}

/** Organizations of the caller's; undefined for the owner of a store, who has them all. */
export async function organizationsOf(
  view: ReadTransaction,
  caller: Caller,
): Promise<ReadonlySet<string> | undefined> {
  if (caller.owner) return undefined;
  const ids = new Set<string>();
  for await (const { organization, disabled } of eachRow(view, members, 'byUser', [caller.user.id]))
    if (!disabled && (caller.organization === null || caller.organization === organization))
      ids.add(organization);
  return ids;
}

type IntegrationContext = {
  readonly tx: ReadTransaction;
  readonly caller: Caller;
  readonly integration: IntegrationRow;
  readonly role: ResourceScope['role'];
};

/** Installations of an integration whose settings the caller may see; undefined for all, as who publishes it does. */
export async function visibleInstallations({
  tx,
  caller,
  integration,
  role,
}: IntegrationContext): Promise<readonly InstallationRow[] | undefined> {
  const ids = can(role, 'admin') ? undefined : await organizationsOf(tx, caller);
  if (ids === undefined) return undefined;
  const found: InstallationRow[] = [];
  for (const id of ids) {
    const row = await findOne(tx, installations, 'byPlace', [integration.id, id]);
    if (row !== undefined && can((await roleIn(tx, caller, id)) ?? null, 'read')) found.push(row);
  }
  return found;
}

/** One page of the spaces or sites of an integration that the caller may see. */
export async function listPlaces<
  R extends { readonly id: string; readonly installation: string; readonly externalIds: readonly string[] },
  T,
>(
  context: IntegrationContext,
  table: Table<R, 'byInstallation' | 'byIntegration'>,
  query: PageQuery & { readonly externalId?: string },
  shape: (row: R) => Promise<T>,
): Promise<Page<T>> {
  const seen = await visibleInstallations(context);
  if (seen?.length === 0) return { count: 0, items: [] };
  const only = seen?.length === 1 ? seen[0]!.id : undefined;
  const ids = seen === undefined || only !== undefined ? undefined : new Set(seen.map(({ id }) => id));
  const { externalId } = query;
  const keep = (row: R): boolean =>
    (ids === undefined || ids.has(row.installation)) &&
    (externalId === undefined || row.externalIds.includes(externalId));
  return listPage(
    context.tx,
    {
      table,
      ...(only === undefined
        ? { index: 'byIntegration' as const, equals: [context.integration.id] }
        : { index: 'byInstallation' as const, equals: [only] }),
      filter: ids === undefined && externalId === undefined ? undefined : keep,
    },
    query,
    shape,
  );
}
