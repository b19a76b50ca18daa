import { isRecord } from '../../contract/values.ts';
import { defaultServerUrls } from '../../core/server-urls.ts';
import type { Session } from '../session/session.ts';
import { shellWord } from '../../contract/shell-word.ts';

/** Notes how to show published sites that have no URL, or one that works only while a server on this machine shows sites. */
export function notePublished(session: Session, sites: readonly unknown[]): void {
  const hidden = sites.filter(isLocal);
  const [first] = hidden;
  if (first === undefined) return;
  const isOne = hidden.length === 1;
  const { published } = first.urls;
  const sentence =
    published === undefined
      ? `No server shows sites, so the published ${isOne ? 'site has' : 'sites have'} no address yet. To show sites, start a server with \`docsctl serve --sites-port 8081\`.`
      : `${isOne ? `${published} answers` : 'These addresses answer'} only while \`docsctl serve --sites-port 8081\` runs.`;
  session.note(
    `${sentence} To look at the site on this machine, run \`docsctl sites preview ${shellWord(first.title)}\`.`,
  );
}

interface PublishedSite {
  readonly title: string;
  readonly urls: { readonly published?: string };
}

/** Whether a site has no URL, or the default one, which works only if a server uses it. */
function isLocal(site: unknown): site is PublishedSite {
  if (!isRecord(site) || !isRecord(site['urls'])) return false;
  const { published } = site['urls'];
  return typeof published !== 'string' || new URL(published).origin === defaultServerUrls.sitesUrl;
}
