import type { NounHelp } from '../../../contract/operation.ts';
import { changeRequestBase } from '../base.ts';
import { linkOperations, pageOperations } from '../declarations.ts';

export const nounHelp: NounHelp = {
  description:
    'The pages of a change request are the pages of its space with the edits of the change request. `docsctl pages` edits pages.',
  examples: ['docsctl change-requests pages list 7 --space Guide'],
};

export const { listPages, getPage, getPageByPath, listPageMetaLinks } = pageOperations(changeRequestBase);
export const { listPageLinks, listPageBacklinks } = linkOperations(changeRequestBase);
