import { ok, operation, type NounHelp } from '../../../contract/operation.ts';
import { RichDocument } from '../../../contract/shapes.ts';
import { revisionBase } from '../base.ts';
import { evaluationFlags, pageOperations } from '../declarations.ts';

export const nounHelp: NounHelp = {
  description: 'These commands show the pages of an earlier revision of a space.',
  examples: ['docsctl revisions pages list rev_6 --space Guide'],
};

export const { listPages, getPage, getPageByPath, listPageMetaLinks } = pageOperations(revisionBase);

export const getPageDocument = operation({
  id: 'revisions.pages.document',
  route: `GET ${revisionBase.path}/page/:pageId/document`,
  summary: 'Show the document of a page of a revision',
  description:
    'A document is the text of a page as a tree of blocks. Groups of pages and links have no document.',
  access: 'revision.read',
  query: evaluationFlags,
  returns: ok(RichDocument),
  cli: { examples: ['docsctl revisions pages document quickstart --space Guide --revision rev_6 -o json'] },
});
