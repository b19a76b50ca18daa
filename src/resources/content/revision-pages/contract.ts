import { revisionBase } from '../base.ts';
import { pageOperations } from '../declarations.ts';

export const { listPages, getPage, getPageByPath } = pageOperations(revisionBase);
