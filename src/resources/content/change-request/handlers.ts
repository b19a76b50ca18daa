import type { Context, DeferringHandler, Handler } from '../../../core/handler.ts';
import { changeRequests } from '../../../core/rows/change-requests.ts';
import { revisions } from '../../../core/rows/revisions.ts';
import { notFound } from '../../../errors/problem.ts';
import { checkUnlocked } from '../../../core/check-unlocked.ts';
import { checkActive } from '../../change-requests/rules.ts';
import { shapeChangeRequest } from '../../change-requests/shape.ts';
import { applyChanges } from '../../../content/apply-changes.ts';
import { adoptRevision, readRevision } from '../../../content/revisions.ts';
import { listTexts as textsOf, showContent } from '../show-content.ts';
import type * as contract from './contract.ts';
import { addContribution } from '../../change-requests/contributions.ts';
import type { ContentChange } from '../../../content/changes.ts';
import { hasSettings } from '../../../content/setting-fields.ts';

type EditContext = Pick<
  Context<typeof contract.batchContent>,
  'tx' | 'now' | 'newId' | 'caller' | 'space' | 'changeRequest' | 'url' | 'memberRole' | 'maxRole' | 'grants'
>;

export const getContent: DeferringHandler<typeof contract.getContent> = (context, { query }) =>
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

export const restoreContent: Handler<typeof contract.restoreContent> = async (context, { body }) => {
  const { tx, space, changeRequest, now } = context;
  checkActive(changeRequest);
  checkUnlocked(space);
  const source = await tx.get(revisions, body.revision);
  if (source === undefined || source.space !== space.id) throw notFound('revision', body.revision);
  const current = await readRevision(tx, changeRequest.revision);
  if (current.root === source.root) return shapeChangeRequest(context, changeRequest, space);
  const revision = await adoptRevision(tx, context, {
    content: source.id,
    type: 'rollback',
    parents: [current.id],
  });
  const row = await tx.update(changeRequests, changeRequest.id, { revision, updatedAt: now });
  await addContribution(context, changeRequest);
  return shapeChangeRequest(context, row, space);
};

/** Changes the content of a change request, and counts the caller as a contributor. */
async function edit(context: EditContext, changes: readonly ContentChange[]) {
  const { tx, space, changeRequest, now } = context;
  checkActive(changeRequest);
  checkUnlocked(space);
  const settings = changes.filter(hasSettings);
  if (settings.length > 0) {
    const { checkReferencesElsewhere } = await import('../../../content/edit-settings.ts');
    await checkReferencesElsewhere(context, settings);
  }
  const origin = changeRequest.revisionMergedAncestor ?? changeRequest.revisionInitial;
  const applied = await applyChanges(
    context,
    { base: changeRequest.revision, origin, space: space.id },
    changes,
  );
  if (applied.revision === changeRequest.revision) return { ...applied, row: changeRequest };
  const change = { revision: applied.revision, updatedAt: now };
  const row = await tx.update(changeRequests, changeRequest.id, change);
  await addContribution(context, changeRequest);
  return { ...applied, row };
}
