import type { Context, Handler } from '../../../core/handler.ts';
import { changeRequests } from '../../../core/rows/change-requests.ts';
import { checkActive, checkUnlocked } from '../../change-requests/rules.ts';
import { shapeChangeRequest } from '../../change-requests/shape.ts';
import { applyChanges } from '../../../content/apply-changes.ts';
import { listTexts as textsOf, showContent } from '../show-content.ts';
import type * as contract from './contract.ts';
import { contributors, participantId } from '../../change-requests/rows.ts';
import type { ContentChange } from '../../../content/changes.ts';

type EditContext = Pick<
  Context<typeof contract.batchContent>,
  'tx' | 'now' | 'newId' | 'caller' | 'space' | 'changeRequest'
>;

export const getContent: Handler<typeof contract.getContent> = (context, { query }) =>
  showContent(context, query);
export const listTexts: Handler<typeof contract.listTexts> = textsOf;

export const updateContent: Handler<typeof contract.updateContent> = async (context, { query, body }) => {
  const { row, pages, insertedFiles } = await edit(context, body.changes);
  const shaped = await shapeChangeRequest(context, row, context.space);
  return query.compat === false
    ? { ...shaped, pages: [...pages], insertedFiles: [...insertedFiles] }
    : shaped;
};

export const batchContent: Handler<typeof contract.batchContent> = async (context, { body }) => {
  const { row, pages, insertedFiles } = await edit(context, body.changes);
  return { revision: row.revision, pages: [...pages], insertedFiles: [...insertedFiles] };
};

/** Changes the content of a change request, and counts the caller as a contributor. */
async function edit(context: EditContext, changes: readonly ContentChange[]) {
  const { tx, space, changeRequest, now } = context;
  checkActive(changeRequest);
  checkUnlocked(space);
  const origin = changeRequest.revisionMergedAncestor ?? changeRequest.revisionInitial;
  const applied = await applyChanges(
    context,
    { base: changeRequest.revision, origin, space: space.id },
    changes,
  );
  const row =
    applied.revision === changeRequest.revision
      ? changeRequest
      : await tx.update(changeRequests, changeRequest.id, { revision: applied.revision, updatedAt: now });
  await addContribution(context);
  return { ...applied, row };
}

async function addContribution({ tx, space, changeRequest, caller, now }: EditContext): Promise<void> {
  const user = caller.user.id;
  const id = participantId(changeRequest.id, user);
  const row = await tx.get(contributors, id);
  if (row === undefined)
    await tx.insert(contributors, {
      id,
      space: space.id,
      changeRequest: changeRequest.id,
      user,
      count: 1,
      createdAt: now,
      updatedAt: now,
    });
  else await tx.update(contributors, id, { count: row.count + 1, updatedAt: now });
}
