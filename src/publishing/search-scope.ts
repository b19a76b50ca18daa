import { preferredSpaces } from '../resources/search/preferred-spaces.ts';
import type { ShownSpace, SiteMap } from './site-map.ts';

/** What a search on a site shows first, and how it names the rest. */
export interface SearchScope {
  /** Whether what is found in a space comes before what other versions and languages have. */
  readonly isPreferred: (shown: ShownSpace) => boolean;
}

/**
 * Returns the scope of a search from a space of the site, named by its path below the site (default: from none). Preferred are
 * this space, and of each other section the version or language that is most like it, or else the default one.
 */
export function searchScope(map: SiteMap, from: string | null): SearchScope {
  const here = spaceOfSearch(map, from);
  const versions = map.spaces.map((shown) => ({
    id: shown.row.id,
    path: shown.base,
    title: shown.title,
    language: shown.space.language,
    section: shown.section?.row.id,
    isHidden: shown.row.hidden === true,
  }));
  const found = preferredSpaces(
    versions,
    versions.find(({ id }) => id === here?.row.id),
  );
  const preferred = new Set([...found].map(({ id }) => id));
  return { isPreferred: ({ row }) => preferred.has(row.id) };
}

/** The space that a search starts from, by its path below the site; undefined for a search from none. */
function spaceOfSearch(map: SiteMap, from: string | null): ShownSpace | undefined {
  return from === null
    ? undefined
    : map.spaces.find(({ base }) => base === map.base + from.replace(/^\/+/, ''));
}

/** The space whose language and appearance the page of a search has: where the search starts, or the only space of the site. */
export function frameOfSearch(map: SiteMap, from: string | null): ShownSpace | undefined {
  return spaceOfSearch(map, from) ?? (map.spaces.length === 1 ? map.spaces[0] : undefined);
}

/** The path of a space below the site, as searches name it; undefined where the site shows one space only. */
export function searchOrigin(map: SiteMap, shown: ShownSpace | undefined): string | undefined {
  return shown === undefined || map.spaces.length < 2 ? undefined : shown.base.slice(map.base.length);
}
