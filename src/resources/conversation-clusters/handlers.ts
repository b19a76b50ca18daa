import type { Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import type * as contract from './contract.ts';
import { clusterOf } from './rules.ts';
import { shapeCluster } from './shape.ts';
import { clusters } from '../conversation-issues/rows.ts';

const indexes = { updatedAt: 'byUpdate', issues: 'byIssues', conversations: 'byConversations' } as const;

export const listClusters: Handler<typeof contract.listClusters> = (context, { query }) => {
  const { order = 'desc', orderBy = 'updatedAt' } = query;
  return listPage(
    context.tx,
    { table: clusters, index: indexes[orderBy], equals: [context.organization.id], order },
    query,
    (row) => shapeCluster(context, row),
  );
};

export const getCluster: Handler<typeof contract.getCluster> = async (context, { params }) =>
  shapeCluster(context, await clusterOf(context.tx, context.organization.id, params.clusterId));

export const updateCluster: Handler<typeof contract.updateCluster> = async (context, { params, body }) => {
  const { tx, organization, now } = context;
  const row = await clusterOf(tx, organization.id, params.clusterId);
  const { muted = row.muted } = body;
  return shapeCluster(
    context,
    muted === row.muted ? row : await tx.update(clusters, row.id, { muted, updatedAt: now }),
  );
};
