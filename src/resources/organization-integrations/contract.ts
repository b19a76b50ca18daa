import { listOf, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, oneOf, Type } from '../../contract/schema.ts';
import {
  InstallationStatus,
  Integration,
  integrationColumns,
  integrationFilters,
} from '../integrations/contract.ts';

export const nounHelp: NounHelp = {
  description:
    'An organization can install the public integrations, and those that it publishes itself. The status of an installed integration is "active", or "pending" until its required settings have values.',
  examples: ['docsctl orgs integrations list', 'docsctl orgs integrations status slack'],
};

export const listOrganizationIntegrations = operation({
  id: 'orgs.integrations.list',
  route: 'GET /orgs/:organizationId/integrations',
  summary: 'List the integrations that an organization can install or has installed',
  description:
    'Lists the public integrations, those that the organization publishes, and those that it has installed.',
  access: 'org.read',
  query: integrationFilters,
  returns: listOf(Integration),
  cli: {
    columns: integrationColumns,
    examples: ['docsctl orgs integrations list', 'docsctl orgs integrations list --search slack'],
  },
});

export const listStatuses = operation({
  id: 'orgs.integrations.statuses',
  route: 'GET /orgs/:organizationId/integrations/installations-status',
  summary: 'List the installed integrations of an organization with their status',
  access: 'org.read',
  query: {
    target: Type.Optional(
      oneOf(['organization', 'space', 'site'], {
        default: 'organization',
        description:
          'organization: status in the organization; space or site: only integrations that are installed on one; active if any of these installations is active (default: organization)',
      }),
    ),
  },
  returns: listOf(closed({ status: InstallationStatus, integration: Integration })),
  cli: {
    columns: ['integration.title', 'integration.name', 'status'],
    examples: ['docsctl orgs integrations statuses', 'docsctl orgs integrations statuses --target space'],
  },
});

export const getStatus = operation({
  id: 'orgs.integrations.status',
  route: 'GET /orgs/:organizationId/integrations/:integrationName/installation_status',
  summary: 'Show the status of an installed integration',
  description:
    'The status is active, or pending until its required settings have values. Exits with 5 if the organization has not installed the integration.',
  access: 'org.read',
  returns: ok(closed({ status: InstallationStatus })),
  cli: { columns: ['status'], examples: ['docsctl orgs integrations status slack'] },
});
