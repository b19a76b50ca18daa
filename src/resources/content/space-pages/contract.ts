import type { NounHelp } from '../../../contract/operation.ts';
import { spaceBase } from '../base.ts';
import { linkOperations, pageOperations } from '../declarations.ts';

export const nounHelp: NounHelp = {
  description:
    'These commands show the pages of a space, without the edits of change requests that are not merged. `docsctl pages` edits pages.',
  examples: ['docsctl spaces pages list Guide', 'docsctl spaces pages backlinks quickstart --space Guide'],
};

export const { listPages, getPage, getPageByPath, listPageMetaLinks } = pageOperations(spaceBase);
export const { listPageLinks, listPageBacklinks } = linkOperations(spaceBase);
