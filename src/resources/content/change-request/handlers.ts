import type { Handler } from '../../../core/handler.ts';
import { changeRequests, contributors, participantId } from '../../../core/rows/change-requests.ts';
import type { Writing } from '../../../core/store.ts';
import { checkActive, checkUnlocked } from '../../change-requests/rules.ts';
import { shapeChangeRequest } from '../../change-requests/shape.ts';
import { applyChanges } from '../apply-changes.ts';
import { wholeContent } from '../whole.ts';
import type * as contract from './contract.ts';

export const getContent: Handler<typeof contract.getContent> = (context, { query }) => wholeContent(context, query);

export const updateContent: Handler<typeof contract.updateContent> = async (context, { query, body }) => {
  const { tx, space, changeRequest, caller, now } = context;
  checkActive(changeRequest);
  checkUnlocked(space);
  const origin = changeRequest.revisionMergedAncestor ?? changeRequest.revisionInitial;
  const { revision, pages, insertedFiles } = await applyChanges(context, { base: changeRequest.revision, origin, space: space.id }, body.changes);
  const row = revision === changeRequest.revision ? changeRequest : await tx.update(changeRequests, changeRequest.id, { revision, updatedAt: now });
  await addContribution(tx, { changeRequest: row.id, space: space.id, user: caller.user.id, now });
  const shaped = await shapeChangeRequest(context, row, space);
  return query.compat === false ? { ...shaped, pages: [...pages], insertedFiles: [...insertedFiles] } : shaped;
};

async function addContribution(tx: Writing, { changeRequest, space, user, now }: { changeRequest: string; space: string; user: string; now: string }): Promise<void> {
  const id = participantId(changeRequest, user);
  const row = await tx.get(contributors, id);
  if (row === undefined) await tx.insert(contributors, { id, space, changeRequest, user, count: 1, createdAt: now, updatedAt: now });
  else await tx.update(contributors, id, { count: row.count + 1, updatedAt: now });
}
