import { positionNextTo, type FindRows } from '../../core/position-next-to.ts';
import { getOwned, type ReadTransaction } from '../../core/store.ts';
import { invalid, notFound } from '../../errors/problem.ts';
import { siteSpaces } from '../../core/rows/site-spaces.ts';
import { siteSections } from '../site-sections/rows.ts';
import { siteExternalLinks } from '../site-external-links/rows.ts';
import { siteSectionGroups, type SectionLevelRow } from '../site-section-groups/rows.ts';

type ItemType = 'site-space' | 'site-section' | 'site-section-group' | 'site-external-link';
export interface Pointer {
  readonly type: ItemType;
  readonly id: string;
}
export interface Position {
  readonly before?: Pointer | undefined;
  readonly after?: Pointer | undefined;
}

/**
 * A list of ordered items: the spaces of a section, or the sections, groups and external links of a group. `within` is null at
 * the root.
 */
interface StructureLevel {
  readonly of: 'spaces' | 'sections';
  readonly site: string;
  readonly within: string | null;
}

/**
 * Returns the position of an item on a level: next to the neighbors in `position`, otherwise at the end.
 *
 * @throws Problem(invalid-input) for a neighbor on another level, or neighbors in the wrong order
 */
export async function positionIn(
  view: ReadTransaction,
  level: StructureLevel,
  position: Position = {},
): Promise<string> {
  const next = position.before && (await neighborPosition(view, level, position.before));
  const previous = position.after && (await neighborPosition(view, level, position.after));
  return positionNextTo({ previous, next }, rowsOfLevel(view, level));
}

async function neighborPosition(
  view: ReadTransaction,
  level: StructureLevel,
  pointer: Pointer,
): Promise<string> {
  const item = await findItem(view, level.site, pointer);
  if (item.level.of === level.of && item.level.within === level.within) return item.position;
  throw invalid(
    '/body/position',
    `The neighbor "${pointer.id}" is not at the same level.`,
    'Choose a neighbor in the same section or group. To move a section into a group, use `docsctl sites section-groups add-section`.',
  );
}

/**
 * Returns the parent and position of a section, group or external link at the end of another group (null: the root). If it is
 * already in the group, its position is unchanged.
 */
export async function moveToGroup(
  view: ReadTransaction,
  { site, parent, position }: SectionLevelRow,
  within: string | null,
): Promise<Pick<SectionLevelRow, 'parent' | 'position'>> {
  if (within === parent) return { parent, position };
  return { parent: within, position: await positionIn(view, { of: 'sections', site, within }) };
}

/** The tables of the items on one level, with the names of their resources. */
const tablesOfLevel = {
  'site-section': [siteSections, 'section'],
  'site-section-group': [siteSectionGroups, 'section group'],
  'site-external-link': [siteExternalLinks, 'external link'],
} as const;

/** Returns the level and position of an item of a site. @throws Problem(not-found) */
export async function findItem(
  view: ReadTransaction,
  site: string,
  { type, id }: Pointer,
): Promise<{ level: StructureLevel; position: string }> {
  if (type === 'site-space') {
    const row = await getOwned(view, siteSpaces, id, { site }, 'site space');
    return { level: { of: 'spaces', site, within: row.section }, position: row.position };
  }
  const [from, name] = tablesOfLevel[type];
  const row = await view.get<SectionLevelRow>(from, id);
  if (row?.site !== site) throw notFound(name, id);
  return { level: { of: 'sections', site, within: row.parent }, position: row.position };
}

/** Returns a function that finds rows of a level, for `nearestPosition`. */
export function rowsOfLevel(view: ReadTransaction, { of, site, within }: StructureLevel): FindRows {
  return async (nearest) => {
    const query = { ...nearest, equals: [site, within] };
    if (of === 'spaces') return view.find(siteSpaces, { index: 'bySection', ...query });
    return [
      ...(await view.find(siteSections, { index: 'byParent', ...query })),
      ...(await view.find(siteSectionGroups, { index: 'byParent', ...query })),
      ...(await view.find(siteExternalLinks, { index: 'byParent', ...query })),
    ];
  };
}
