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
  const here =
    from === null ? undefined : map.spaces.find(({ base }) => base === map.base + from.replace(/^\/+/, ''));
  const preferred = new Set<string>();
  for (const shown of map.spaces) {
    const level = levelOf(map, shown);
    if (shown === level[0]) preferred.add(preferredOf(level, here).row.id);
  }
  return { isPreferred: ({ row }) => preferred.has(row.id) };
}

/** The path of a space below the site, as searches name it; undefined where the site shows one space only. */
export function searchOrigin(map: SiteMap, shown: ShownSpace | undefined): string | undefined {
  return shown === undefined || map.spaces.length < 2 ? undefined : shown.base.slice(map.base.length);
}

/** The versions and languages that a space is one of: the spaces of its section, or those at the top of the site. */
function levelOf({ spaces }: SiteMap, { section }: ShownSpace): readonly ShownSpace[] {
  return section === undefined ? spaces : spaces.filter((each) => each.section?.row.id === section.row.id);
}

function preferredOf(level: readonly ShownSpace[], here: ShownSpace | undefined): ShownSpace {
  // The default one has the path of the section, which the paths of the others start with.
  const listed = level.some(({ row }) => !row.hidden) ? level.filter(({ row }) => !row.hidden) : level;
  const first = listed.reduce((one, other) => (other.base.length < one.base.length ? other : one));
  if (here === undefined) return first;
  const { language } = here.space;
  return (
    level.find(({ row }) => row.id === here.row.id) ??
    listed.find(({ title }) => title === here.title) ??
    (language === undefined || first.space.language === language
      ? first
      : (listed.find(({ space }) => space.language === language) ?? first))
  );
}
