import type { Handler } from '../../core/handler.ts';
import { later } from '../../core/later.ts';
import type * as contract from './contract.ts';

export const listProviders: Handler<typeof contract.listProviders> = later;
export const createProvider: Handler<typeof contract.createProvider> = later;
export const getProvider: Handler<typeof contract.getProvider> = later;
export const updateProvider: Handler<typeof contract.updateProvider> = later;
export const deleteProvider: Handler<typeof contract.deleteProvider> = later;
