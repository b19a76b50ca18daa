import { isRecord } from '../contract/values.ts';
import { defaultServerUrls } from '../core/server-urls.ts';
import type { Session } from './session.ts';
import { shellWord } from './shell-word.ts';

/**
 * Says how to show sites that were published while the server, or the store, shows no sites at addresses of their own, or at those
 * that a server of this machine has.
 */
export function notePublished(session: Session, sites: readonly unknown[]): void {
  const hidden = sites.filter(isLocal);
  const [first] = hidden;
  if (first === undefined) return;
  const answers = hidden.length === 1 ? `${first.urls.published} answers` : 'These addresses answer';
  session.note(
    `${answers} only while \`docsctl serve --sites-port 8081\` runs. To look at the site on this machine, run \`docsctl sites preview ${shellWord(first.title)}\`.`,
  );
}

interface PublishedSite {
  readonly title: string;
  readonly urls: { readonly published: string };
}

/** Whether the address of a site is below that of the API, which shows no sites itself, or on the port that no server may have. */
function isLocal(site: unknown): site is PublishedSite {
  if (!isRecord(site) || !isRecord(site['urls'])) return false;
  const { location, published } = site['urls'];
  if (typeof location !== 'string' || typeof published !== 'string') return false;
  const { origin } = new URL(published);
  return origin === new URL(location).origin || origin === defaultServerUrls.sitesUrl;
}
