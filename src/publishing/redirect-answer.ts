import { comparable, pathOnSite } from '../core/redirect-paths.ts';
import { decodedCapture, findRedirect } from '../resources/site-redirects/match.ts';
import { appendPath } from '../resources/site-redirects/targets.ts';
import type { SiteRedirectRow } from '../resources/site-redirects/rows.ts';
import { redirectTo } from './answer-headers.ts';
import { encodePath, segmentOf } from '../resources/site-structure/paths.ts';
import { pageAtAddress } from './page-address.ts';
import { hrefOf, pageAt, type OpenSpace } from './page-links.ts';
import { isSamePath, queryOf } from './request-addresses.ts';
import type { ShownSpace } from './site-map.ts';
import type { SiteAnswer } from './site-request.ts';
import type { SiteView } from './site-view.ts';
import type { Visit } from './visit.ts';

/**
 * Returns the answer for a path of a space at which there is no page, if there is a redirect: of the site, of the space, or from
 * a path that names the default section or space. `path` has no `.md`. The old address of the Markdown of a page leads to its new
 * one.
 */
export async function movedAnswer(
  visit: Visit,
  open: OpenSpace,
  path: string,
  isMarkdown = false,
): Promise<SiteAnswer | undefined> {
  const answer =
    (await redirectAnswer(visit)) ??
    spaceRedirectAnswer(visit, open, isMarkdown ? `${path}.md` : path) ??
    (await defaultPathAnswer(visit));
  if (!isMarkdown) return answer;
  const { request, visitor, view } = visit;
  const ofPage = {
    ...visit,
    request: { ...request, path: request.path.replace(/\.md$/, '') },
    visitor: { ...visitor, segments: [...visitor.segments.slice(0, -1), path.split('/').at(-1) ?? ''] },
  };
  const moved = answer ?? (await movedAnswer(ofPage, open, path));
  const [, to = '', query = ''] = /^([^?#~]*)(\?.*)?$/.exec(String(moved?.headers['location'])) ?? [];
  if (moved === undefined || !to.startsWith(view.map.base) || to.endsWith('.md')) return moved;
  const location = `${to}${to.endsWith('/') ? 'index' : ''}.md${query}`;
  return { ...moved, headers: { ...moved.headers, location } };
}

/**
 * Returns the answer of the redirect of a site for the path; undefined if there is none, or the visitor cannot see its
 * destination.
 */
async function redirectAnswer({ view, visitor, request }: Visit): Promise<SiteAnswer | undefined> {
  const { map, tx } = view;
  const path = `/${encodePath(visitor.segments.join('/'))}`;
  const redirect = await findRedirect(tx, map.site.id, path);
  if (redirect === undefined) return undefined;
  const address = await addressAfter(view, redirect, path);
  const { permanent } = redirect;
  if (address === undefined || (await isLoop(view, redirect, address))) return undefined;
  if (redirect.destination.kind === 'external') return redirectTo(address, { permanent });
  // The redirect would lead to itself.
  if (isSamePath(request.path, address)) return undefined;
  return redirectTo(address + queryOf(request), { permanent });
}

/** Returns the address to which a redirect leads from a path; undefined if the visitor cannot open its destination. */
async function addressAfter(
  view: SiteView,
  redirect: SiteRedirectRow,
  path: string,
): Promise<string | undefined> {
  const target = await targetFor(view, redirect.destination);
  const captured = redirect.captureWildcard ? decodedCapture(redirect, path) : '';
  return target === undefined ? undefined : appendPath(target, captured);
}

/** Whether a redirect leads back to itself. Changes of the site after the redirects were created can cause this. */
async function isLoop(view: SiteView, first: SiteRedirectRow, start: string): Promise<boolean> {
  const { map, origin, tx } = view;
  const seen = new Set([first.id]);
  let address: string | undefined = start;
  while (address !== undefined) {
    // Without an address of the site, URLs lead elsewhere.
    const path = address.startsWith('/')
      ? address.slice(map.base.length - 1)
      : pathOnSite(origin === '' ? [] : [origin + map.base], address);
    if (path === undefined || (await pageAtAddress(view, map.base + path.slice(1))) !== undefined)
      return false;
    const next: SiteRedirectRow | undefined = await findRedirect(tx, map.site.id, path);
    if (next === undefined) return false;
    if (seen.has(next.id)) return true;
    seen.add(next.id);
    address = await addressAfter(view, next, path);
  }
  return false;
}

/**
 * Returns the answer of the redirects in the .gitbook.yaml of a space, for a path in it. Redirects of the site take precedence.
 */
function spaceRedirectAnswer({ request }: Visit, open: OpenSpace, path: string): SiteAnswer | undefined {
  const { redirects, byId } = open.pages;
  const to = redirects.get(comparable(path))?.to;
  if (to === undefined) return undefined;
  if (/^https?:/i.test(to)) return redirectTo(to);
  for (const page of byId.values())
    if (page.entry?.git?.path === to) {
      const href = hrefOf(open, page);
      return isSamePath(request.path, href) ? undefined : redirectTo(href + queryOf(request));
    }
  return undefined;
}

/**
 * Returns a redirect for a path that names the default section or space of the site, which its addresses leave out. The default
 * may change, so browsers should not cache it.
 */
async function defaultPathAnswer({ view, visitor, request }: Visit): Promise<SiteAnswer | undefined> {
  const { map } = view;
  const path = visitor.segments.map((segment) => `${segmentOf(segment)}/`).join('');
  for (const shown of map.spaces)
    for (const spelled of spelledPaths(shown, map.base)) {
      if (!path.toLowerCase().startsWith(spelled.toLowerCase())) continue;
      const open = await view.openSpace(shown);
      const depth = spelled.split('/').length - 1;
      const page = pageAt(open, visitor.segments.slice(depth).join('/'));
      if (page !== undefined) return redirectTo(hrefOf(open, page) + queryOf(request));
    }
  return undefined;
}

/** Returns the paths below the site that name a space explicitly, including default sections and spaces. */
function spelledPaths({ row, section, base }: ShownSpace, root: string): readonly string[] {
  const own = `${segmentOf(row.path)}/`;
  if (section === undefined) return base === root ? [own] : [];
  const above = `${segmentOf(section.row.path)}/`;
  const spelled = [above + own];
  if (base === section.base) spelled.push(above);
  if (section.base === root) spelled.push(own);
  return spelled.filter((each) => root + each !== base);
}

/** Returns the destination of a redirect for this visitor: a path of the site, or a URL. */
async function targetFor(
  view: SiteView,
  destination: SiteRedirectRow['destination'],
): Promise<string | undefined> {
  const { spaces } = view.map;
  switch (destination.kind) {
    case 'external':
      return destination.url;
    case 'site-section': {
      for (const shown of spaces)
        if (shown.section?.row.id === destination.siteSectionId && (await view.hasStart(shown)))
          return shown.section.base;
      return undefined;
    }
    case 'site-space': {
      const shown = spaces.find(({ row }) => row.id === destination.siteSpaceId);
      return shown !== undefined && (await view.hasStart(shown)) ? shown.base : undefined;
    }
    case 'site-page': {
      const shown = spaces.find(({ row }) => row.id === destination.siteSpaceId);
      const open = shown && (await view.openSpace(shown));
      const page = open?.pages.byId.get(destination.pageId);
      return open === undefined || page === undefined ? undefined : hrefOf(open, page);
    }
  }
}
