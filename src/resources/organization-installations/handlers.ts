import type { Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { installations, integrations, type InstallationRow } from '../../core/rows/integrations.ts';
import { getExisting } from '../../core/store.ts';
import { shapeInstallation } from '../integration-installations/shape.ts';
import { matchesSearch } from '../integrations/filters.ts';
import { shapeIntegration } from '../integrations/shape.ts';
import type * as contract from './contract.ts';

export const listOrganizationInstallations: Handler<typeof contract.listOrganizationInstallations> = (
  context,
  { query },
) => {
  const { tx, organization } = context;
  const { search } = query;
  const integrationOf = ({ integration }: InstallationRow) => getExisting(tx, integrations, integration);
  return listPage(
    tx,
    {
      table: installations,
      index: 'byOrganization',
      equals: [organization.id],
      filter:
        search === undefined ? undefined : async (row) => matchesSearch(await integrationOf(row), search),
    },
    query,
    async (row) => {
      const integration = await integrationOf(row);
      return {
        installation: await shapeInstallation(context, integration, row),
        integration: await shapeIntegration(context, integration),
      };
    },
  );
};
