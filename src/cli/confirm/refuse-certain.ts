import { findOperation } from '../find-operation.ts';
import type { Level, Operation, PathParams } from '../../contract/operation.ts';
import { actionOf, readRequiredRole, requiredRole, withAction } from '../../contract/required-role.ts';
import { valueAt } from '../../contract/paths.ts';
import { askForRole } from '../../core/missing-role.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { nounOf } from '../../resources/index.ts';
import type { Session } from '../session/session.ts';

/** A call of an operation that a command is about to make, or has made. */
export interface PlannedCall {
  readonly params: PathParams;
  readonly body: unknown;
}

/** Maximum number of resources that are looked up before a question. */
const maxLookups = 20;

/**
 * Refuses calls that the API would certainly refuse, before the user is asked to confirm them: an invalid input, a missing
 * resource, or a missing role.
 *
 * @throws Problem(usage | invalid-input | not-found | forbidden)
 */
export async function refuseCertain(
  session: Session,
  operation: Operation,
  calls: readonly PlannedCall[],
  query: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const { params, body } of calls) await session.check(operation, { params, query, body });
  const [first] = calls;
  if (first !== undefined) await refuseRole(session, operation, first.params);
  if (operation.id.endsWith('.transfer')) await refuseSameOrganization(session, operation, calls);
  // The permissions of a space were read, so it exists.
  const read = operation.id === 'spaces.delete' ? undefined : await readerOfPath(operation);
  if (read === undefined) return;
  for (const { params } of calls.slice(0, maxLookups)) await ifKnown(() => session.call(read, { params }));
}

/** Refuses to transfer a space or collection to its own organization. */
async function refuseSameOrganization(
  session: Session,
  { id }: Operation,
  calls: readonly PlannedCall[],
): Promise<void> {
  const noun = id.startsWith('spaces.') ? 'space' : 'collection';
  const read = await findOperation(`${noun}s.get`);
  if (read === undefined) return;
  for (const { params, body } of calls.slice(0, maxLookups)) {
    const found = await ifKnown(() => session.call(read, { params }));
    if (valueAt(found, 'organization') === valueAt(body, 'organization'))
      throw new Problem(
        'conflict',
        `The ${noun} "${String(valueAt(found, 'title'))}" is already in this organization.`,
      );
  }
}

async function readerOfPath({ id, method, path }: Operation): Promise<Operation | undefined> {
  if (method === 'GET') return undefined;
  if (id === 'spaces.git.disconnect') return findOperation('spaces.git.info');
  const declared: readonly Partial<Operation>[] = Object.values(await nounOf(id).contract());
  return declared.find((one) => one.method === 'GET' && one.path === path && one.returns?.file !== true) as
    | Operation
    | undefined;
}

/**
 * The operation that returns the caller's permissions, by the scope of an operation, and the names of the permissions by role.
 */
const permissions: Readonly<
  Record<string, { read: string; param: string; names: Readonly<Record<string, string>> }>
> = {
  org: {
    read: 'orgs.get',
    param: 'organizationId',
    names: { admin: 'admin', create: 'createContent' },
  },
  space: {
    read: 'spaces.get',
    param: 'spaceId',
    names: { admin: 'admin', review: 'review', edit: 'edit', comment: 'comment' },
  },
  collection: {
    read: 'collections.get',
    param: 'collectionId',
    names: { admin: 'admin', create: 'create' },
  },
};

async function refuseRole(session: Session, operation: Operation, params: PathParams): Promise<void> {
  const { access } = operation;
  if (access === 'site.admin') return refuseOnSite(session, operation, params);
  const [, kind = '', level = ''] = /^(.*)\.(\w+)$/.exec(access) ?? [];
  const scope = kind.replace(/^(?:deleted-space|change-request)$/, 'space');
  const shown = permissions[scope];
  const name = shown?.names[level];
  const value = shown && params[shown.param];
  if (shown === undefined || name === undefined || value === undefined) return;
  const read = await findOperation(shown.read);
  if (read === undefined) return;
  const found = await ifKnown(() => session.call(read, { params: { [shown.param]: value } })).catch(
    (error: unknown) => {
      // A deleted space can still be permanently removed, but reading it gives not-found.
      if (kind === 'deleted-space' && isProblem(error, 'not-found')) return undefined;
      throw error;
    },
  );
  if (valueAt(found, `permissions.${name}`) !== false) return;
  const limit = session.settings.server === undefined ? '' : ', or this token does not allow it';
  throw new Problem(
    'forbidden',
    `${requiredRole(actionOf(operation), level as Level, scope === 'org' ? undefined : `on the ${scope}`)}. You do not have this role${limit}.`,
    { hint: askForRole },
  );
}

/**
 * Refuses a caller who is not an administrator of a site. A site does not return the caller's permissions, but only its
 * administrators may list those of members.
 */
async function refuseOnSite(session: Session, operation: Operation, params: PathParams): Promise<void> {
  const read = await findOperation('sites.permissions.users');
  if (read === undefined) return;
  await ifKnown(() => session.call(read, { params, query: { limit: 0 } })).catch((error: unknown) => {
    if (!isProblem(error, 'forbidden')) throw error;
    const missing = readRequiredRole(error.message);
    // Another server may have other rules for listing permissions.
    if (missing === undefined) return;
    const { hint, requestId } = error;
    throw new Problem('forbidden', withAction(missing, operation), { hint, requestId, cause: error });
  });
}

/** Returns the result of a read; undefined if its error says nothing about the change. @throws Problem(not-found | forbidden) */
async function ifKnown(read: () => Promise<unknown>): Promise<unknown> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Problem) || isProblem(error, 'not-found', 'forbidden', 'interrupted')) throw error;
    return undefined;
  }
}
