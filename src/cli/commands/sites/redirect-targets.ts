import { openBackend } from '../../../manifest/backend.ts';
import { pagesNow, type PagePaths } from '../../../manifest/kinds/page-paths.ts';
import { places, type Place } from '../../../manifest/kinds/redirects.ts';
import { callStructure, type Structure } from '../../../manifest/kinds/structure.ts';
import type { Static } from '../../../contract/schema.ts';
import { orUndefined } from '../../../errors/problem.ts';
import type { SiteRedirect } from '../../../resources/site-redirects/contract.ts';
import { siteSpacePath } from '../../../resources/site-structure/address.ts';
import type { Session } from '../../session/session.ts';

type Redirect = Static<typeof SiteRedirect>;

/** The destination of a redirect for people: a path on the site or a URL, and the title of the page or space. */
interface Target {
  readonly target: string;
  readonly title?: string | undefined;
}

/**
 * Returns a function that adds `target` and `title` to the redirects of a site. If the destination no longer exists, or the
 * caller cannot read it, its ID is shown.
 */
export async function describeTargets(
  session: Session,
  organizationId: string,
  siteId: string,
): Promise<(redirects: readonly unknown[]) => Promise<readonly object[]>> {
  const { structure, pages } = await openSite(session, { organizationId, siteId });
  const readPages = (spaceId: string) => orUndefined(pages(spaceId), 'forbidden', 'not-found');
  return (redirects) =>
    Promise.all(
      (redirects as readonly Redirect[]).map(async (redirect) => ({
        ...redirect,
        ...(await targetOf(redirect, structure, readPages)),
      })),
    );
}

async function targetOf(
  { destination }: Redirect,
  structure: Structure,
  readPages: (spaceId: string) => Promise<PagePaths | undefined>,
): Promise<Target> {
  if (destination.kind === 'external') return { target: destination.url };
  if (destination.kind === 'site-section') {
    const section = structure.sections.find(({ id }) => id === destination.siteSectionId);
    if (section === undefined) return { target: destination.siteSectionId };
    return { target: section.default ? '/' : `/${section.path}`, title: section.title };
  }
  const place = places(structure).find(({ siteSpace }) => siteSpace.id === destination.siteSpaceId);
  if (place === undefined) return { target: destination.siteSpaceId };
  const base = baseOf(place, structure);
  if (destination.kind === 'site-space') return { target: base || '/', title: place.siteSpace.title };
  const pages = await readPages(place.siteSpace.space.id);
  const { pageId } = destination;
  return { target: `${base}/${pages?.pathOf(pageId) ?? pageId}`, title: pages?.titleOf(pageId) };
}

/** Reads the structure of a site, and returns it with a function that reads the pages of a space. */
export async function openSite(
  session: Session,
  { organizationId, siteId }: { organizationId: string; siteId: string },
) {
  const { signal } = session.runtime;
  const backend = await openBackend(await session.api(), organizationId, { withPeople: false, signal });
  const structure = await callStructure(backend, { kind: 'site', id: siteId });
  return { backend, structure, pages: pagesNow(backend) };
}

/** Returns the path of a space in its site, without a slash at the end. */
export function baseOf({ section, siteSpace }: Place, { sections }: Structure): string {
  const own = sections.find(({ path }) => path === section);
  return siteSpacePath(sections, own, siteSpace, ({ path }) => path).slice(0, -1);
}
