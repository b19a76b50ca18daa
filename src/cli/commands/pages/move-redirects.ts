import { listAll } from '../../../contract/each-page.ts';
import type { ItemOf, OutputOf } from '../../../contract/operation.ts';
import { chunk, defined, listSome } from '../../../contract/values.ts';
import { comparable } from '../../../core/redirect-paths.ts';
import { isProblem } from '../../../errors/problem.ts';
import { openBackend } from '../../../manifest/backend.ts';
import { callStructure, type SectionBody, type SiteSpaceBody } from '../../../manifest/kinds/structure.ts';
import {
  listSiteRedirects,
  maxBatch,
  upsertSiteRedirects,
} from '../../../resources/site-redirects/contract.ts';
import { siteSpacePath } from '../../../resources/site-structure/address.ts';
import { encodePath } from '../../../resources/site-structure/paths.ts';
import { listSites } from '../../../resources/sites/contract.ts';
import { getSpace } from '../../../resources/spaces/contract.ts';
import type { Moved } from '../../results/moved-redirects.ts';
import type { Session } from '../../session/session.ts';
import type { Transferred } from './transfer.ts';

type Site = ItemOf<typeof listSites>;
/** A space of a site, with its path below the address of the site. */
interface Place {
  readonly id: string;
  readonly space: string;
  readonly path: string;
}
type Redirect = Pick<Moved, 'source' | 'captureWildcard' | 'destination' | 'target'>;

/**
 * Redirects the old addresses of pages that moved to another space to the new ones, on each published site that shows the old
 * space. Earlier redirects to the pages are updated, and others are kept. If a site does not show the new space, the redirects
 * lead to the first published site that does.
 */
export async function redirectMovedPages(
  session: Session,
  { copy, ids, pages }: Transferred,
  spaceId: string,
): Promise<readonly Moved[]> {
  const { organization: organizationId } = await session.call(getSpace, { params: { spaceId } });
  const listPublished = (space: string): Promise<Site[]> =>
    listAll(session, listSites, { params: { organizationId }, query: { space, published: true } });
  const backend = await openBackend(await session.api(), organizationId, {
    withPeople: false,
    signal: session.runtime.signal,
  });
  const placesOf = async ({ id }: Site): Promise<Place[]> => {
    const { sections, siteSpaces } = await callStructure(backend, { kind: 'site', id });
    const toPlace = (row: SiteSpaceBody, section?: SectionBody): Place => ({
      id: row.id,
      space: row.space.id,
      path: siteSpacePath(sections, section, row),
    });
    return [
      ...siteSpaces.map((siteSpace) => toPlace(siteSpace)),
      ...sections.flatMap((section) => section.siteSpaces.map((siteSpace) => toPlace(siteSpace, section))),
    ];
  };
  const showing = (places: readonly Place[]): Place | undefined =>
    places.find(({ space }) => space === spaceId);
  let elsewhere: Promise<string | undefined> | undefined;
  const findElsewhere = async (): Promise<string | undefined> => {
    for (const site of await listPublished(spaceId)) {
      const root = site.visibility === 'share-link' ? undefined : site.urls.published;
      const found = root === undefined ? undefined : showing(await placesOf(site));
      if (found !== undefined) return `${root?.replace(/\/$/, '')}${found.path}`;
    }
    return undefined;
  };
  const paths = new Map(pages.flatMap((page) => ('path' in page ? [[page.id, page.path]] : [])));
  const moved: Moved[] = [];
  const unreachable: string[] = [];
  for (const site of await listPublished(copy.source.spaceId)) {
    const places = await placesOf(site);
    const here = showing(places);
    const base = here?.path ?? (await (elsewhere ??= findElsewhere()));
    if (base === undefined) {
      unreachable.push(site.title);
      continue;
    }
    const redirectTo = (pageId: string): Pick<Redirect, 'destination' | 'target'> => {
      const target = `${base}${encodePath(paths.get(pageId) ?? '')}`;
      return here === undefined
        ? { destination: { kind: 'external', url: target }, target }
        : { destination: { kind: 'site-page', siteSpaceId: here.id, pageId }, target };
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
    for (const { space, path } of places)
      for (const { page } of space === copy.source.spaceId ? copy.pages : []) {
        const pageId = ids.get(page.id);
        if (pageId === undefined || !('path' in page) || page.type === 'link') continue;
        const source = `${path}${encodePath(page.path)}`;
        if (kept.has(comparable(source))) continue;
        found.set(comparable(source), { source, captureWildcard: false, ...redirectTo(pageId) });
      }
    moved.push(...(await send(session, organizationId, site, [...found.values()])));
  }
  if (unreachable.length > 0)
    session.note(
      `warning: no published site shows the new space, so old addresses have no redirects on ${listSome(unreachable)}.`,
    );
  return moved;
}

/**
 * Creates or replaces redirects of a site, and only warns about those that the server refuses, because the pages have already
 * moved.
 */
async function send(
  session: Session,
  organizationId: string,
  { id: siteId, title }: Site,
  all: readonly Redirect[],
): Promise<Moved[]> {
  const moved: Moved[] = [];
  for (const batch of chunk(all, maxBatch)) {
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
