import type { Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { siteInstallations, spaceInstallations } from '../../core/rows/installed.ts';
import {
  installations,
  integrations,
  type InstallationRow,
  type InstallationStatus,
} from '../../core/rows/integrations.ts';
import { collectRows, findOne, getExisting, type ReadTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { matchesFilters } from '../integrations/filters.ts';
import { shapeIntegration } from '../integrations/shape.ts';
import type * as contract from './contract.ts';

export const listOrganizationIntegrations: Handler<typeof contract.listOrganizationIntegrations> = (
  context,
  { query },
) => {
  const { tx, organization } = context;
  return listPage(
    tx,
    {
      table: integrations,
      index: 'all',
      equals: [],
      filter: async (row) =>
        matchesFilters(row, query) &&
        (row.visibility === 'public' ||
          row.organization === organization.id ||
          (await findOne(tx, installations, 'byPlace', [row.id, organization.id])) !== undefined),
    },
    query,
    (row) => shapeIntegration(context, row),
  );
};

export const listStatuses: Handler<typeof contract.listStatuses> = (context, { query }) => {
  const { tx, organization } = context;
  const { target = 'organization' } = query;
  return listPage(
    tx,
    {
      table: installations,
      index: 'byOrganization',
      equals: [organization.id],
      filter:
        target === 'organization'
          ? undefined
          : async (row) => (await statusOn(tx, row, target)) !== undefined,
    },
    query,
    async (row) => ({
      status: (target === 'organization' ? undefined : await statusOn(tx, row, target)) ?? row.status,
      integration: await shapeIntegration(context, await getExisting(tx, integrations, row.integration)),
    }),
  );
};

export const getStatus: Handler<typeof contract.getStatus> = async ({ tx, organization }, { params }) => {
  const { integrationName } = params;
  const row = await findOne(tx, installations, 'byPlace', [integrationName, organization.id]);
  if (row === undefined)
    throw new Problem(
      'not-found',
      `The integration "${integrationName}" is not installed in the organization "${organization.title}".`,
      { hint: `List the installed integrations: \`docsctl orgs integrations statuses\`` },
    );
  return { status: row.status };
};

/** Returns the best status of an integration on the spaces or sites of an organization; undefined if it is installed on none. */
async function statusOn(
  view: ReadTransaction,
  { id }: InstallationRow,
  target: 'space' | 'site',
): Promise<InstallationStatus | undefined> {
  const rows =
    target === 'space'
      ? await collectRows(view, spaceInstallations, 'byInstallation', [id])
      : await collectRows(view, siteInstallations, 'byInstallation', [id]);
  const statuses = new Set(rows.map(({ status }) => status));
  return (['active', 'paused', 'pending'] as const).find((status) => statuses.has(status));
}
