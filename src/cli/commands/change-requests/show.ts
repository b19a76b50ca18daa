import { eachItem } from '../../../contract/each-page.ts';
import type { ItemOf, OutputOf } from '../../../contract/operation.ts';
import { plural } from '../../../contract/values.ts';
import { isProblem } from '../../../errors/problem.ts';
import { listReviewers } from '../../../resources/change-request-reviewers/contract.ts';
import { listReviews } from '../../../resources/change-request-reviews/contract.ts';
import type { getChangeRequest } from '../../../resources/change-requests/contract.ts';
import { listComments } from '../../../resources/comments/change-request/contract.ts';
import { listRevisions } from '../../../resources/content/revision/contract.ts';
import { getSpace } from '../../../resources/spaces/contract.ts';
import { drawFields } from '../../output/draw-fields.ts';
import { fieldsOf } from '../../output/record-fields.ts';
import { createTheme } from '../../output/style.ts';
import type { Session } from '../../session/session.ts';
import { drawTimeline, type TimelineEvent } from './draw-timeline.ts';

type ChangeRequest = OutputOf<typeof getChangeRequest>;
type Revision = ItemOf<typeof listRevisions>;

/** Draws the fields of a change request and the timeline of its events. */
export async function drawChangeRequest(session: Session, request: ChangeRequest): Promise<string> {
  const { columns, color } = session.terminal;
  const theme = await createTheme(color);
  const { title } = await session.call(getSpace, { params: { spaceId: request.space } });
  const shown = { ...request, space: `${title} (${request.space})` };
  const fields = fieldsOf(shown, { terminal: session.terminal, defaultColumns: [], headers: true });
  const record = await drawFields(session.terminal, fields);
  return `${record}\n${drawTimeline(await readEvents(session, request), columns, theme)}`;
}

async function readEvents(session: Session, request: ChangeRequest): Promise<TimelineEvent[]> {
  const params = { spaceId: request.space, changeRequestId: request.id };
  const [comments, reviews, reviewers, revisions] = await Promise.all([
    session.call(listComments, { params, query: { limit: 1000 } }),
    session.call(listReviews, { params, query: { limit: 1000 } }),
    session.call(listReviewers, { params, query: { limit: 1000 } }),
    readRevisions(session, request),
  ]);
  const events: TimelineEvent[] = [
    { at: request.createdAt, who: request.createdBy.displayName, what: 'created it', kind: 'created' },
    ...revisions,
  ];
  const ofReviews = new Set(reviews.items.map(({ comment }) => comment?.id));
  for (const { id, postedAt, postedBy, body, replies, status, resolvedAt, resolvedBy } of comments.items) {
    // The comment of a review is shown with the review.
    if (ofReviews.has(id)) continue;
    const more = replies > 0 ? ` (${plural(replies, 'reply', 'replies')})` : '';
    const what = `commented: ${body.markdown ?? ''}${more}`;
    events.push({ at: postedAt, who: postedBy.displayName, what, kind: 'commented' });
    if (status === 'resolved' && resolvedAt !== undefined)
      events.push({
        at: resolvedAt,
        who: resolvedBy?.displayName,
        what: 'resolved a comment',
        kind: 'commented',
      });
  }
  for (const { createdAt, user, requestedBy } of reviewers.items) {
    const what = `asked ${user.displayName} for a review`;
    events.push({ at: createdAt, who: requestedBy.displayName, what, kind: 'requested' });
  }
  for (const { createdAt, reviewer, status, outdated, comment } of reviews.items) {
    const verdict = status === 'approved' ? 'approved it' : 'asked for changes';
    const text = comment?.body.markdown === undefined ? '' : `: ${comment.body.markdown}`;
    events.push({
      at: createdAt,
      who: reviewer.displayName,
      what: `${verdict}${text}${outdated ? ' (outdated: it was edited later)' : ''}`,
      kind: 'reviewed',
      tone: status === 'approved' ? 'good' : 'bad',
    });
  }
  return events;
}

/**
 * Returns the edits of a change request, from its revisions, and its merge. Only recent revisions are read, because a space may
 * have very many.
 */
async function readRevisions(
  session: Session,
  { space, revision, revisionInitial, revisionMerged }: ChangeRequest,
): Promise<TimelineEvent[]> {
  const known = new Map<string, Revision>();
  try {
    for await (const item of eachItem(session, listRevisions, { params: { spaceId: space } })) {
      known.set(item.id, item);
      if (item.id === revisionInitial || known.size >= maxRevisions) break;
    }
  } catch (error) {
    if (!isProblem(error, 'forbidden', 'not-implemented', 'not-found')) throw error;
  }
  const events: TimelineEvent[] = [];
  const merged = revisionMerged === undefined ? undefined : known.get(revisionMerged);
  if (merged !== undefined)
    events.push({
      at: merged.createdAt,
      who: merged.createdBy?.displayName,
      what: 'merged it',
      kind: 'merged',
      tone: 'good',
    });
  for (
    let edit = known.get(revision);
    edit !== undefined && edit.id !== revisionInitial && events.length < maxRevisions;
    edit = known.get(edit.parents[0] ?? '')
  )
    events.push({
      at: edit.createdAt,
      who: edit.createdBy?.displayName,
      what: edit.type === 'update' ? 'updated it to the newest content of the space' : 'edited the content',
      kind: edit.type === 'update' ? 'requested' : 'edited',
    });
  return events;
}

const maxRevisions = 5000;
