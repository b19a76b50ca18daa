import { ok, operation, type NounHelp } from '../../../contract/operation.ts';
import { RichDocument } from '../../../contract/shapes.ts';
import { revisionBase } from '../base.ts';
import { evaluationFlags, reusableContentOperations } from '../declarations.ts';

export const nounHelp: NounHelp = {
  description: 'These commands show the pieces of text that pages of an earlier revision of a space include.',
  examples: ['docsctl revisions reusable-contents list rev_6 --space Guide'],
};

export const { listReusableContents, getReusableContent } = reusableContentOperations(revisionBase);

export const getReusableContentDocument = operation({
  id: 'revisions.reusable-contents.document',
  route: `GET ${revisionBase.path}/reusable-contents/:reusableContentId/document`,
  summary: 'Show the document of a reusable content of a revision',
  description:
    'In this document, expressions that read the variables of a page have no value, because the reusable content belongs to no page.',
  access: 'revision.read',
  query: evaluationFlags,
  returns: ok(RichDocument),
  cli: {
    examples: ['docsctl revisions reusable-contents document Support --space Guide --revision rev_6 -o json'],
  },
});
