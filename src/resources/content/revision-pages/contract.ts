import type { NounHelp } from '../../../contract/operation.ts';
import { revisionBase } from '../base.ts';
import { pageOperations } from '../declarations.ts';

export const nounHelp: NounHelp = {
  description: 'These commands show the pages of an earlier revision of a space.',
  examples: ['docsctl revisions pages list rev_6 --space Guide'],
};

export const { listPages, getPage, getPageByPath } = pageOperations(revisionBase);
