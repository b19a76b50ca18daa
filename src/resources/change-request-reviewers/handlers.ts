import type { Static } from '../../contract/schema.ts';
import { roleOfMember } from '../../core/authorize.ts';
import type { Handler, ReadContext } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { Problem } from '../../errors/problem.ts';
import { checkActive, setStatus } from '../change-requests/rules.ts';
import { requireMember } from '../members/rules.ts';
import { createUserLookup } from '../users/user-lookup.ts';
import type * as contract from './contract.ts';
import { requestedReviewers, type RequestedReviewerRow } from './rows.ts';
import { participantId } from '../change-requests/rows.ts';
import { shellWord } from '../../contract/shell-word.ts';
import { defined } from '../../contract/values.ts';

export const listReviewers: Handler<typeof contract.listReviewers> = async (context, { query }) =>
  listPage(
    context.tx,
    { table: requestedReviewers, index: 'byChangeRequest', equals: [context.changeRequest.id] },
    query,
    (row) => shapeReviewer(context, row),
  );

export const requestReviewers: Handler<typeof contract.requestReviewers> = async (context, { body }) => {
  const { tx, space, organization, changeRequest, caller, now } = context;
  checkActive(changeRequest);
  const rows: RequestedReviewerRow[] = [];
  for (const user of new Set(body.users)) {
    const member = await requireMember(tx, organization.id, user);
    if ((await roleOfMember(tx, organization, member, space)) === null)
      throw new Problem(
        'conflict',
        `${member.email} cannot open the space "${space.title}", and so cannot review the change request.`,
        {
          hint: member.disabled
            ? 'Ask someone else: the member is disabled.'
            : `Ask someone else. An administrator of the space can give a role: \`docsctl spaces permissions set ${space.id} --users ${shellWord(member.email)} --role review\`.`,
        },
      );
    const id = participantId(changeRequest.id, user);
    const existing = await tx.get(requestedReviewers, id);
    const row: RequestedReviewerRow = existing ?? {
      id,
      space: space.id,
      changeRequest: changeRequest.id,
      user,
      requestedBy: caller.user.id,
      revision: changeRequest.revision,
      createdAt: now,
    };
    if (existing === undefined) await tx.insert(requestedReviewers, row);
    rows.push(row);
  }
  await setStatus(tx, space, changeRequest, 'open', defined({ subject: body.subject, updatedAt: now }));
  const shaped = [];
  for (const row of rows) shaped.push(await shapeReviewer(context, row));
  return { users: shaped };
};

export const removeReviewer: Handler<typeof contract.removeReviewer> = async (
  { tx, changeRequest },
  { params },
) => {
  if (!(await tx.remove(requestedReviewers, participantId(changeRequest.id, params.userId))))
    throw new Problem(
      'not-found',
      `The member "${params.userId}" has not been asked to review the change request.`,
      {
        hint: `To see who has been asked, run \`docsctl change-requests reviewers list ${changeRequest.number} --space ${changeRequest.space}\`.`,
      },
    );
};

async function shapeReviewer(
  context: ReadContext,
  row: RequestedReviewerRow,
): Promise<Static<typeof contract.RequestedReviewer>> {
  const userOf = createUserLookup(context);
  return {
    object: 'change-request-requested-reviewer',
    kind: 'user',
    user: await userOf(row.user),
    revision: row.revision,
    requestedBy: await userOf(row.requestedBy),
    createdAt: row.createdAt,
  };
}
