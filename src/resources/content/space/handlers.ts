import { extendContext, type DeferringHandler, type Handler } from '../../../core/handler.ts';
import { changeRequestOf } from '../../../core/authorize.ts';
import { readEntry } from '../../../content/trie.ts';
import { requireRoleOn } from '../../../core/missing-role.ts';
import { changeRequests } from '../../../core/rows/change-requests.ts';
import { revisions } from '../../../core/rows/revisions.ts';
import { notFound, Problem } from '../../../errors/problem.ts';
import { addContribution } from '../../change-requests/contributions.ts';
import { checkNeedsNoRequest } from '../../change-requests/merge-rules.ts';
import { checkUnlocked } from '../../../core/check-unlocked.ts';
import { checkActive } from '../../change-requests/rules.ts';
import { applyTemplate as fill } from '../apply-template.ts';
import { parseDocumentId } from '../document-id.ts';
import { publishRevision } from '../publish.ts';
import { listTexts as textsOf, showContent } from '../show-content.ts';
import type * as contract from './contract.ts';

export const getContent: DeferringHandler<typeof contract.getContent> = (context, { query }) =>
  showContent(context, query);
export const listTexts: Handler<typeof contract.listTexts> = textsOf;

export const getDocument: Handler<typeof contract.getDocument> = async (context, { params }) => {
  const { tx, space } = context;
  const missing = () => notFound('document', params.documentId);
  const { revision: revisionId = '', entry: id = '' } = parseDocumentId(params.documentId) ?? {};
  const revision = await tx.get(revisions, revisionId);
  if (revision === undefined || revision.space !== space.id) throw missing();
  const entry = await readEntry(tx, revision.root, id);
  const hasDocument =
    entry?.kind === 'page' ? entry.type === 'document' : entry?.kind === 'text' && entry.role === 'include';
  if (entry === undefined || entry.kind === 'file' || !hasDocument) throw missing();
  const { readEntryDocument } = await import('../read-document.ts');
  return readEntryDocument(extendContext(context, { revision }), entry, {});
};

export const computeRevision: Handler<typeof contract.computeRevision> = async (context, { body }) => {
  const { source, seed } = body;
  const { shapeGenerated } = await import('../computed-pages.ts');
  const place = { source, seed, prefix: '', taken: [] };
  const pages = await shapeGenerated(context, place, { text: 'markdown' });
  if (pages === undefined) throw notFound('specification', source.dependencies.spec.ref.spec);
  return { pages, files: [], reusableContents: [] };
};

export const computeDocument: Handler<typeof contract.computeDocument> = async (context, { body }) => {
  const { source } = body;
  const { readGenerated } = await import('../computed-pages.ts');
  const document = await readGenerated(context, source);
  if (document !== undefined) return document;
  const { doc, page = '', method } = source.props;
  throw new Problem(
    'not-found',
    `The specification "${source.dependencies.spec.ref.spec}" does not exist, or has no ${[doc, method, page].filter(Boolean).join(' ')}.`,
    { hint: 'Run `docsctl spaces content compute` to see the pages of a specification.' },
  );
};

export const applyTemplate: Handler<typeof contract.applyTemplate> = async (context, { body }) => {
  const { tx, space, now, caller } = context;
  const { changeRequestId, ...template } = body;
  checkUnlocked(space);
  if (changeRequestId === undefined) {
    const needed = {
      action: 'change the content of a space without a change request',
      level: 'review',
    } as const;
    // An integration has no role, and may merge change requests with the same scope.
    if (caller.integration === undefined)
      await requireRoleOn(
        tx,
        context,
        'space',
        space,
        needed,
        'Create a change request, and name it with `--change-request`.',
      );
    checkNeedsNoRequest(context);
    await publishRevision(context, space, await fill(context, { base: space.revision, space, template }));
    return;
  }
  const row = await changeRequestOf(tx, space, String(changeRequestId));
  checkActive(row);
  await tx.update(changeRequests, row.id, {
    revision: await fill(context, { base: row.revision, space, template }),
    updatedAt: now,
  });
  await addContribution(context, row);
};
