import { applyChanges } from '../../content/apply-changes.ts';
import { mergeContents } from '../../content/merge-contents.ts';
import { editRevision } from '../../content/revisions.ts';
import { yieldingTransaction } from '../../core/yielding-transaction.ts';
import { ScratchTransaction } from '../../content/scratch-transaction.ts';
import { pageOfArray } from '../../core/listing.ts';
import type { Context, Handler } from '../../core/handler.ts';
import { can, contentRole } from '../../core/permissions.ts';
import { changeRequests } from '../../core/rows/change-requests.ts';
import { revisions } from '../../core/rows/revisions.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { getOwned, type WriteTransaction } from '../../core/store.ts';
import { invalid, notFound } from '../../errors/problem.ts';
import { baseRevisionOf } from '../change-requests/merge-with-space.ts';
import { findLinkImpact, type PlannedChanges, type SpaceChange } from '../content/links/link-impact.ts';
import { shapeBrokenLink } from '../content/links/shape-broken-link.ts';
import {
  listBrokenRedirects,
  proposeRedirects,
  shapeProposals,
  type ContentChange,
} from '../site-redirects/moves/propose.ts';
import type * as contract from './contract.ts';

type FindContext = Context<typeof contract.findBrokenLinks>;
type Planned = Parameters<Handler<typeof contract.findBrokenLinks>>[1]['body']['spaces'][number];

/** Lists the links that changes of spaces would break. The changes are made in memory only. */
export const findBrokenLinks: Handler<typeof contract.findBrokenLinks> = async (context, { query, body }) => {
  const scratch = yieldingTransaction(new ScratchTransaction(context.tx), context.signal);
  const changes: SpaceChange[] = [];
  const contents: ContentChange[] = [];
  const { tx } = context;
  for (const [at, planned] of body.spaces.entries()) {
    const path = `/body/spaces/${at}`;
    if (body.spaces.findIndex(({ space }) => space === planned.space) < at)
      throw invalid(`${path}/space`, `The space "${planned.space}" is listed twice.`);
    const space = await readableSpace(context, planned.space);
    const revision =
      planned.deleted === true ? undefined : await plannedRevision(context, scratch, space, planned, path);
    const { since } = planned;
    if (since !== undefined) await getOwned(tx, revisions, since, { space: space.id }, 'revision');
    changes.push({ space, revision });
    contents.push({ space: space.id, from: since ?? space.revision, to: revision });
  }
  const { shaped, ...page } =
    body.links === false
      ? { shaped: [], brokenNew: 0, brokenBefore: 0, ...pageOfArray([], query) }
      : await readImpact(context, scratch, { spaces: changes, structure: body.structure }, query);
  const options = { view: scratch, structure: body.structure };
  const proposals = await proposeRedirects(context, contents, options);
  return {
    ...page,
    items: shaped,
    redirects: shapeProposals(proposals),
    brokenRedirects: await listBrokenRedirects(context, contents, { ...options, proposals }),
  };
};

/** Finds the links that changes would break, and returns one page of them in the form of the API. */
async function readImpact(
  context: FindContext,
  scratch: WriteTransaction,
  changes: PlannedChanges,
  query: Parameters<Handler<typeof contract.findBrokenLinks>>[1]['query'],
) {
  const { broken, brokenNew, brokenBefore, states } = await findLinkImpact(context, scratch, changes);
  const { items, ...page } = pageOfArray(
    broken.map((link, at) => ({ id: String(at), link })),
    query,
  );
  const shaped = [];
  for (const { link } of items) shaped.push(await shapeBrokenLink(states, link));
  return { ...page, brokenNew, brokenBefore, shaped };
}

async function readableSpace(context: FindContext, id: string) {
  const { tx, organization } = context;
  const space = await getOwned(tx, spaces, id, { organization: organization.id, state: 'live' }, 'space');
  if (!can(await contentRole(tx, context, space), 'read')) throw notFound('space', id);
  return space;
}

/** Creates the revision that a space would get. If a change request conflicts with its space, the change request wins. */
async function plannedRevision(
  context: FindContext,
  tx: ScratchTransaction,
  space: SpaceRow,
  { changeRequest: id, changes }: Planned,
  path: string,
): Promise<string> {
  const request =
    id === undefined
      ? undefined
      : await getOwned(tx, changeRequests, id, { space: space.id }, 'change request');
  const base = request === undefined ? space.revision : baseRevisionOf(request);
  const edited = request?.status === 'merged' ? space.revision : (request?.revision ?? space.revision);
  const { revision } =
    changes === undefined || changes.length === 0
      ? { revision: edited }
      : await applyChanges(
          { ...context, tx },
          { base: edited, origin: base, space: space.id },
          changes,
          path,
        );
  if (request === undefined || request.status === 'merged' || base === space.revision) return revision;
  const merged = await mergeContents(tx, { base, ours: revision, theirs: space.revision }, { take: 'ours' });
  return editRevision(tx, context, { base: space.revision, space: space.id, changes: merged.changes });
}
