import type { Handler } from '../../core/handler.ts';
import { later } from '../../core/later.ts';
import type * as contract from './contract.ts';

export const listSpecs: Handler<typeof contract.listSpecs> = later;
export const createSpec: Handler<typeof contract.createSpec> = later;
export const getSpec: Handler<typeof contract.getSpec> = later;
export const replaceSpec: Handler<typeof contract.replaceSpec> = later;
export const updateSpec: Handler<typeof contract.updateSpec> = later;
export const deleteSpec: Handler<typeof contract.deleteSpec> = later;
