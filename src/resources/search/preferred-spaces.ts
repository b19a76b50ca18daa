/** The fields that distinguish a space of a site from its other versions and languages. */
export interface SpaceVersion {
  /** The path on the site. In a section, the default space has the shortest path. */
  readonly path: string;
  readonly title: string;
  readonly language: string | undefined;
  /** An identifier of its section; undefined for a space at the top of the site. */
  readonly section: string | undefined;
  /** Whether the space is hidden in menus. */
  readonly isHidden: boolean;
}

/**
 * Returns the spaces whose pages a search shows first: the space of the search, and from each other section the version or
 * language that is most similar to it, or else the default space.
 */
export function preferredSpaces<T extends SpaceVersion>(
  spaces: readonly T[],
  here: T | undefined,
): ReadonlySet<T> {
  const levels = new Map<string | undefined, T[]>();
  for (const space of spaces) {
    const level = levels.get(space.section);
    if (level === undefined) levels.set(space.section, [space]);
    else level.push(space);
  }
  return new Set([...levels.values()].map((level) => preferredOf(level, here)));
}

function preferredOf<T extends SpaceVersion>(level: readonly T[], here: T | undefined): T {
  const shown = level.filter(({ isHidden }) => !isHidden);
  const listed = shown.length > 0 ? shown : level;
  // The path of the default space is the path of the section, which is a prefix of the other paths.
  const first = listed.reduce((one, other) => (other.path.length < one.path.length ? other : one));
  if (here === undefined) return first;
  const { title, language } = here;
  return (
    level.find((each) => each === here) ??
    listed.find((each) => each.title === title) ??
    (language === undefined || first.language === language
      ? first
      : (listed.find((each) => each.language === language) ?? first))
  );
}
