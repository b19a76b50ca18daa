import { listAll } from '../../contract/each-page.ts';
import type { Operation, PathParams } from '../../contract/operation.ts';
import { valueAt } from '../../contract/paths.ts';
import { Problem } from '../../errors/problem.ts';
import { findOperation } from '../find-operation.ts';
import { idEnding } from '../output/short-ids.ts';
import type { Session } from '../session/session.ts';

/** Whether a value is an ID of docsctl (`spc_01J…`), or of a hosted platform (20 to 40 letters and digits). */
export function looksLikeId(value: string): boolean {
  return (
    /^[a-z]{2,6}_[0-9A-Z]{26}$/.test(value) ||
    (/^[A-Za-z0-9]{20,40}$/.test(value) && /[0-9]/.test(value) && /[A-Z]/.test(value))
  );
}

/**
 * Expands a shortened ID (`…3F8K2M`) with the list of the noun of an operation. Other words are returned unchanged.
 * @throws Problem(ambiguous) if several IDs have this end
 */
export async function resolveIdEnding(
  session: Session,
  value: string,
  params: PathParams,
  operationId: string,
): Promise<string> {
  const ending = idEnding(value);
  const items = ending === undefined ? undefined : await listAbove(session, operationId, params);
  if (ending === undefined || items === undefined) return value;
  const found = new Set<string>();
  for (const item of items) {
    const id = valueAt(item, 'id') ?? valueAt(item, 'issue.id');
    if (typeof id === 'string' && id.endsWith(ending)) found.add(id);
  }
  if (found.size > 1)
    throw new Problem(
      'ambiguous',
      `${found.size} IDs end in "${ending}": ${[...found].slice(0, 10).join(', ')}.`,
      { hint: 'Give the whole ID. --wide shows IDs whole.' },
    );
  const [id = value] = found;
  return id;
}

/** Lists everything of an operation's noun, or of the nearest parent noun whose path parameters are all known. */
export async function listAbove(
  session: Session,
  operationId: string,
  params: PathParams,
): Promise<unknown[] | undefined> {
  const operation = await listOperation(operationId, params);
  if (operation === undefined) return undefined;
  const given = Object.fromEntries(operation.paramNames.map((name) => [name, params[name] ?? '']));
  return listAll(session, operation, { params: given });
}

async function listOperation(operationId: string, params: PathParams): Promise<Operation | undefined> {
  const words = operationId.split('.');
  for (let length = words.length - 1; length > 0; length--) {
    const id = `${words.slice(0, length).join('.')}.list`;
    const found = await findOperation(id);
    if (found?.paramNames.every((name) => params[name] !== undefined) === true) return found;
  }
  return undefined;
}
