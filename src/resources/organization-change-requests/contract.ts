import { listOf, operation } from '../../contract/operation.ts';
import { Type } from '../../contract/schema.ts';
import { changeRequestColumns } from '../change-requests/columns.ts';
import { ChangeRequest, changeRequestFilters, idFilter, Status } from '../change-requests/contract.ts';

export const listOrganizationChangeRequests = operation({
  id: 'orgs.change-requests',
  route: 'GET /orgs/:organizationId/change-requests',
  summary: 'List the change requests of every space of an organization',
  access: 'org.member',
  query: {
    status: Type.Optional(
      Type.Array(Status, {
        maxItems: 4,
        default: ['open'],
        description: 'only change requests with these statuses (default: open)',
      }),
    ),
    space: idFilter('only change requests of this space'),
    id: idFilter('only the change request with this ID, if it has one of the chosen statuses'),
    ...changeRequestFilters,
  },
  returns: listOf(ChangeRequest),
  cli: {
    columns: [...changeRequestColumns, 'space'],
    examples: ['docsctl orgs change-requests --status open,draft'],
  },
});
