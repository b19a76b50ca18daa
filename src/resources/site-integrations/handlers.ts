import type { Handler } from '../../core/handler.ts';
import { pageOfArray } from '../../core/listing.ts';
import { policyDirectives } from '../integration-events/content-policy.ts';
import { listOnSite } from '../integration-events/targets.ts';
import { shapeIntegration } from '../integrations/shape.ts';
import type * as contract from './contract.ts';

export const listSiteIntegrations: Handler<typeof contract.listSiteIntegrations> = async (
  context,
  { query },
) => {
  const search = query.search?.toLowerCase() ?? '';
  const found = await listOnSite(context.tx, context.site);
  const rows = found
    .map(({ integration }) => integration)
    .filter(({ id, looks }) =>
      `${id} ${(looks as { title?: string }).title ?? ''}`.toLowerCase().includes(search),
    );
  const page = pageOfArray(rows, query);
  return { ...page, items: await Promise.all(page.items.map((row) => shapeIntegration(context, row))) };
};

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
