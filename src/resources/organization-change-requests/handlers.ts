import type { Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { changeRequests, type ChangeRequestRow } from '../../core/rows/change-requests.ts';
import { spaces } from '../../core/rows/spaces.ts';
import { createFilter } from '../change-requests/filters.ts';
import { shapeChangeRequest } from '../change-requests/shape.ts';
import type * as contract from './contract.ts';

export const listOrganizationChangeRequests: Handler<typeof contract.listOrganizationChangeRequests> = async (
  context,
  { query },
) => {
  const { tx, organization } = context;
  const statuses = [...new Set(query.status ?? ['open'])];
  const created = query.orderBy === 'createdAt';
  const one = statuses.length === 1;
  const filtered = createFilter(tx, query);
  const keep = async (row: ChangeRequestRow) => {
    if (!one && statuses.length > 0 && !statuses.includes(row.status)) return false;
    // Those of a deleted space wait, unseen, for its end or its return.
    if ((await tx.get(spaces, row.space))?.state !== 'live') return false;
    return (query.space === undefined || row.space === query.space) && ((await filtered?.(row)) ?? true);
  };
  const index = one
    ? created
      ? 'byOrganizationCreated'
      : 'byOrganization'
    : created
      ? 'byOrganizationAnyCreated'
      : 'byOrganizationAny';
  const equals = one ? [organization.id, statuses[0]!] : [organization.id];
  return listPage(
    tx,
    { table: changeRequests, index, equals, order: 'desc', filter: keep },
    query,
    async (row) => shapeChangeRequest(context, row, (await tx.get(spaces, row.space))!),
  );
};
