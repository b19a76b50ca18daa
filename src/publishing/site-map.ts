import { ConditionEvaluator } from '../conditions/condition-evaluator.ts';
import type { Value } from '../conditions/values.ts';
import type { SiteRow } from '../core/rows/sites.ts';
import type { SiteSpaceRow } from '../core/rows/site-spaces.ts';
import { spaces, type SpaceRow } from '../core/rows/spaces.ts';
import type { ReadTransaction } from '../core/store.ts';
import type { SiteSectionRow } from '../resources/site-sections/rows.ts';
import { readTakenSegments, sectionAddress, siteSpaceAddress } from '../resources/site-structure/address.ts';
import { claimSchemaOf } from '../resources/site-structure/conditions.ts';
import { sectionLevel, siteSpaceLevel } from '../resources/site-structure/levels.ts';
import { decodePercent, defined } from '../contract/values.ts';
import { showEmojis } from '../render/emoji-names.ts';
import { segmentOf } from '../resources/site-structure/paths.ts';

/** A space that a visitor can open on a site. */
export interface ShownSpace {
  readonly row: SiteSpaceRow;
  readonly space: SpaceRow;
  readonly title: string;
  /** The path of the space. Ends with a slash. */
  readonly base: string;
  readonly section: ShownSection | undefined;
}

/** A section with at least one space that the visitor can open. */
interface ShownSection {
  readonly row: SiteSectionRow;
  readonly base: string;
  readonly spaces: readonly ShownSpace[];
}

/** A link to another address, listed among the sections. */
interface ShownLink {
  readonly title: string;
  readonly icon?: string | undefined;
  readonly description?: string | undefined;
  readonly url: string;
}

export type ShownItem = ShownSection | ShownGroup | ShownLink;

/** A group of sections and links. */
interface ShownGroup {
  readonly title: string;
  readonly icon?: string | undefined;
  readonly items: readonly ShownItem[];
}

/** The structure of a site as one visitor sees it. */
export interface SiteMap {
  readonly site: SiteRow;
  /** The path of the site, with the key of a share link. Ends with a slash. */
  readonly base: string;
  readonly items: readonly ShownItem[];
  /** All spaces, in the order of the site. */
  readonly spaces: readonly ShownSpace[];
  readonly claims: Value;
  readonly evaluator: ConditionEvaluator;
}

/** Reads the structure of a site for a visitor with these claims. */
export async function readSiteMap(
  view: ReadTransaction,
  site: SiteRow,
  { base, claims: given }: { base: string; claims: Readonly<Record<string, Value>> },
): Promise<SiteMap> {
  const evaluator = new ConditionEvaluator(claimSchemaOf(site));
  const { claims } = evaluator.filterClaims(given);
  const holds = (condition: string | undefined): boolean =>
    evaluator.evaluate(condition, { visitor: { claims } }).shown;
  const shown: ShownSpace[] = [];
  const taken = await readTakenSegments(view, site);
  const spacesIn = async (section?: SiteSectionRow): Promise<ShownSpace[]> => {
    const found: ShownSpace[] = [];
    for (const row of await siteSpaceLevel(view, site.id, section?.id ?? null)) {
      const space = await view.get(spaces, row.space);
      if (space?.state !== 'live' || !holds(row.condition)) continue;
      const at = siteSpaceAddress(base, site, section, row, taken);
      found.push({ row, space, title: showEmojis(row.title ?? space.title), base: at, section: undefined });
    }
    return found;
  };
  const itemsAt = async (parent: string | null): Promise<ShownItem[]> => {
    const items: ShownItem[] = [];
    for (const { type, row } of await sectionLevel(view, site.id, parent)) {
      const title = showEmojis(row.title);
      const description = 'description' in row && row.description ? showEmojis(row.description) : undefined;
      if (type === 'site-external-link') {
        if (!row.draft && holds(row.condition))
          items.push({ title, icon: row.icon, description, url: row.url });
      } else if (type === 'site-section-group') {
        const inner = await itemsAt(row.id);
        if (inner.length > 0) items.push({ title, icon: row.icon, items: inner });
      } else if (holds(row.condition)) {
        const shownRow = { ...row, title, ...defined({ description }) };
        const section = { row: shownRow, base: sectionAddress(base, site, row), spaces: [] as ShownSpace[] };
        for (const one of await spacesIn(row)) section.spaces.push({ ...one, section });
        if (section.spaces.length === 0) continue;
        shown.push(...section.spaces);
        items.push(section);
      }
    }
    return items;
  };
  const items = site.defaultSiteSpace === null ? await itemsAt(null) : [];
  if (items.length === 0) shown.push(...(await spacesIn()));
  return { site, base, items, spaces: shown, claims, evaluator };
}

/** Whether an item of a site is a section. */
export function isSection(item: ShownItem): item is ShownSection {
  return 'row' in item;
}

/** Returns the first place of a space on a site, preferably one that is not hidden. */
export function placeOf({ spaces: all }: Pick<SiteMap, 'spaces'>, spaceId: string): ShownSpace | undefined {
  const places = all.filter(({ space }) => space.id === spaceId);
  return places.find(({ row }) => !row.hidden) ?? places[0];
}

/**
 * Finds the space that contains a path of decoded segments: the one with the longest path. Undefined if the visitor can open no
 * space there.
 */
export function findSpace(
  { spaces: all, base }: SiteMap,
  segments: readonly string[],
): { readonly shown: ShownSpace; readonly segments: readonly string[] } | undefined {
  const path = pathOf(segments, base);
  const found = all
    .filter((shown) => path.startsWith(shown.base) || path.startsWith(lowered(shown.base, base)))
    .reduce<ShownSpace | undefined>(
      (best, shown) => (best === undefined || shown.base.length > best.base.length ? shown : best),
      undefined,
    );
  if (found === undefined) return undefined;
  const depth = found.base.slice(base.length).split('/').length - 1;
  return { shown: found, segments: segments.slice(depth) };
}

/**
 * Returns the spaces of the section at a path of decoded segments. For the path of the site, the other spaces follow.
 */
export function spacesAt({ spaces: all, base }: SiteMap, segments: readonly string[]): ShownSpace[] {
  const path = pathOf(segments, base);
  const isInside = ({ section }: ShownSpace): boolean =>
    section !== undefined && lowered(section.base, base) === path;
  const inside = all.filter(isInside);
  return segments.length > 0 ? inside : [...inside, ...all.filter((shown) => !isInside(shown))];
}

/**
 * Returns the paths of other spaces and sections that are below the path of a space: relative to it, decoded and in lower case,
 * with their paths on the site. Pages of the space at or below them cannot be opened.
 */
export function pathsInside({ spaces: all }: SiteMap, { base }: ShownSpace): ReadonlyMap<string, string> {
  const inside = new Map<string, string>();
  for (const { base: path, section } of all)
    for (const each of [path, section?.base ?? path])
      if (each !== base && each.startsWith(base)) {
        const relative = each.slice(base.length, -1);
        inside.set((decodePercent(relative) ?? relative).toLowerCase(), each);
      }
  return inside;
}

/** Returns the path of decoded segments, in lower case. Ends with a slash. */
function pathOf(segments: readonly string[], base: string): string {
  return base + segments.map((segment) => `${segmentOf(segment.toLowerCase())}/`).join('');
}

/** Returns a path whose segments below the base of the site are in lower case. */
function lowered(path: string, base: string): string {
  const segments = path.slice(base.length).split('/');
  return base + segments.map((one) => segmentOf((decodePercent(one) ?? one).toLowerCase())).join('/');
}
