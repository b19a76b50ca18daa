import { listSome } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { listReviewers } from '../../../resources/change-request-reviewers/contract.ts';
import { listReviews } from '../../../resources/change-request-reviews/contract.ts';
import { getChangeRequest, mergeChangeRequest } from '../../../resources/change-requests/contract.ts';
import type { Session } from '../../session/session.ts';

/** Returns a session that notes which reviews were missing when a change request was merged. */
export function withReviewNotes(session: Session): Session {
  const call: Session['call'] = async (operation, input, options) => {
    const answer = await session.call(operation, input, options);
    if (operation.id === mergeChangeRequest.id) await noteReviews(session, input as unknown as MergeInput);
    return answer;
  };
  return { ...session, call };
}

interface MergeInput {
  readonly params: { readonly spaceId: string; readonly changeRequestId: string };
}

async function noteReviews(session: Session, { params }: MergeInput): Promise<void> {
  if (session.flags.quiet === true) return;
  try {
    const missing = await describeMissing(session, params);
    if (missing.length === 0) return;
    const { number } = await session.call(getChangeRequest, { params });
    for (const what of missing) session.note(`Change request ${number} was merged ${what}.`);
  } catch (error) {
    // The change request is merged, so an error here must not fail the command.
    if (!(error instanceof Problem)) throw error;
  }
}

/** Describes the requested reviews that were not submitted, and those that ask for changes. */
async function describeMissing(session: Session, params: MergeInput['params']): Promise<string[]> {
  const query = { limit: 1000 };
  const [asked, reviews] = await Promise.all([
    session.call(listReviewers, { params, query }),
    session.call(listReviews, { params, query }),
  ]);
  // Only the last review of a member counts.
  const verdicts = new Map(reviews.items.map((review) => [review.reviewer.id, review]));
  const askedUsers = asked.items.map(({ user }) => user);
  const silent = askedUsers.filter(({ id }) => !verdicts.has(id));
  const outdated = askedUsers.filter(({ id }) => verdicts.get(id)?.outdated === true);
  const against = [...verdicts.values()].filter((one) => !one.outdated && one.status === 'changes-requested');
  const described: string[] = [];
  if (silent.length > 0)
    described.push(
      `without a review by ${namesOf(silent)}, who ${silent.length === 1 ? 'was' : 'were'} asked for one`,
    );
  if (outdated.length > 0)
    described.push(`without a new review by ${namesOf(outdated)}, who reviewed an earlier version`);
  if (against.length > 0)
    described.push(`although ${namesOf(against.map(({ reviewer }) => reviewer))} asked for changes`);
  return described;
}

function namesOf(users: readonly { displayName: string }[]): string {
  return listSome(
    users.map(({ displayName }) => displayName),
    5,
    ' and ',
  );
}
