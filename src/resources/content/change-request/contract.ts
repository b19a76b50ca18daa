import { ok, operation, type NounHelp } from '../../../contract/operation.ts';
import { closed, Id, Type } from '../../../contract/schema.ts';
import { ChangeRequest } from '../../change-requests/contract.ts';
import { changeRequestBase } from '../base.ts';
import { getContentOperation, listTextsOperation } from '../declarations.ts';
import { Change, AffectedPage, InsertedFile } from '../../../content/changes.ts';

export const nounHelp: NounHelp = {
  description:
    'The content of a change request is the content of its space with the edits of the change request. To edit pages without writing changes as JSON, use `docsctl pages edit` or `docsctl spaces import`.',
  examples: [
    'docsctl change-requests content update 7 --space Guide --insert-page "Release notes"',
    'docsctl change-requests content get 7 --space Guide -o json --no-texts',
  ],
};

export const getContent = getContentOperation(changeRequestBase);
export const listTexts = listTextsOperation(changeRequestBase);

export const updateContent = operation({
  id: 'change-requests.content.update',
  route: `POST ${changeRequestBase.path}/content`,
  summary: 'Edit the pages and files of a change request',
  description:
    'Takes up to 50 changes; `docsctl change-requests content update --skeleton` shows their fields. The changes are applied in the given order. If one is invalid, none is applied. A new page without a title takes the title in its front matter, or else its first heading. A file can be up to 10 MiB in size (1 MB in the official API of GitBook) and must be sent as base64, not as a URL. If a new page or file has a `ref`, the texts in the same request can link to it: to a page with `./REF.md`, to a file with `./REF`. A page of the type group must be at the top level, and a page of the type link needs an href. The settings of a page (layout, cover, variables, metaLinks, tags) are written to its front matter.',
  access: 'change-request.edit',
  query: {
    compat: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'leave the affected pages and the new files out of the response (default: true)',
      }),
    ),
  },
  body: closed({
    changes: Type.Array(Change, { minItems: 1, maxItems: 50, description: 'changes to pages and files' }),
  }),
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
        summary: 'insert an empty page with this title at the end',
        template: { changes: [{ operation: 'insert_page', document: {}, title: '$' }] },
        repeatable: true,
      },
      {
        name: 'delete-page',
        value: 'PAGE',
        summary: 'delete the page with this ID and the pages below it',
        template: { changes: [{ operation: 'delete_page', page: '$' }] },
        repeatable: true,
      },
    ],
    examples: [
      'docsctl change-requests content update 7 --space Guide --body changes.yaml',
      'docsctl change-requests content update 7 --space Guide --insert-page "Release notes"',
      `docsctl change-requests content update 7 --space Guide --changes '{"operation": "insert_page", "title": "FAQ", "document": {"markdown": "Text"}}'`,
    ],
  },
});

export const batchContent = operation({
  id: 'change-requests.content.batch',
  route: `POST ${changeRequestBase.path}/content/batch`,
  summary: 'Apply up to 10,000 edits to a change request at once',
  description:
    'Takes the same changes as `docsctl change-requests content update`, which applies up to 50. Both commands add one revision for all changes of a request. This operation is not in the official API of GitBook.',
  access: 'change-request.edit',
  body: closed({
    changes: Type.Array(Change, { minItems: 1, maxItems: 10_000, description: 'changes to pages and files' }),
  }),
  returns: ok(
    closed({ revision: Id, pages: Type.Array(AffectedPage), insertedFiles: Type.Array(InsertedFile) }),
  ),
  cli: { examples: ['docsctl change-requests content batch 7 --space Guide --body changes.yaml'] },
});

export const restoreContent = operation({
  id: 'change-requests.content.restore',
  route: `POST ${changeRequestBase.path}/content/restore`,
  summary: 'Replace the content of a change request with the content of an earlier revision',
  description:
    'Afterwards, the change request has exactly the pages, files and texts of the revision. The space changes when the change request is merged. `docsctl revisions restore --merge` restores and merges in one step. This operation is not in the official API of GitBook.',
  access: 'change-request.edit',
  body: closed({ revision: Type.String({ ...Id, description: 'ID of a revision of the same space' }) }),
  returns: ok(ChangeRequest),
  cli: {
    columns: ['number', 'subject', 'status', 'revision', 'id'],
    examples: ['docsctl change-requests content restore 7 --space Guide --revision rev_6'],
  },
});
