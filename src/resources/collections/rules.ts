import { generateKeyBetween } from 'fractional-indexing';
import { invalid, notFound, Problem } from '../../errors/problem.ts';
import { collections, spaces, type CollectionRow, type SpaceRow } from '../../core/rows/spaces.ts';
import type { ReadTransaction } from '../../core/store.ts';

/** Collections may lie inside each other this deep. */
const maxDepth = 16;

type Reference = { type: 'space'; space: string } | { type: 'collection'; collection: string };
export interface Position {
  readonly before?: Reference;
  readonly after?: Reference;
}

/** The collection a body names as parent, of the same organization; undefined for null. */
export async function findParent(
  view: ReadTransaction,
  organization: string,
  parent: string | null,
): Promise<CollectionRow | undefined> {
  if (parent === null) return undefined;
  const row = await view.get(collections, parent);
  if (row === undefined || row.organization !== organization) throw notFound('collection', parent);
  return row;
}

/** Refuses a parent that lies inside the collection itself, or too deep. */
export async function checkNesting(
  view: ReadTransaction,
  moved: string | undefined,
  parent: CollectionRow | undefined,
): Promise<void> {
  let at = parent;
  for (let depth = 1; at !== undefined; depth++) {
    if (at.id === moved)
      throw new Problem('conflict', 'A collection cannot be moved into itself or into one that it holds.');
    if (depth >= maxDepth) throw new Problem('conflict', `Collections can lie at most ${maxDepth} deep.`);
    at = at.parent === null ? undefined : await view.get(collections, at.parent);
  }
}

/** A place among the spaces and collections of a parent: where `position` says, else at the end. */
export async function positionAmong(
  view: ReadTransaction,
  organization: string,
  parent: string | null,
  position: Position = {},
): Promise<string> {
  const { before, after } = position;
  if (before !== undefined && after !== undefined)
    throw invalid('/body/position', 'Give either before or after, not both.');
  const reference = before ?? after;
  if (reference === undefined)
    return generateKeyBetween(await neighborPosition(view, organization, parent, 'desc'), null);
  const place = await siblingPosition(view, organization, parent, reference);
  if (before !== undefined)
    return generateKeyBetween(await neighborPosition(view, organization, parent, 'desc', place), place);
  return generateKeyBetween(place, await neighborPosition(view, organization, parent, 'asc', place));
}

async function siblingPosition(
  view: ReadTransaction,
  organization: string,
  parent: string | null,
  reference: Reference,
): Promise<string> {
  const id = reference.type === 'space' ? reference.space : reference.collection;
  const row: SpaceRow | CollectionRow | undefined =
    reference.type === 'space' ? await view.get(spaces, id) : await view.get(collections, id);
  if (row === undefined || row.organization !== organization || ('state' in row && row.state === 'deleted'))
    throw notFound(reference.type, id);
  if (row.parent !== parent)
    throw invalid(
      '/body/position',
      `The ${reference.type} "${id}" is not in the place that this moves to.`,
      'Name a neighbour inside the new parent.',
    );
  return row.position;
}

/** The nearest place in a direction from `from`, or the outermost one; null where there is none. */
async function neighborPosition(
  view: ReadTransaction,
  organization: string,
  parent: string | null,
  order: 'asc' | 'desc',
  from?: string,
): Promise<string | null> {
  const behind = from === undefined ? {} : { after: order === 'asc' ? [from, '\u{10ffff}'] : [from, ''] };
  const [space] = await view.find(spaces, {
    index: 'byParent',
    equals: [organization, parent, 'live'],
    order,
    limit: 1,
    ...behind,
  });
  const [collection] = await view.find(collections, {
    index: 'byParent',
    equals: [organization, parent],
    order,
    limit: 1,
    ...behind,
  });
  const found = [space?.position, collection?.position].filter((place) => place !== undefined).sort();
  return (order === 'asc' ? found[0] : found.at(-1)) ?? null;
}
