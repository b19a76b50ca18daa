import type { PathParams } from '../../contract/operation.ts';
import { isRecord } from '../../contract/values.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { getPublishingAuth } from '../../resources/site-publishing-auth/contract.ts';
import { listShareLinks } from '../../resources/site-share-links/contract.ts';
import type { Session } from '../session/session.ts';

interface SiteParams {
  readonly organizationId: string;
  readonly siteId: string;
}

/** Notes which published sites nobody can open yet, because they have no active share link or no key for visitor tokens. */
export async function noteNoVisitors(
  session: Session,
  sites: readonly unknown[],
  { organizationId = '' }: PathParams = {},
): Promise<void> {
  for (const site of sites) {
    if (!isRecord(site) || site['published'] !== true) continue;
    const siteId = String(site['id']);
    const params = { organizationId, siteId };
    const missing =
      site['visibility'] === 'visitor-auth' && (await lacksKey(session, params))
        ? `key for visitor tokens. To create it, run \`docsctl sites publishing-auth regenerate ${siteId} --yes\`.`
        : site['visibility'] === 'share-link' && (await lacksLink(session, params))
          ? `active share link. To create one, run \`docsctl sites share-links create NAME --site ${siteId}\`.`
          : undefined;
    if (missing !== undefined)
      session.note(`Visitors cannot open the site "${String(site['title'])}" yet: it has no ${missing}`);
  }
}

/** False also if the caller may not see the key. */
async function lacksKey(session: Session, params: SiteParams): Promise<boolean> {
  try {
    await session.call(getPublishingAuth, { params });
    return false;
  } catch (error) {
    if (error instanceof Problem) return isProblem(error, 'not-found');
    throw error;
  }
}

/** False also if the caller may not see the links. */
async function lacksLink(session: Session, params: SiteParams): Promise<boolean> {
  try {
    const { items } = await session.call(listShareLinks, { params, query: { limit: 1000 } });
    return !items.some(({ active }) => active);
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
