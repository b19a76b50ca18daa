import type { Operation } from '../contract/operation.ts';
import { checkInput } from '../contract/check.ts';
import type { Session } from './session.ts';

/** Prints the requests that a changing command would send, checked like the real ones. */
export async function printRequests(
  session: Session,
  operation: Operation,
  inputs: readonly Record<string, string>[],
  query: object,
  body: unknown,
): Promise<void> {
  const printer = await session.printer({ columns: ['method', 'path', 'body'], noun: 'requests' });
  const requests = inputs.map((params) => {
    checkInput(operation, { params, query, body });
    const path = operation.path.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    );
    return { method: operation.method, path: `/v1${path}`, ...(body === undefined ? {} : { body }) };
  });
  if (requests.length === 1) await printer.one(requests[0]);
  else await printer.page({ count: requests.length, items: requests });
  await printer.end();
  session.note('Dry run: nothing was sent.');
}
