import type { DeferringHandler, Handler } from '../../../core/handler.ts';
import { listPage } from '../../../core/listing.ts';
import { revisions, type RevisionRow } from '../../../core/rows/revisions.ts';
import { createUserLookup } from '../../users/user-lookup.ts';
import { listSemanticChanges } from '../changes/semantic-changes.ts';
import { listTexts as textsOf, showMergedRequest, showContent } from '../show-content.ts';
import { defined } from '../../../contract/values.ts';
import type * as contract from './contract.ts';

export const listRevisions: Handler<typeof contract.listRevisions> = async (context, { query }) => {
  const userOf = createUserLookup(context);
  const filter = query.type === undefined ? undefined : (row: RevisionRow) => row.type === query.type;
  return listPage(
    context.tx,
    { table: revisions, index: 'bySpace', equals: [context.space.id], order: 'desc', filter },
    query,
    async ({ id, parents, type, mergedFrom, createdAt, createdBy, pages, documents, files }) =>
      defined({
        object: 'revision',
        id,
        parents: parents.slice(),
        type,
        changeRequest: mergedFrom,
        createdAt,
        createdBy: await userOf(createdBy),
        pages: documents ?? pages,
        files,
      }),
  );
};

export const getContent: DeferringHandler<typeof contract.getContent> = (context, { query }) =>
  showContent(context, query);
export const listTexts: Handler<typeof contract.listTexts> = textsOf;

export const listChanges: Handler<typeof contract.listChanges> = async (context, { query }) => {
  const { id, parents, mergedFrom } = context.revision;
  // The first parent is the revision that this one is based on. The first revision of a space has no parent.
  const [from] = parents;
  return {
    ...(mergedFrom === undefined ? {} : { mergedFrom: await showMergedRequest(context, mergedFrom) }),
    ...(from === undefined
      ? { changes: [] }
      : await listSemanticChanges(context, from, id, query.limit ?? 10)),
  };
};
