import type { Handler } from '../../core/handler.ts';
import { later } from '../../core/later.ts';
import type * as contract from './contract.ts';

export const listTranslations: Handler<typeof contract.listTranslations> = later;
export const createTranslation: Handler<typeof contract.createTranslation> = later;
export const getTranslation: Handler<typeof contract.getTranslation> = later;
export const updateTranslation: Handler<typeof contract.updateTranslation> = later;
export const deleteTranslation: Handler<typeof contract.deleteTranslation> = later;
export const runTranslation: Handler<typeof contract.runTranslation> = later;
