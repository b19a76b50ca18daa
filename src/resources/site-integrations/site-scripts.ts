import type { Static } from '../../contract/schema.ts';
import type { UrlContext } from '../../core/handler.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { policyDirectives } from '../integration-events/content-policy.ts';
import { addsScript, listOnSite } from '../integration-events/targets.ts';
import type { SiteScript } from '../site-structure/contract.ts';

type SiteContext = UrlContext & { readonly tx: ReadTransaction; readonly site: SiteRow };

/** Returns the scripts that the integrations of a site add to its pages. */
export async function scriptsOfSite({ tx, site, url }: SiteContext): Promise<Static<typeof SiteScript>[]> {
  return (await listOnSite(tx, site)).filter(addsScript).map(({ integration, installation }) => {
    const policy = policyDirectives(integration).join('; ');
    return {
      script: url(
        `/v1/integrations/${integration.id}/installations/${installation.id}/sites/${site.id}/script.js`,
      ),
      ...(policy === '' ? {} : { contentSecurityPolicy: policy }),
      cookies: integration.scopes.includes('site:script:cookies'),
    };
  });
}
