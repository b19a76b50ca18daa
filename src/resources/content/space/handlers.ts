import type { Handler } from '../../../core/handler.ts';
import { later } from '../../../core/later.ts';
import { wholeContent } from '../whole.ts';
import type * as contract from './contract.ts';

export const getContent: Handler<typeof contract.getContent> = (context, { query }) => wholeContent(context, query);
export const applyTemplate: Handler<typeof contract.applyTemplate> = later;
