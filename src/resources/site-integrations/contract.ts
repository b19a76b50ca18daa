import { listOf, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { Type } from '../../contract/schema.ts';
import { Integration } from '../integrations/contract.ts';
import { installedColumns, search } from '../integrations/parts/contract.ts';
import { SiteScript } from '../site-structure/contract.ts';

export const nounHelp: NounHelp = {
  description:
    'An integration works on a site if it is installed on the site. If it has the scope site:script:inject, it adds a script to the pages of the site.',
  examples: ['docsctl sites integrations list Docs', 'docsctl sites integrations scripts Docs'],
};

export const listSiteIntegrations = operation({
  id: 'sites.integrations.list',
  route: 'GET /orgs/:organizationId/sites/:siteId/integrations',
  summary: 'List the integrations that are installed on a site',
  access: 'site.read',
  query: { search },
  returns: listOf(Integration),
  cli: {
    columns: installedColumns,
    examples: ['docsctl sites integrations list Docs'],
  },
});

export const listSiteScripts = operation({
  id: 'sites.integrations.scripts',
  route: 'GET /orgs/:organizationId/sites/:siteId/integration-scripts',
  summary: 'List the scripts that integrations add to the pages of a site',
  description:
    'The URL of a script returns JavaScript that the integration makes for the site. Anyone can request this URL without a token. Scripts of integrations with the scope site:script:cookies may set cookies.',
  access: 'site.read',
  returns: ok(Type.Array(SiteScript)),
  cli: { columns: ['script', 'cookies'], examples: ['docsctl sites integrations scripts Docs'] },
});
