import type { Handler } from '../../core/handler.ts';
import { policyDirectives } from '../integration-events/content-policy.ts';
import { listOnSite } from '../integration-events/targets.ts';
import { pageOfInstalled } from '../integrations/installed.ts';
import type * as contract from './contract.ts';

export const listSiteIntegrations: Handler<typeof contract.listSiteIntegrations> = async (
  context,
  { query },
) => pageOfInstalled(context, await listOnSite(context.tx, context.site), query);

export const listSiteScripts: Handler<typeof contract.listSiteScripts> = async ({ tx, site, url }) =>
  (await listOnSite(tx, site))
    .filter(({ integration }) => integration.scopes.includes('site:script:inject'))
    .map(({ integration, installation }) => {
      const policy = policyDirectives(integration).join('; ');
      return {
        script: url(
          `/v1/integrations/${integration.id}/installations/${installation.id}/sites/${site.id}/script.js`,
        ),
        ...(policy === '' ? {} : { contentSecurityPolicy: policy }),
        cookies: integration.scopes.includes('site:script:cookies'),
      };
    });
