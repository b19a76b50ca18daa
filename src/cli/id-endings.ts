import { eachPage } from '../contract/each-page.ts';
import type { Operation } from '../contract/operation.ts';
import { valueAt } from '../contract/paths.ts';
import { defined } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { nounOf } from '../resources/index.ts';
import { idEnding } from './output/short-ids.ts';
import type { Session } from './session.ts';

/**
 * Returns the ID that a shortened one (`…3F8K2M`) ends, found in the list of the noun of an operation; other words stay.
 * @throws Problem(ambiguous) when several IDs end like this
 */
export async function resolveIdEnding(
  session: Session,
  value: string,
  params: Readonly<Record<string, string>>,
  operationId: string,
): Promise<string> {
  const ending = idEnding(value);
  const operation = ending === undefined ? undefined : await listOperation(operationId, params);
  if (ending === undefined || operation === undefined) return value;
  const given = Object.fromEntries(operation.paramNames.map((name) => [name, params[name] ?? '']));
  const found = new Set<string>();
  const pages = eachPage(async (page) => {
    const query = { limit: 1000, ...defined({ page }) };
    const listing: unknown = await session.call(operation, { params: given, query });
    return listing as { readonly items: readonly unknown[]; readonly next?: { readonly page: string } };
  });
  for await (const { items } of pages)
    for (const item of items) {
      const id = valueAt(item, 'id') ?? valueAt(item, 'issue.id');
      if (typeof id === 'string' && id.endsWith(ending)) found.add(id);
    }
  if (found.size > 1)
    throw new Problem(
      'ambiguous',
      `${found.size} IDs end in "${ending}": ${[...found].slice(0, 10).join(', ')}.`,
      {
        hint: 'Give the whole ID. --wide shows IDs whole.',
      },
    );
  const [id = value] = found;
  return id;
}

/** The list of the noun of an operation, or of the nearest noun above whose path parameters are all known. */
async function listOperation(
  operationId: string,
  params: Readonly<Record<string, string>>,
): Promise<Operation | undefined> {
  const words = operationId.split('.');
  for (let length = words.length - 1; length > 0; length--) {
    const id = `${words.slice(0, length).join('.')}.list`;
    const declarations: readonly Partial<Operation>[] = Object.values(await nounOf(id).contract());
    const found = declarations.find((operation) => operation.id === id) as Operation | undefined;
    if (found?.paramNames.every((name) => params[name] !== undefined) === true) return found;
  }
  return undefined;
}
