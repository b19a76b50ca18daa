import { getOrInsert } from '../../contract/values.ts';
import { GeneratedFinder } from '../../content/generated/find-generated.ts';
import { findPageByPath, readPageNode } from '../../content/page-node.ts';
import { readRevision } from '../../content/revisions.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { collectRows, type ReadTransaction } from '../../core/store.ts';
import { invalid, notFound, Problem } from '../../errors/problem.ts';
import { siteSections } from '../site-sections/rows.ts';
import { sectionOf } from '../site-sections/rules.ts';
import { siteSpaces, type SiteSpaceRow } from '../../core/rows/site-spaces.ts';
import { siteSpaceOf } from '../site-spaces/rules.ts';
import { findSiteSpaceAddress, sectionAddress } from '../site-structure/address.ts';
import { segmentOf } from '../site-structure/paths.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import type { RedirectDestination } from './rows.ts';

/** A destination in a request. It can name a page by its path in a space. */
export type InputDestination =
  | RedirectDestination
  | { readonly kind: 'path'; readonly spaceId: string; readonly path: string };

/**
 * Checks that a destination exists on the site, and replaces the path of a page by its ID.
 *
 * @throws Problem(not-found), or Problem(invalid-input) for a URL that a redirect cannot lead to
 */
export async function checkDestination(
  view: ReadTransaction,
  site: SiteRow,
  destination: InputDestination,
): Promise<RedirectDestination> {
  switch (destination.kind) {
    case 'external':
      return { kind: 'external', url: checkUrl(destination.url) };
    case 'site-section':
      await sectionOf(view, site.id, destination.siteSectionId);
      return destination;
    case 'site-space': {
      const { space } = await siteSpaceOf(view, site.id, destination.siteSpaceId);
      // The view leaves out spaces that the caller cannot open.
      if ((await view.get(spaces, space)) === undefined)
        throw notFound('site space', destination.siteSpaceId);
      return destination;
    }
    case 'site-page': {
      const shown = await siteSpaceOf(view, site.id, destination.siteSpaceId);
      if ((await pathOfPage(view, shown, destination.pageId)) === undefined)
        throw notFound('page', destination.pageId);
      return destination;
    }
    case 'path':
      return pageAt(view, site, destination.spaceId, destination.path);
  }
}

/** Returns the URL of a destination on a site with this address; undefined if the destination no longer exists. */
export async function targetOf(
  view: ReadTransaction,
  site: SiteRow,
  address: string,
  destination: RedirectDestination,
): Promise<string | undefined> {
  if (destination.kind === 'external') return destination.url;
  if (destination.kind === 'site-section')
    return addressOfSection(view, site, address, destination.siteSectionId);
  const shown = await view.get(siteSpaces, destination.siteSpaceId);
  // The view leaves out spaces that the caller cannot open.
  if (shown?.site !== site.id || (await view.get(spaces, shown.space)) === undefined) return undefined;
  const base = await findSiteSpaceAddress(view, address, site, shown);
  if (destination.kind === 'site-space') return base;
  const path = await pathOfPage(view, shown, destination.pageId);
  return path === undefined ? undefined : base + path.split('/').map(segmentOf).join('/');
}

/**
 * Appends the text that the star of a source matched to the path of a URL, or to a path of the site. This text comes from the
 * visitor's request; it can neither change the host nor leave the target path.
 */
export function appendPath(target: string, captured: string): string {
  const suffix = captured
    .split(/[\\/]/)
    .filter((segment) => !/^\.{0,2}$/.test(segment))
    .map(segmentOf)
    .join('/');
  if (suffix === '') return target;
  const [, start = '', end = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? [];
  return `${start.replace(/\/+$/, '')}/${suffix}${end}`;
}

async function addressOfSection(
  view: ReadTransaction,
  site: SiteRow,
  address: string,
  id: string,
): Promise<string | undefined> {
  const section = await view.get(siteSections, id);
  return section?.site === site.id ? sectionAddress(address, site, section) : undefined;
}

async function pathOfPage(
  view: ReadTransaction,
  { space }: SiteSpaceRow,
  page: string,
): Promise<string | undefined> {
  const row = await view.get(spaces, space);
  if (row === undefined) return undefined;
  const stored = await readPageNode(view, row.revision, page);
  return stored?.path ?? (await (await generatedIn(view, row)).byId(page))?.page.path;
}

/** Caches the finders of generated pages for open transactions, by the revisions of spaces. */
const finders = new WeakMap<ReadTransaction, Map<string, Promise<GeneratedFinder>>>();

/**
 * Returns a finder of the pages of a space that are generated from specifications. They are generated once for many redirects.
 */
function generatedIn(view: ReadTransaction, { organization, revision }: SpaceRow): Promise<GeneratedFinder> {
  const known = getOrInsert(finders, view, () => new Map<string, Promise<GeneratedFinder>>());
  return getOrInsert(known, revision, () =>
    readRevision(view, revision).then((row) => new GeneratedFinder(view, organization, row)),
  );
}

async function pageAt(
  view: ReadTransaction,
  site: SiteRow,
  spaceId: string,
  path: string,
): Promise<RedirectDestination> {
  const shown = (await collectRows(view, siteSpaces, 'bySpace', [spaceId])).find(
    (row) => row.site === site.id,
  );
  const space = shown === undefined ? undefined : await view.get(spaces, spaceId);
  if (shown === undefined || space === undefined)
    throw new Problem('not-found', `The site "${site.title}" does not show the space "${spaceId}".`, {
      hint: `Look at its structure: \`docsctl sites structure ${site.id}\``,
    });
  const plain = path.replace(/^\/|\/$/g, '');
  const pageId =
    (await findPageByPath(view, space.revision, plain)) ??
    (await (await generatedIn(view, space)).byPath(plain))?.page.id;
  if (pageId === undefined)
    throw new Problem('not-found', `The space "${space.title}" has no page "${path}".`, {
      hint: `List its pages: \`docsctl spaces pages list ${space.id}\``,
    });
  return { kind: 'site-page', siteSpaceId: shown.id, pageId };
}

/**
 * Checks the URL of a redirect.
 *
 * @throws Problem(invalid-input) for a URL that browsers do not open as a page, or that has a user name
 */
function checkUrl(text: string): string {
  const { protocol, username, password } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw invalid(
      '/body/destination/url',
      `A redirect cannot lead to a URL that starts with "${protocol}".`,
      'Use a URL that starts with https:// or http://.',
    );
  if (username !== '' || password !== '')
    throw invalid(
      '/body/destination/url',
      'The URL of a redirect may not have a user name or password.',
      'Remove the part before the @.',
    );
  return text;
}
