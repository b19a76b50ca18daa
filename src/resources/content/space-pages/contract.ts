import { spaceBase } from '../base.ts';
import { linkOperations, pageOperations } from '../declarations.ts';

export const { listPages, getPage, getPageByPath } = pageOperations(spaceBase);
export const { listPageLinks, listPageBacklinks } = linkOperations(spaceBase);
