import type { NounHelp } from '../../../contract/operation.ts';
import { spaceBase } from '../base.ts';
import { linkOperations, pageOperations } from '../declarations.ts';

export const nounHelp: NounHelp = {
  description: 'These commands show the published pages of a space. `docsctl pages` edits pages.',
  examples: ['docsctl spaces pages list Guide', 'docsctl spaces pages backlinks quickstart --space Guide'],
};

export const { listPages, getPage, getPageByPath, listPageMetaLinks } = pageOperations(spaceBase);
export const { listPageLinks, listPageBacklinks } = linkOperations(spaceBase);
