import { isRecord } from '../contract/values.ts';
import type { Session } from './session.ts';
import { shellWord } from './suggestions.ts';

/** Says how to show sites that were published while the server, or the store, shows no sites at addresses of their own. */
export function notePublished(session: Session, sites: readonly unknown[]): void {
  const hidden = sites.filter(isBelowApi);
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

/** Whether the address of a site is below that of the API, which shows no sites itself. */
function isBelowApi(site: unknown): site is PublishedSite {
  if (!isRecord(site) || !isRecord(site['urls'])) return false;
  const { location, published } = site['urls'];
  return (
    typeof location === 'string' &&
    typeof published === 'string' &&
    new URL(location).origin === new URL(published).origin
  );
}
