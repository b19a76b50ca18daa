import { isRecord } from '../contract/values.ts';
import { defaultServerUrls } from '../core/server-urls.ts';
import type { Session } from './session.ts';
import { shellWord } from '../contract/shell-word.ts';

/** Notes how to show published sites whose addresses do not answer, or answer only while a server on this machine shows sites. */
export function notePublished(session: Session, sites: readonly unknown[]): void {
  const hidden = sites.filter(isLocal);
  const [first] = hidden;
  if (first === undefined) return;
  const answers = hidden.length === 1 ? `${first.urls.published} answers` : 'These addresses answer';
  const [subject, verb] = hidden.length === 1 ? ['site', 'has'] : ['sites', 'have'];
  const sentence = isBelowApi(first)
    ? `The server shows no sites, so the published ${subject} ${verb} no address yet. To show sites, start it with \`docsctl serve --sites-port 8081\`.`
    : `${answers} only while \`docsctl serve --sites-port 8081\` runs.`;
  session.note(
    `${sentence} To look at the site on this machine, run \`docsctl sites preview ${shellWord(first.title)}\`.`,
  );
}

/** A published site as a table shows it: without an address at which a server would show sites, but shows none. */
export function withoutDeadAddress(site: unknown): unknown {
  if (!isLocal(site) || !isBelowApi(site)) return site;
  const { published: _, ...urls } = site.urls;
  return { ...site, urls };
}

interface PublishedSite {
  readonly title: string;
  readonly urls: { readonly location: string; readonly published: string };
}

/** Whether the address of a site is below the API, which shows no sites, or is the default, which answers only if a server uses it. */
function isLocal(site: unknown): site is PublishedSite {
  if (!isRecord(site) || !isRecord(site['urls'])) return false;
  const { location, published } = site['urls'];
  if (typeof location !== 'string' || typeof published !== 'string') return false;
  const { origin } = new URL(published);
  return origin === new URL(location).origin || origin === defaultServerUrls.sitesUrl;
}

function isBelowApi({ urls: { location, published } }: PublishedSite): boolean {
  return new URL(published).origin === new URL(location).origin;
}
