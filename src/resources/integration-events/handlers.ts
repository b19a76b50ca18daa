import type { Handler } from '../../core/handler.ts';
import { later } from '../../core/later.ts';
import type * as contract from './contract.ts';

export const listEvents: Handler<typeof contract.listEvents> = later;
export const getEvent: Handler<typeof contract.getEvent> = later;
