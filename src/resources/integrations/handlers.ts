import type { Handler } from '../../core/handler.ts';
import { later } from '../../core/later.ts';
import type * as contract from './contract.ts';

export const listIntegrations: Handler<typeof contract.listIntegrations> = later;
export const getIntegration: Handler<typeof contract.getIntegration> = later;
export const publishIntegration: Handler<typeof contract.publishIntegration> = later;
export const unpublishIntegration: Handler<typeof contract.unpublishIntegration> = later;
export const listIntegrationSpaces: Handler<typeof contract.listIntegrationSpaces> = later;
export const listIntegrationSites: Handler<typeof contract.listIntegrationSites> = later;
export const enableDev: Handler<typeof contract.enableDev> = later;
export const disableDev: Handler<typeof contract.disableDev> = later;
