import { eachPage } from '../../../contract/each-page.ts';
import type { OutputOf } from '../../../contract/operation.ts';
import { defined, listSome } from '../../../contract/values.ts';
import { listSiteRedirects, upsertSiteRedirects } from '../../../resources/site-redirects/contract.ts';
import { listSiteSpaces } from '../../../resources/site-spaces/contract.ts';
import { segmentOf } from '../../../resources/site-structure/paths.ts';
import { listSites } from '../../../resources/sites/contract.ts';
import { getSpace } from '../../../resources/spaces/contract.ts';
import type { Moved } from '../../moved-redirects.ts';
import type { Session } from '../../session.ts';
import type { Transferred } from './transfer.ts';

type SiteSpace = OutputOf<typeof listSiteSpaces>['items'][number];

/** The most redirects that one call takes. */
const maxBatch = 500;

/**
 * Redirects the old addresses of pages that moved to another space to the new ones, on each published site that shows their
 * old space. Earlier redirects to the pages lead to the new addresses too. Where a site does not show the new space, they lead
 * to the first published site that does.
 */
export async function redirectMovedPages(
  session: Session,
  { copy, ids, pages }: Transferred,
  spaceId: string,
): Promise<readonly Moved[]> {
  const { organization: organizationId } = await session.call(getSpace, { params: { spaceId } });
  const sites: { site: Moved['site']; root: string; places: readonly SiteSpace[] }[] = [];
  const hidden: string[] = [];
  for await (const { items } of eachPage((page) =>
    session.call(listSites, { params: { organizationId }, query: defined({ page, limit: 500 }) }),
  ))
    for (const { id, title, published, urls } of items) {
      if (!published) continue;
      const params = { organizationId, siteId: id };
      const all: SiteSpace[] = [];
      for await (const list of eachPage((page) =>
        session.call(listSiteSpaces, { params, query: defined({ page, limit: 500 }) }),
      ))
        all.push(...list.items);
      const root = urls.published;
      if (root !== undefined) sites.push({ site: { id, title }, root, places: all });
      else if (all.some(({ space }) => space.id === copy.source.spaceId)) hidden.push(title);
    }
  const paths = new Map(pages.flatMap((page) => ('path' in page ? [[page.id, page.path]] : [])));
  const moved: Moved[] = [];
  const unreachable: string[] = [];
  for (const { site, root, places } of sites) {
    const from = places.filter(({ space }) => space.id === copy.source.spaceId);
    if (from.length === 0) continue;
    const showing = (list: readonly SiteSpace[]): SiteSpace | undefined =>
      list.find(({ space, urls }) => space.id === spaceId && urls.published !== undefined);
    const here = showing(places);
    const target = here ?? showing(sites.flatMap((other) => other.places));
    if (target === undefined) {
      unreachable.push(site.title);
      continue;
    }
    const redirectTo = (pageId: string): Pick<Moved, 'destination' | 'target'> => {
      const url = `${withSlash(target.urls.published ?? '')}${encodePath(paths.get(pageId) ?? '')}`;
      return here === undefined
        ? { destination: { kind: 'external', url }, target: url }
        : { destination: { kind: 'site-page', siteSpaceId: here.id, pageId }, target: pathBelow(root, url) };
    };
    const found = new Map<string, Pick<Moved, 'destination' | 'target'>>();
    const params = { organizationId, siteId: site.id };
    for await (const { items } of eachPage((page) =>
      session.call(listSiteRedirects, { params, query: defined({ page, limit: 500 }) }),
    ))
      for (const { source, destination } of items) {
        const pageId = destination.kind === 'site-page' ? ids.get(destination.pageId) : undefined;
        if (pageId !== undefined) found.set(source, redirectTo(pageId));
      }
    for (const { urls } of from)
      for (const { page } of copy.pages) {
        const pageId = ids.get(page.id);
        if (pageId === undefined || !('path' in page) || page.type === 'link') continue;
        const base = pathBelow(root, withSlash(urls.published ?? root));
        found.set(`${base}${encodePath(page.path)}`, redirectTo(pageId));
      }
    const all = [...found].map(([source, to]) => ({ source, ...to }));
    for (let at = 0; at < all.length; at += maxBatch) {
      const batch = all.slice(at, at + maxBatch);
      const redirects = batch.map(({ source, destination }) => ({ source, destination }));
      const { results } = await session.call(upsertSiteRedirects, { params, body: { redirects } });
      for (const [index, { status, id, error }] of results.entries()) {
        const { source, ...to } = batch[index]!;
        if (error !== undefined) session.note(`warning: ${site.title}: ${source}: ${error}`);
        else {
          const action = status === 'created' ? 'create' : 'replace';
          const redirect = {
            object: 'moved-redirect' as const,
            site,
            action,
            source,
            captureWildcard: false,
          };
          moved.push({ ...redirect, ...to, done: true, ...defined({ id }) } as Moved);
        }
      }
    }
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

function withSlash(url: string): string {
  return url.replace(/\/*$/, '/');
}

/** The path of an address below the address of its site. Starts with a slash. */
function pathBelow(root: string, url: string): string {
  return url.slice(withSlash(root).length - 1);
}

/** The path of a page as addresses and the sources of redirects have it. */
function encodePath(path: string): string {
  return path
    .split('/')
    .map((part) =>
      segmentOf(part).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/');
}
