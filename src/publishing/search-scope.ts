import { preferredSpaces } from '../resources/search/preferred-spaces.ts';
import type { ShownSpace, SiteMap } from './site-map.ts';

/** Which results of a search are shown first, and how the others are labeled. */
export interface SearchScope {
  /** Whether results in a space come before results in other versions and languages. */
  readonly isPreferred: (shown: ShownSpace) => boolean;
}

/**
 * Returns the scope of a search from a space of the site, given by its path below the site (default: from none). Preferred are
 * this space and, for each other section, the version or language that is most similar to it, or else the default one.
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

/** Returns the space from which a search starts, by its path below the site; undefined if there is none. */
function spaceOfSearch(map: SiteMap, from: string | null): ShownSpace | undefined {
  return from === null
    ? undefined
    : map.spaces.find(({ base }) => base === map.base + from.replace(/^\/+/, ''));
}

/**
 * Returns the space whose language and appearance the search page uses: where the search starts, or the only space of the site.
 */
export function frameOfSearch(map: SiteMap, from: string | null): ShownSpace | undefined {
  return spaceOfSearch(map, from) ?? (map.spaces.length === 1 ? map.spaces[0] : undefined);
}

/** Returns the path of a space below the site, to name it in searches; undefined if the site shows only one space. */
export function searchOrigin(map: SiteMap, shown: ShownSpace | undefined): string | undefined {
  return shown === undefined || map.spaces.length < 2 ? undefined : shown.base.slice(map.base.length);
}
