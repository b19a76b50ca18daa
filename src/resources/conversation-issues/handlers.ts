import type { Handler } from '../../core/handler.ts';
import { later } from '../../core/later.ts';
import type * as contract from './contract.ts';

export const listIssues: Handler<typeof contract.listIssues> = later;
export const getIssue: Handler<typeof contract.getIssue> = later;
