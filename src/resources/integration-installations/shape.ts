import type { Static } from '../../contract/schema.ts';
import type { ReadContext, RequestContext } from '../../core/handler.ts';
import {
  agreedScopes,
  pendingScopes,
  type InstallationRow,
  type IntegrationRow,
} from '../../core/rows/integrations.ts';
import { shownSettings } from '../integrations/shape.ts';
import type { Installation } from './contract.ts';
import { spaceInstallations } from '../../core/rows/installed.ts';

/** Returns an installation in the form of the API. */
export async function shapeInstallation(
  context: ReadContext & Pick<RequestContext, 'caller'>,
  integration: IntegrationRow,
  row: InstallationRow,
): Promise<Static<typeof Installation>> {
  const { tx, url } = context;
  const location = url(`/v1/integrations/${row.integration}/installations/${row.id}`);
  return {
    id: row.id,
    status: row.status,
    space_selection: row.spaceSelection,
    site_selection: row.siteSelection,
    scopes: [...agreedScopes(integration, row)] as Static<typeof Installation>['scopes'],
    pendingScopes: [...pendingScopes(integration, row)] as Static<typeof Installation>['scopes'],
    spaces: await tx.count(spaceInstallations, 'byInstallation', [row.id]),
    ...(await shownSettings(context, [row.organization, integration.organization], row.configuration)),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    urls: {
      location,
      app: url(`/o/${row.organization}/integrations/${row.integration}`),
      publicEndpoint: `${location}/integration`,
    },
    externalIds: [...row.externalIds],
    target: { organization: row.organization },
  };
}
