import { noContent, ok, operation, type NounHelp } from '../../../contract/operation.ts';
import { ComputedSource } from '../../../content/computed-source.ts';
import { closed, Id, oneOf, Type } from '../../../contract/schema.ts';
import { RichDocument } from '../../../contract/shapes.ts';
import { spaceBase } from '../base.ts';
import { getContentOperation, listTextsOperation } from '../declarations.ts';
import { ComputedDocument, File, Page, ReusableContent } from '../schemas.ts';
import { TemplateParams } from '../../change-requests/contract.ts';

export const nounHelp: NounHelp = {
  description:
    'The content of a space is its published pages, files and texts. It changes when a change request is merged.',
  examples: ['docsctl spaces content get Guide -o json --no-texts', 'docsctl spaces content texts Guide'],
};

export const getContent = getContentOperation(spaceBase);
export const listTexts = listTextsOperation(spaceBase);

export const getDocument = operation({
  id: 'spaces.content.document',
  route: 'GET /spaces/:spaceId/documents/:documentId',
  summary: 'Show a document by its ID',
  description:
    'The ID of a document is in the field `documentId` of a page, or in the field `document` of a reusable content. The content of a document never changes: a new text gets a new ID.',
  access: 'space.read',
  query: {
    schema: Type.Optional(
      oneOf(['current', 'next'], {
        description:
          'version of the schema of documents; docsctl has one schema, so both return the same document',
      }),
    ),
  },
  returns: ok(RichDocument),
  cli: { examples: ['docsctl spaces content document rev_6-pag_1 --space Guide -o json'] },
});

const seed = Type.String({
  ...Id,
  description: 'text that the IDs of the generated pages begin with; the same text gives the same IDs',
});

export const computeRevision = operation({
  id: 'spaces.content.compute',
  route: 'POST /spaces/:spaceId/content/computed/revision',
  summary: 'Show the pages that would be generated from an OpenAPI specification',
  description:
    'Changes nothing. The source has the same fields as a source of pages in `SUMMARY.md`: `type`, `props` and `dependencies`. The specification must belong to the organization of the space.',
  access: 'space.read',
  safe: true,
  body: closed({ source: { ...ComputedSource, description: 'source of the pages' }, seed }),
  returns: ok(
    closed({
      pages: Type.Array(Page),
      files: Type.Array(File),
      reusableContents: Type.Array(ReusableContent),
    }),
  ),
  cli: { examples: ['docsctl spaces content compute Guide --body computed.yaml -o json'] },
});

export const computeDocument = operation({
  id: 'spaces.content.compute-document',
  route: 'POST /spaces/:spaceId/content/computed/document',
  summary: 'Show one document that is generated from an OpenAPI specification',
  description:
    'Changes nothing. The source is the field `computed` of a generated page, which `docsctl spaces content compute` shows. This field names the specification and the part that the document shows.',
  access: 'space.read',
  safe: true,
  query: getDocument.query.properties,
  body: closed({ source: { ...ComputedDocument, description: 'source of the document' }, seed }),
  returns: ok(RichDocument),
  cli: { examples: ['docsctl spaces content compute-document Guide --body computed-page.yaml -o json'] },
});

export const applyTemplate = operation({
  id: 'spaces.content.apply-template',
  route: 'POST /spaces/:spaceId/content/template',
  summary: 'Add the content of a template to a space or to a change request',
  description:
    'A template is a space of the same organization. Its pages, files and includes are added at the end. A link to /refs/NAME in the template is replaced by a link to the content reference that `params` gives for NAME. Without `changeRequestId`, the content of the space itself changes. This requires the review role, and is refused if merge rules apply.',
  access: 'space.edit',
  body: closed({
    id: Type.String({ ...Id, description: 'template' }),
    params: Type.Optional({ ...TemplateParams, description: 'content references of the template' }),
    changeRequestId: Type.Optional(
      Type.Union([Id, Type.Integer({ minimum: 1 })], {
        description: 'change request that receives the content',
      }),
    ),
  }),
  returns: noContent(),
  cli: {
    examples: [
      'docsctl spaces content apply-template "Old guide" --id Template',
      'docsctl spaces content apply-template Guide --id Template --change-request 4',
    ],
  },
});
