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
    'The content of a space is its pages, files and other text, without the edits of change requests that are not merged. It changes when a change request is merged.',
  examples: ['docsctl spaces content get Guide -o json --no-texts', 'docsctl spaces content texts Guide'],
};

export const getContent = getContentOperation(spaceBase);
export const listTexts = listTextsOperation(spaceBase);

export const getDocument = operation({
  id: 'spaces.content.document',
  route: 'GET /spaces/:spaceId/documents/:documentId',
  summary: 'Show a document by its ID',
  description:
    'A document is the text of a page or reusable content as a tree of blocks. Its ID is the field `documentId` of `docsctl spaces pages get -o json`, or the field `document` of `docsctl spaces reusable-contents get`. A document never changes: a new text gets a new ID.',
  access: 'space.read',
  query: {
    schema: Type.Optional(
      oneOf(['current', 'next'], {
        description: 'no effect: docsctl has one schema of documents',
      }),
    ),
  },
  returns: ok(RichDocument),
  cli: { examples: ['docsctl spaces content document rev_6-pag_1 --space Guide -o json'] },
});

const seed = Type.String({
  ...Id,
  description: 'prefix of the IDs of the generated pages; the same prefix gives the same IDs',
});

export const computeRevision = operation({
  id: 'spaces.content.compute',
  route: 'POST /spaces/:spaceId/content/computed/revision',
  summary: 'Show the pages that would be generated from an OpenAPI specification',
  description:
    'Changes nothing. The source has the fields of an OpenAPI entry in `SUMMARY.md`: `type`, `props` and `dependencies`. The specification must belong to the organization of the space.',
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
  cli: {
    examples: [
      `docsctl spaces content compute Guide --seed billing --source '{"type": "builtin:openapi", "props": {"models": true}, "dependencies": {"spec": {"ref": {"kind": "openapi", "spec": "billing"}}}}'`,
    ],
  },
});

export const computeDocument = operation({
  id: 'spaces.content.compute-document',
  route: 'POST /spaces/:spaceId/content/computed/document',
  summary: 'Show one document that is generated from an OpenAPI specification',
  description:
    'Changes nothing. The source is the field `computed` of a generated page, and the seed is its field `computedSeed`. `docsctl spaces content compute -o json` shows both.',
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
    'A template is a space of the same organization. The pages, files and includes of the template are added at the end. A link to /refs/NAME in the template becomes a link to the target that `params` gives for NAME. Without `changeRequestId`, the content of the space itself changes: this requires the review role, and is refused if the space or its organization has merge rules.',
  access: 'space.edit',
  body: closed({
    id: Type.String({ ...Id, description: 'template' }),
    params: Type.Optional({
      ...TemplateParams,
      description:
        'targets of the links to /refs/NAME in the template, by NAME; `kind` is page, file, openapi or url, and the field with the same name as the kind holds the target',
    }),
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
      `docsctl spaces content apply-template Guide --id Template --params '{"contentRefs": {"start": {"kind": "url", "url": "https://example.com"}}}'`,
    ],
  },
});
