import { defined } from '../../contract/values.ts';
import type { Resolutions } from '../../content/conflict-resolver.ts';
import type { Context, DeferringHandler, Handler } from '../../core/handler.ts';
import { listPage, pageOfArray } from '../../core/listing.ts';
import { can } from '../../core/permissions.ts';
import { changeRequests } from '../../core/rows/change-requests.ts';
import { revisions } from '../../core/rows/revisions.ts';
import { getExisting } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { checkNotMuted, clusterOf } from '../conversation-clusters/rules.ts';
import { redirectMoved } from '../site-redirects/moves/redirect-moved.ts';
import { createUserLookup } from '../users/user-lookup.ts';
import { applyTemplate } from '../content/apply-template.ts';
import { listSemanticChanges } from '../content/changes/semantic-changes.ts';
import { listLinks } from '../content/links/list-links.ts';
import { createPdfUrl, createPdf } from '../content/pdf/create-pdf.ts';
import type * as contract from './contract.ts';
import { addContribution, listContributions } from './contributions.ts';
import { baseRevisionOf, mergeWithSpace, checkNothingToResolve } from './merge-with-space.ts';
import { refuseBrokenLinks } from './refuse-broken-links.ts';
import { createFilter } from './filters.ts';
import { mergeRequest } from './merge-request.ts';
import { insertChangeRequest } from './new-request.ts';
import { checkUnlocked } from '../../core/check-unlocked.ts';
import { checkActive, setStatus } from './rules.ts';
import { isOutdated, shapeChangeRequest } from './shape.ts';

export const listChangeRequests: Handler<typeof contract.listChangeRequests> = async (context, { query }) => {
  const { tx, space } = context;
  const index = query.orderBy === 'createdAt' ? 'byStatusCreated' : 'byStatus';
  const selection = {
    table: changeRequests,
    index,
    equals: [space.id, query.status ?? 'open'],
    order: 'desc',
    filter: createFilter(tx, query),
  } as const;
  return listPage(tx, selection, query, (row) => shapeChangeRequest(context, row, space));
};

export const createChangeRequest: Handler<typeof contract.createChangeRequest> = async (
  context,
  { body },
) => {
  const { tx, space, organization } = context;
  const cluster = body.conversationsIssuesCluster;
  // Callers without the role read cannot see clusters. They get an empty list because the organization is undefined.
  if (cluster !== undefined)
    checkNotMuted(await clusterOf(tx, can(context.memberRole, 'read') ? organization.id : '', cluster));
  const { template } = body;
  if (template !== undefined) checkUnlocked(space);
  const revision =
    template === undefined
      ? space.revision
      : await applyTemplate(context, { base: space.revision, space, template });
  const row = await insertChangeRequest(context, space, {
    subject: body.subject ?? '',
    base: space.revision,
    revision,
    conversationsIssuesCluster: cluster,
  });
  if (template !== undefined) await addContribution(context, row);
  return shapeChangeRequest(context, row, space);
};

export const getChangeRequest: Handler<typeof contract.getChangeRequest> = (context) =>
  shapeChangeRequest(context, context.changeRequest, context.space);

export const updateChangeRequest: Handler<typeof contract.updateChangeRequest> = async (
  context,
  { body },
) => {
  const { tx, space, changeRequest } = context;
  if (body.status !== undefined && changeRequest.status === 'merged') {
    throw new Problem(
      'conflict',
      `Change request ${changeRequest.number} is merged, so its status cannot change.`,
      {
        hint: `To undo the merge, find the revision before it with \`docsctl revisions list --space ${space.id} --type merge\`, and restore it with \`docsctl revisions restore REVISION --space ${space.id}\`.`,
      },
    );
  }
  if (Object.keys(body).length === 0) return shapeChangeRequest(context, changeRequest, space);
  const { status = changeRequest.status, ...change } = body;
  const { row } = await setStatus(tx, space, changeRequest, status, {
    ...change,
    updatedAt: context.now,
  });
  return shapeChangeRequest(context, row, space);
};

export const mergeChangeRequest: Handler<typeof contract.mergeChangeRequest> = async (context, { body }) => {
  const { requireLinks, redirects, ...resolutions } = body;
  if (redirects === true && context.changeRequest.revisionMerged !== undefined)
    return redirectMerged(context, context.changeRequest.revisionMerged, resolutions);
  const revision = await mergeRequest(context, resolutions, async (merged) => {
    if (requireLinks === true) await refuseBrokenLinks(context, merged);
  });
  const { id: space, revision: from } = context.space;
  const moved = await redirectMoved(context, { space, from, to: revision }, redirects === true);
  return { revision, result: 'merge', ...defined({ redirects: moved }) };
};

/** Creates the redirects for a change request that was merged without them. */
async function redirectMerged(
  context: Context<typeof contract.mergeChangeRequest>,
  revision: string,
  resolutions: Resolutions,
) {
  const { tx, space, changeRequest } = context;
  checkNothingToResolve(changeRequest, resolutions);
  const [from = space.revision] = (await getExisting(tx, revisions, revision)).parents;
  const moved = await redirectMoved(context, { space: space.id, from, to: space.revision }, true);
  return { revision, result: 'merge' as const, ...defined({ redirects: moved }) };
}

export const syncChangeRequest: Handler<typeof contract.syncChangeRequest> = async (context, { body }) => {
  const { tx, space, changeRequest, now } = context;
  checkActive(changeRequest);
  checkUnlocked(space);
  if (!isOutdated(changeRequest, space)) {
    checkNothingToResolve(changeRequest, body);
    return { revision: changeRequest.revision, result: 'update' };
  }
  const revision = await mergeWithSpace(context, body, {
    type: 'update',
    parents: [changeRequest.revision, space.revision],
  });
  await tx.update(changeRequests, changeRequest.id, {
    revision,
    revisionMergedAncestor: space.revision,
    updatedAt: now,
  });
  return { revision, result: 'update' };
};

export const listChanges: Handler<typeof contract.listChanges> = (context, { query }) =>
  listSemanticChanges(
    context,
    baseRevisionOf(context.changeRequest),
    context.changeRequest.revision,
    query.limit ?? 10,
  );

export const listChangeRequestLinks: Handler<typeof contract.listChangeRequestLinks> = (context, { query }) =>
  listLinks(context, query);

export const exportChangeRequestPdf: Handler<typeof contract.exportChangeRequestPdf> = (context, { query }) =>
  createPdfUrl(context, query);
export const downloadChangeRequestPdf: DeferringHandler<typeof contract.downloadChangeRequestPdf> = (
  context,
  { query },
) => createPdf(context, query);

export const listContributors: Handler<typeof contract.listContributors> = async (context, { query }) => {
  const userOf = createUserLookup(context);
  const page = pageOfArray(await listContributions(context.tx, context.changeRequest), query);
  const items = [];
  for (const { user, type, count, updatedAt } of page.items)
    items.push({ user: await userOf(user), actionType: type, count, updatedAt });
  return { ...page, items };
};
