import type { Handler } from '../../core/handler.ts';
import { listPage, pageOfArray } from '../../core/listing.ts';
import { visibleTo } from '../../core/permissions.ts';
import { changeRequests, type ChangeRequestRow } from '../../core/rows/change-requests.ts';
import { spaces } from '../../core/rows/spaces.ts';
import { getExisting } from '../../core/store.ts';
import { createFilter } from '../change-requests/filters.ts';
import { shapeChangeRequest } from '../change-requests/shape.ts';
import type * as contract from './contract.ts';

export const listOrganizationChangeRequests: Handler<typeof contract.listOrganizationChangeRequests> = async (
  context,
  { query },
) => {
  const { tx, organization } = context;
  const statuses = new Set(query.status ?? ['open']);
  const [status] = statuses;
  const suffix = query.orderBy === 'createdAt' ? 'Created' : '';
  const filtered = createFilter(tx, query);
  const isVisible = visibleTo(tx, context);
  const keep = async (row: ChangeRequestRow) => {
    if (!statuses.has(row.status)) return false;
    const space = await tx.get(spaces, row.space);
    // A deleted space hides its change requests until it is restored or removed.
    if (space?.state !== 'live' || !((await isVisible?.(space)) ?? true)) return false;
    return (query.space === undefined || row.space === query.space) && ((await filtered?.(row)) ?? true);
  };
  const shape = async (row: ChangeRequestRow) =>
    shapeChangeRequest(context, row, await getExisting(tx, spaces, row.space));
  if (query.id !== undefined) {
    const row = await tx.get(changeRequests, query.id);
    const isFound = row?.organization === organization.id && (await keep(row));
    const page = pageOfArray(isFound ? [row] : [], query);
    return { ...page, items: await Promise.all(page.items.map(shape)) };
  }
  const selection =
    status !== undefined && statuses.size === 1
      ? ({ index: `byOrganization${suffix}`, equals: [organization.id, status] } as const)
      : ({ index: `byOrganizationAny${suffix}`, equals: [organization.id] } as const);
  return listPage(tx, { table: changeRequests, ...selection, order: 'desc', filter: keep }, query, shape);
};
