import { invalid, notFound, Problem } from '../../errors/problem.ts';
import { organizationScope } from '../../core/authorize.ts';
import type { RequestContext, ResourceScope, WriteContext } from '../../core/handler.ts';
import { missingRole, requireRoleOn } from '../../core/missing-role.ts';
import { can, contentRole, minRole, type Subject } from '../../core/permissions.ts';
import { positionNextTo } from '../../core/position-next-to.ts';
import { collections, spaces, type CollectionRow, type SpaceRow } from '../../core/rows/spaces.ts';
import { collectRows, getOwned, type ReadTransaction } from '../../core/store.ts';

/** Maximum depth of nested collections. */
const maxDepth = 16;

type Reference = { type: 'space'; space: string } | { type: 'collection'; collection: string };
interface Position {
  readonly before?: Reference;
  readonly after?: Reference;
}

/**
 * Finds the parent that a request names: a collection of the same organization, or undefined for null. If it differs from the
 * current parent, the caller needs the create role on the collection, or in the organization for null. A new resource has no
 * current parent.
 *
 * @throws Problem(not-found), Problem(forbidden)
 */
export async function findParent(
  context: Subject & Pick<RequestContext, 'caller'> & { tx: ReadTransaction },
  organization: string,
  parent: string | null,
  current?: string | null,
  action: string = 'put content at the top level',
): Promise<CollectionRow | undefined> {
  if (parent === null) {
    if (current !== null && !can(minRole(context.memberRole, context.maxRole), 'create'))
      throw missingRole(context, { action, level: 'create', email: context.caller.user.email });
    return undefined;
  }
  const row = await getOwned(context.tx, collections, parent, { organization }, 'collection');
  if (parent === current) return row;
  await requireRoleOn(
    context.tx,
    context,
    'collection',
    row,
    { action: 'put content into a collection', level: 'create' },
    'Choose another collection, or ask an administrator for the role.',
  );
  return row;
}

/**
 * Checks that the new parent is not inside the moved collection, and that its contents do not exceed the maximum depth. A
 * collection that already exceeds it (earlier versions allowed that) may still be moved up.
 *
 * @throws Problem(conflict)
 */
export async function checkNesting(
  view: ReadTransaction,
  moved: CollectionRow | undefined,
  parent: CollectionRow | undefined,
): Promise<void> {
  const above = await readPath(view, parent);
  if (above.some(({ id }) => id === moved?.id))
    throw new Problem(
      'conflict',
      `"${moved?.title}" cannot be moved into itself or into a collection inside it.`,
    );
  const before = moved === undefined ? -1 : (await readPath(view, moved)).length - 1;
  if (above.length <= before) return;
  const height = moved === undefined ? 1 : await heightOf(view, moved, maxDepth + 1 - above.length);
  if (above.length + height > maxDepth)
    throw new Problem('conflict', `Collections can be nested at most ${maxDepth} levels deep.`, {
      hint:
        height > 1
          ? 'Choose a collection at a higher level, or first move the deepest collections out of this one.'
          : 'Choose a collection at a higher level.',
    });
}

/** Returns a collection and its ancestors, starting with the collection. */
async function readPath(view: ReadTransaction, from: CollectionRow | undefined): Promise<CollectionRow[]> {
  const path: CollectionRow[] = [];
  for (let at = from; at !== undefined;) {
    path.push(at);
    at = at.parent === null ? undefined : await view.get(collections, at.parent);
  }
  return path;
}

/** Returns the number of levels of nested collections from one downwards, including itself. Stops counting at `max`. */
async function heightOf(
  view: ReadTransaction,
  { organization, id }: CollectionRow,
  max: number,
): Promise<number> {
  let height = 1;
  for (let level = [id]; height < max; height++) {
    const inner: string[] = [];
    for (const parent of level)
      for (const row of await collectRows(view, collections, 'byParent', [organization, parent]))
        inner.push(row.id);
    if (inner.length === 0) break;
    level = inner;
  }
  return height;
}

/**
 * Finds the organization that a space or collection moves to, with the caller's roles there.
 *
 * @throws Problem(not-found) if it does not exist, Problem(forbidden) if the caller may not create content in it,
 * Problem(conflict) if it is the current organization
 */
export async function findReceiver(
  { tx, caller }: WriteContext,
  present: string,
  receiver: string,
  noun: 'space' | 'collection',
): Promise<ResourceScope> {
  const target = await organizationScope(tx, caller, receiver, () => notFound('organization', receiver));
  if (!can(target.role, 'create'))
    throw missingRole(target, {
      action: `move a ${noun} to another organization`,
      level: 'create',
      place: `in the organization "${target.organization.title}"`,
    });
  if (target.organization.id === present)
    throw new Problem(
      'conflict',
      `The ${noun} is already in the organization "${target.organization.title}".`,
    );
  return target;
}

/** Returns the fractional position for a space or collection in a parent: next to these positions, or at the end. */
export async function positionAmong(
  view: ReadTransaction,
  organization: string,
  parent: string | null,
  neighbors: Parameters<typeof positionNextTo>[0] = {},
): Promise<string> {
  return positionNextTo(neighbors, async (nearest) => {
    const query = { ...nearest, index: 'byParent' } as const;
    return [
      ...(await view.find(spaces, { ...query, equals: [organization, parent, 'live'] })),
      ...(await view.find(collections, { ...query, equals: [organization, parent] })),
    ];
  });
}

/**
 * Returns the fractional position of a space or collection inside a parent: next to the siblings in `position`, or at the end if
 * it names none.
 */
export async function positionBeside(
  context: Subject & { tx: ReadTransaction },
  organization: string,
  parent: string | null,
  position: Position = {},
): Promise<string> {
  const { before, after } = position;
  const next = before && (await siblingPosition(context, organization, parent, before));
  const previous = after && (await siblingPosition(context, organization, parent, after));
  return positionAmong(context.tx, organization, parent, { previous, next });
}

async function siblingPosition(
  { tx: view, ...subject }: Subject & { tx: ReadTransaction },
  organization: string,
  parent: string | null,
  reference: Reference,
): Promise<string> {
  const id = reference.type === 'space' ? reference.space : reference.collection;
  const row: SpaceRow | CollectionRow | undefined =
    reference.type === 'space' ? await view.get(spaces, id) : await view.get(collections, id);
  const isLive = row?.organization === organization && !('state' in row && row.state !== 'live');
  if (!isLive || (await contentRole(view, subject, row)) === null) throw notFound(reference.type, id);
  if (row.parent !== parent) {
    const to = parent === null ? undefined : await view.get(collections, parent);
    throw invalid(
      '/body/position',
      to === undefined
        ? `The ${reference.type} "${row.title}" is in a collection, not at the top level.`
        : `The ${reference.type} "${row.title}" is not in the collection "${to.title}".`,
      'Name a space or collection that is next to the new place.',
    );
  }
  return row.position;
}
