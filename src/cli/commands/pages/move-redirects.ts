import { listAll } from '../../../contract/each-page.ts';
import type { ItemOf, OutputOf } from '../../../contract/operation.ts';
import { defined, listSome } from '../../../contract/values.ts';
import { comparable } from '../../../core/redirect-paths.ts';
import { isProblem } from '../../../errors/problem.ts';
import { listSiteRedirects, upsertSiteRedirects } from '../../../resources/site-redirects/contract.ts';
import { listSiteSpaces } from '../../../resources/site-spaces/contract.ts';
import { encodePath } from '../../../resources/site-structure/paths.ts';
import { listSites } from '../../../resources/sites/contract.ts';
import { getSpace } from '../../../resources/spaces/contract.ts';
import type { Moved } from '../../moved-redirects.ts';
import type { Session } from '../../session.ts';
import type { Transferred } from './transfer.ts';

type Site = ItemOf<typeof listSites>;
type SiteSpace = ItemOf<typeof listSiteSpaces>;
type Redirect = Pick<Moved, 'source' | 'captureWildcard' | 'destination' | 'target'>;

/** The most redirects that one call takes. */
const maxBatch = 500;

/**
 * Redirects the old addresses of pages that moved to another space to the new ones, on each published site that shows their
 * old space. Earlier redirects to the pages lead to the new addresses too, and other redirects are kept. Where a site does not
 * show the new space, they lead to the first published site that does.
 */
export async function redirectMovedPages(
  session: Session,
  { copy, ids, pages }: Transferred,
  spaceId: string,
): Promise<readonly Moved[]> {
  const { organization: organizationId } = await session.call(getSpace, { params: { spaceId } });
  const listPublished = (space: string): Promise<Site[]> =>
    listAll(session, listSites, { params: { organizationId }, query: { space, published: true } });
  const placesOf = ({ id }: Site): Promise<SiteSpace[]> =>
    listAll(session, listSiteSpaces, { params: { organizationId, siteId: id } });
  const showing = (places: readonly SiteSpace[]): SiteSpace | undefined =>
    places.find(({ space, urls }) => space.id === spaceId && urls.published !== undefined);
  let elsewhere: Promise<SiteSpace | undefined> | undefined;
  const findElsewhere = async (): Promise<SiteSpace | undefined> => {
    for (const site of await listPublished(spaceId)) {
      const found = showing(await placesOf(site));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const paths = new Map(pages.flatMap((page) => ('path' in page ? [[page.id, page.path]] : [])));
  const moved: Moved[] = [];
  const unreachable: string[] = [];
  const hidden: string[] = [];
  for (const site of await listPublished(copy.source.spaceId)) {
    const root = site.urls.published;
    if (root === undefined) {
      hidden.push(site.title);
      continue;
    }
    const places = await placesOf(site);
    const here = showing(places);
    const target = here ?? (await (elsewhere ??= findElsewhere()));
    if (target === undefined) {
      unreachable.push(site.title);
      continue;
    }
    const redirectTo = (pageId: string): Pick<Redirect, 'destination' | 'target'> => {
      const url = `${withSlash(target.urls.published ?? '')}${encodePath(paths.get(pageId) ?? '')}`;
      return here === undefined
        ? { destination: { kind: 'external', url }, target: url }
        : { destination: { kind: 'site-page', siteSpaceId: here.id, pageId }, target: pathBelow(root, url) };
    };
    const found = new Map<string, Redirect>();
    const kept = new Set<string>();
    const params = { organizationId, siteId: site.id };
    for (const { source, captureWildcard, destination } of await listAll(session, listSiteRedirects, {
      params,
    })) {
      const pageId = destination.kind === 'site-page' ? ids.get(destination.pageId) : undefined;
      if (pageId === undefined) kept.add(comparable(source));
      else found.set(comparable(source), { source, captureWildcard, ...redirectTo(pageId) });
    }
    for (const { space, urls } of places)
      for (const { page } of space.id === copy.source.spaceId ? copy.pages : []) {
        const pageId = ids.get(page.id);
        if (pageId === undefined || !('path' in page) || page.type === 'link') continue;
        const source = `${pathBelow(root, withSlash(urls.published ?? root))}${encodePath(page.path)}`;
        if (kept.has(comparable(source))) continue;
        found.set(comparable(source), { source, captureWildcard: false, ...redirectTo(pageId) });
      }
    moved.push(...(await send(session, organizationId, site, [...found.values()])));
  }
  if (unreachable.length > 0)
    session.note(
      `warning: no published site shows the new space, so old addresses have no redirects on ${listSome(unreachable)}.`,
    );
  if (hidden.length > 0)
    session.note(
      `warning: the addresses of ${listSome(hidden)} are not shown to you, so the old ones have no redirects there.`,
    );
  return moved;
}

/** Creates or replaces redirects of a site, and warns of those that the server refuses: the pages have moved already. */
async function send(
  session: Session,
  organizationId: string,
  { id: siteId, title }: Site,
  all: readonly Redirect[],
): Promise<Moved[]> {
  const moved: Moved[] = [];
  for (let at = 0; at < all.length; at += maxBatch) {
    const batch = all.slice(at, at + maxBatch);
    const redirects = batch.map(({ source, captureWildcard, destination }) => ({
      source,
      captureWildcard,
      destination,
    }));
    const params = { organizationId, siteId };
    let results: OutputOf<typeof upsertSiteRedirects>['results'];
    try {
      ({ results } = await session.call(upsertSiteRedirects, { params, body: { redirects } }));
    } catch (error) {
      if (!isProblem(error, 'forbidden')) throw error;
      session.note(`warning: ${title} has no redirects from the old addresses. ${error.message}`);
      return moved;
    }
    for (const [index, { status, id, error }] of results.entries()) {
      const redirect = batch[index]!;
      if (error !== undefined) session.note(`warning: ${title}: ${redirect.source}: ${error}`);
      else {
        const action = status === 'created' ? 'create' : 'replace';
        const site = { id: siteId, title };
        moved.push({ object: 'moved-redirect', site, action, ...redirect, done: true, ...defined({ id }) });
      }
    }
  }
  return moved;
}

function withSlash(url: string): string {
  return url.replace(/\/*$/, '/');
}

/** The path of an address below the address of its site. Starts with a slash. */
function pathBelow(root: string, url: string): string {
  return url.slice(withSlash(root).length - 1);
}
