import { changeRequestBase } from '../base.ts';
import { linkOperations, pageOperations } from '../declarations.ts';

export const { listPages, getPage, getPageByPath } = pageOperations(changeRequestBase);
export const { listPageLinks, listPageBacklinks } = linkOperations(changeRequestBase);
