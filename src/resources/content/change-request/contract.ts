import { ok, operation } from '../../../contract/operation.ts';
import { closed, Id, Type } from '../../../contract/schema.ts';
import { ChangeRequest } from '../../change-requests/contract.ts';
import { changeRequestBase } from '../base.ts';
import { getContentOperation, listTextsOperation } from '../declarations.ts';
import { Change, AffectedPage, InsertedFile } from '../../../content/changes.ts';

export const getContent = getContentOperation(changeRequestBase);
export const listTexts = listTextsOperation(changeRequestBase);

export const updateContent = operation({
  id: 'change-requests.content.update',
  route: `POST ${changeRequestBase.path}/content`,
  summary: 'Edit the pages and files of a change request',
  description:
    'The changes are made in their order and all or none: one that cannot be made refuses the batch. A title that is not given is taken from the front matter, else from the first heading. A file may have 10 MiB (the official API takes 1 MB); files by URL are not taken. A group stands at the top level; a link has an href.',
  access: 'change-request.edit',
  query: {
    compat: Type.Optional(
      Type.Boolean({ default: true, description: 'false: also give the pages and files that were affected' }),
    ),
  },
  body: closed({ changes: Type.Array(Change, { minItems: 1, maxItems: 50 }) }),
  returns: ok(
    closed({
      ...ChangeRequest.properties,
      pages: Type.Optional(Type.Array(AffectedPage)),
      insertedFiles: Type.Optional(Type.Array(InsertedFile)),
    }),
  ),
  cli: {
    columns: ['number', 'status', 'revision', 'id'],
    flags: [
      {
        name: 'insert-page',
        value: 'TITLE',
        summary: 'Insert an empty page of this title at the end',
        template: { changes: [{ operation: 'insert_page', document: {}, title: '$' }] },
      },
      {
        name: 'delete-page',
        value: 'PAGE',
        summary: 'Delete this page and those under it',
        template: { changes: [{ operation: 'delete_page', page: '$' }] },
      },
    ],
    examples: ['docsctl change-requests content update 7 --space Guide --body changes.yaml'],
  },
});

export const batchContent = operation({
  id: 'change-requests.content.batch',
  route: `POST ${changeRequestBase.path}/content/batch`,
  summary: 'Make very many edits of a change request at once',
  description:
    'For imports: the same changes as content update, up to 10,000 in one revision. Not in the official API.',
  access: 'change-request.edit',
  body: closed({ changes: Type.Array(Change, { minItems: 1, maxItems: 10_000 }) }),
  returns: ok(
    closed({ revision: Id, pages: Type.Array(AffectedPage), insertedFiles: Type.Array(InsertedFile) }),
  ),
  cli: { examples: ['docsctl change-requests content batch 7 --space Guide --body changes.yaml'] },
});
