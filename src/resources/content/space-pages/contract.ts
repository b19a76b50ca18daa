import { spaceBase } from '../base.ts';
import { pageOperations } from '../declarations.ts';

export const { listPages, getPage, getPageByPath, listPageLinks, listPageBacklinks } = pageOperations(spaceBase);
