import type { Handler } from '../../../core/handler.ts';
import { listPage } from '../../../core/listing.ts';
import { revisions } from '../../../core/rows/revisions.ts';
import { createUserLookup } from '../../users/user-lookup.ts';
import { listSemanticChanges } from '../changes/semantic-changes.ts';
import { listTexts as textsOf, showMergedRequest, showContent } from '../show-content.ts';
import type * as contract from './contract.ts';

export const listRevisions: Handler<typeof contract.listRevisions> = async (context, { query }) => {
  const person = createUserLookup(context);
  const { type } = query;
  const filter = type === undefined ? undefined : (row: { readonly type: string }) => row.type === type;
  return listPage(
    context.tx,
    { table: revisions, index: 'bySpace', equals: [context.space.id], order: 'desc', filter },
    query,
    async (row) => ({
      object: 'revision' as const,
      id: row.id,
      parents: [...row.parents],
      type: row.type,
      ...(row.mergedFrom === undefined ? {} : { changeRequest: row.mergedFrom }),
      createdAt: row.createdAt,
      createdBy: await person(row.createdBy),
      pages: row.pages,
      files: row.files,
    }),
  );
};

export const getContent: Handler<typeof contract.getContent> = (context, { query }) =>
  showContent(context, query);
export const listTexts: Handler<typeof contract.listTexts> = textsOf;

export const listChanges: Handler<typeof contract.listChanges> = async (context, { query }) => {
  const { revision } = context;
  // The first parent is what the revision was made on; the first revision of a space is made on nothing.
  const from = revision.parents[0];
  const difference =
    from === undefined
      ? { changes: [] }
      : await listSemanticChanges(context, from, revision.id, query.limit ?? 10);
  return {
    ...(revision.mergedFrom === undefined
      ? {}
      : { mergedFrom: await showMergedRequest(context, revision.mergedFrom) }),
    ...difference,
  };
};
