import { listOf, operation } from '../../contract/operation.ts';
import { closed } from '../../contract/schema.ts';
import { Installation } from '../integration-installations/contract.ts';
import { Integration } from '../integrations/contract.ts';
import { search } from '../integrations/parts/contract.ts';

export const listOrganizationInstallations = operation({
  id: 'orgs.installations',
  route: 'GET /orgs/:organizationId/installations',
  summary: 'List the installations of an organization with their integrations',
  access: 'org.read',
  query: {
    search: {
      ...search,
      description: 'only installations of integrations whose name or title contains this text',
    },
  },
  returns: listOf(closed({ installation: Installation, integration: Integration })),
  cli: {
    columns: [
      'integration.title',
      'integration.name',
      'installation.status',
      'installation.spaces',
      'installation.updatedAt',
      'installation.id',
    ],
    examples: ['docsctl orgs installations', 'docsctl orgs installations --search slack'],
  },
});
