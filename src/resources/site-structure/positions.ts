import { generateKeyBetween } from 'fractional-indexing';
import type { ReadTransaction } from '../../core/store.ts';
import { invalid, notFound } from '../../errors/problem.ts';
import { siteSpaces } from '../site-spaces/rows.ts';
import { siteSections } from '../site-sections/rows.ts';
import { siteSectionGroups } from '../site-section-groups/rows.ts';

type ItemType = 'site-space' | 'site-section' | 'site-section-group';
export interface Pointer {
  readonly type: ItemType;
  readonly id: string;
}
export interface Position {
  readonly before?: Pointer | undefined;
  readonly after?: Pointer | undefined;
}

/** Things that share an order: spaces in a section, or sections and groups in a group; `within` is null at the root. */
export interface Level {
  readonly of: 'spaces' | 'sections';
  readonly site: string;
  readonly within: string | null;
}

/** A place in a level: where `position` says, else at the end. The neighbour has to be in that level. */
export async function placeIn(view: ReadTransaction, level: Level, position: Position = {}): Promise<string> {
  const { before, after } = position;
  if (before !== undefined && after !== undefined)
    throw invalid('/body/position', 'Give either before or after, not both.');
  const pointer = before ?? after;
  if (pointer === undefined) return generateKeyBetween(await neighbour(view, level, 'desc'), null);
  const item = await findItem(view, level.site, pointer);
  if (item.level.of !== level.of || item.level.within !== level.within) {
    throw invalid(
      '/body/position',
      `The neighbour "${pointer.id}" is not of the same level.`,
      'Name one of the same section, group or root; move between groups with `sections update --site-section-group-id` or `section-groups add-section`.',
    );
  }
  if (before !== undefined)
    return generateKeyBetween(await neighbour(view, level, 'desc', item.position), item.position);
  return generateKeyBetween(item.position, await neighbour(view, level, 'asc', item.position));
}

/** Where a thing of a site is; not-found where the site has no such thing. */
export async function findItem(
  view: ReadTransaction,
  site: string,
  { type, id }: Pointer,
): Promise<{ level: Level; position: string }> {
  if (type === 'site-space') {
    const row = await view.get(siteSpaces, id);
    if (row?.site !== site) throw notFound('site space', id);
    return { level: { of: 'spaces', site, within: row.section }, position: row.position };
  }
  const row =
    type === 'site-section' ? await view.get(siteSections, id) : await view.get(siteSectionGroups, id);
  if (row?.site !== site) throw notFound(type === 'site-section' ? 'section' : 'section group', id);
  return { level: { of: 'sections', site, within: row.parent }, position: row.position };
}

/** The nearest place in a direction from `from`, or the outermost one; null where there is none. */
export async function neighbour(
  view: ReadTransaction,
  { of, site, within }: Level,
  order: 'asc' | 'desc',
  from?: string,
): Promise<string | null> {
  const query = {
    equals: [site, within],
    order,
    limit: 1,
    ...(from === undefined ? {} : { after: order === 'asc' ? [from, '\u{10ffff}'] : [from, ''] }),
  };
  if (of === 'spaces')
    return (await view.find(siteSpaces, { index: 'bySection', ...query }))[0]?.position ?? null;
  const [section] = await view.find(siteSections, { index: 'byParent', ...query });
  const [group] = await view.find(siteSectionGroups, { index: 'byParent', ...query });
  const found = [section?.position, group?.position].filter((place) => place !== undefined).sort();
  return (order === 'asc' ? found[0] : found.at(-1)) ?? null;
}
