import { getOwned } from '../../core/store.ts';
import type { Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import type * as contract from './contract.ts';
import { shapeItem } from './shape.ts';
import { issues, type IssueRow } from './rows.ts';

export const listIssues: Handler<typeof contract.listIssues> = (context, { query }) => {
  const { tx, organization } = context;
  const { conversation, cluster, redact } = query;
  const shape = (row: IssueRow) => shapeItem(context, row, redact);
  const common = { table: issues, order: 'desc' } as const;
  if (conversation !== undefined) {
    // A conversation has only a few issues, so a filter is cheap.
    const keep = cluster === undefined ? undefined : (row: IssueRow) => row.cluster === cluster;
    return listPage(
      tx,
      { ...common, index: 'byConversation', equals: [organization.id, conversation], filter: keep },
      query,
      shape,
    );
  }
  if (cluster !== undefined)
    return listPage(tx, { ...common, index: 'byCluster', equals: [organization.id, cluster] }, query, shape);
  return listPage(tx, { ...common, index: 'byOrganization', equals: [organization.id] }, query, shape);
};

export const getIssue: Handler<typeof contract.getIssue> = async (context, { params, query }) => {
  const row = await getOwned(
    context.tx,
    issues,
    params.issueId,
    { organization: context.organization.id },
    'issue',
  );
  return shapeItem(context, row, query.redact);
};
