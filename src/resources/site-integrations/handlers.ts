import type { Handler } from '../../core/handler.ts';
import { listOnSite } from '../integration-events/targets.ts';
import { pageOfInstalled } from '../integrations/installed.ts';
import type * as contract from './contract.ts';
import { scriptsOfSite } from './site-scripts.ts';

export const listSiteIntegrations: Handler<typeof contract.listSiteIntegrations> = async (
  context,
  { query },
) => pageOfInstalled(context, await listOnSite(context.tx, context.site), query);

export const listSiteScripts: Handler<typeof contract.listSiteScripts> = (context) => scriptsOfSite(context);
