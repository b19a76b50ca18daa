import { chunk } from '../../contract/values.ts';
import { maxBatch, upsertSiteRedirects } from '../../resources/site-redirects/contract.ts';
import type { Moved } from './moved-redirects.ts';
import type { Session } from '../session/session.ts';

/** Creates redirects for moved pages, and returns the created ones. Notes why others were not created. */
export async function makeMoved(
  session: Session,
  organizationId: string,
  wanted: readonly Moved[],
): Promise<ReadonlySet<Moved>> {
  const made = new Set<Moved>();
  for (const siteId of new Set(wanted.map(({ site }) => site.id))) {
    const ofSite = wanted.filter(({ site }) => site.id === siteId);
    for (const part of chunk(ofSite, maxBatch)) {
      const redirects = part.map(({ action, source, captureWildcard, destination }) =>
        action === 'delete' ? { source, destination: null } : { source, captureWildcard, destination },
      );
      // The pages have already moved, so an interruption must not skip their redirects.
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
