import { createHash } from 'node:crypto';
import { organizations } from '../core/rows/organizations.ts';
import type { SiteRow } from '../core/rows/sites.ts';
import type { ReadTransaction } from '../core/store.ts';
import { policyDirectives } from '../resources/integration-events/content-policy.ts';
import type { Recipient } from '../resources/integration-events/environment.ts';
import { addsScript, listOnSite } from '../resources/integration-events/targets.ts';

/** A script that an integration adds to the pages of a site. */
export interface SiteScript {
  /** The name of its file. It changes with the integration and its settings. */
  readonly name: string;
  readonly recipient: Recipient;
  /** Whether it may run only after the reader has accepted cookies. */
  readonly needsCookies: boolean;
}

/**
 * Finds the scripts that integrations add to the pages of a site. There are none if the site shares its origin with sites of
 * other organizations, because a script could read these sites with the cookies of the browser.
 */
export async function listSiteScripts(
  tx: ReadTransaction,
  site: SiteRow,
  sharesOrigin: boolean,
): Promise<SiteScript[]> {
  const all = (await listOnSite(tx, site)).filter(addsScript);
  if (all.length === 0 || (sharesOrigin && (await hasOthers(tx)))) return [];
  return all.map((recipient) => {
    const { integration, installation, target } = recipient;
    const made = JSON.stringify([
      integration.id,
      integration.version,
      integration.updatedAt,
      installation.configuration,
      target,
    ]);
    const hash = createHash('sha256').update(made).digest('hex').slice(0, 12);
    return {
      name: `${integration.id}-${hash}.js`,
      recipient,
      needsCookies: integration.scopes.includes('site:script:cookies'),
    };
  });
}

/** Whether the server has more than one organization. */
async function hasOthers(tx: ReadTransaction): Promise<boolean> {
  return (await tx.scan(organizations, '', 2)).length > 1;
}

/** The directives to which integrations may add hosts. */
const openDirectives = new Set([
  'script-src',
  'connect-src',
  'img-src',
  'style-src',
  'font-src',
  'frame-src',
  'media-src',
]);
/** Matches a host with an encrypted protocol. Inline scripts, eval and `*` are not allowed. */
const hostSource =
  /^(?:(?:https|wss):\/\/)?(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?(?:\/[\w./~%-]*)?$/i;

/** Returns the hosts that the scripts of integrations need in the content security policy, by directive. */
export function scriptOrigins(scripts: readonly SiteScript[]): Record<string, string[]> {
  const origins: Record<string, string[]> = {};
  for (const { recipient } of scripts)
    for (const directive of policyDirectives(recipient.integration)) {
      const [name = '', ...sources] = directive.toLowerCase().split(/\s+/);
      if (!openDirectives.has(name)) continue;
      const hosts = sources
        .filter((source) => hostSource.test(source))
        .map((source) => (source.includes('://') ? source : `https://${source}`));
      (origins[name] ??= []).push(...hosts);
    }
  return origins;
}
