import type { Handler } from '../../core/handler.ts';
import { later } from '../../core/later.ts';
import type * as contract from './contract.ts';

export const listClusters: Handler<typeof contract.listClusters> = later;
export const getCluster: Handler<typeof contract.getCluster> = later;
export const updateCluster: Handler<typeof contract.updateCluster> = later;
