import type { Handler } from '../../core/handler.ts';
import { later } from '../../core/later.ts';
import type * as contract from './contract.ts';

export const listInstallations: Handler<typeof contract.listInstallations> = later;
export const createInstallation: Handler<typeof contract.createInstallation> = later;
export const getInstallation: Handler<typeof contract.getInstallation> = later;
export const updateInstallation: Handler<typeof contract.updateInstallation> = later;
export const deleteInstallation: Handler<typeof contract.deleteInstallation> = later;
export const installOnSpace: Handler<typeof contract.installOnSpace> = later;
export const installOnSite: Handler<typeof contract.installOnSite> = later;
