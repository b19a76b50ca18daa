import { upsertSiteRedirects } from '../../resources/site-redirects/contract.ts';
import type { Moved } from './moved-redirects.ts';
import type { Session } from '../session/session.ts';

/** The most redirects in one request. */
const maxInCall = 500;

/** Makes redirects of what has moved, and returns those that were made. Notes why others were not. */
export async function makeMoved(
  session: Session,
  organizationId: string,
  wanted: readonly Moved[],
): Promise<ReadonlySet<Moved>> {
  const made = new Set<Moved>();
  for (const siteId of new Set(wanted.map(({ site }) => site.id))) {
    const ofSite = wanted.filter(({ site }) => site.id === siteId);
    for (let start = 0; start < ofSite.length; start += maxInCall) {
      const part = ofSite.slice(start, start + maxInCall);
      const redirects = part.map(({ action, source, captureWildcard, destination }) =>
        action === 'delete' ? { source, destination: null } : { source, captureWildcard, destination },
      );
      // What moved has moved: an interruption does not leave its redirects out.
      const api = await session.api();
      const { results } = await api.call(upsertSiteRedirects, {
        params: { organizationId, siteId },
        body: { redirects },
      });
      for (const [index, { status, source, error = '' }] of results.entries()) {
        const one = part[index];
        if (status !== 'error' && one !== undefined) made.add(one);
        else session.note(`warning: the redirect from ${source} was not created: ${error}`);
      }
    }
  }
  return made;
}
