import { getOrInsert } from '../contract/values.ts';
import type { Api } from '../contract/api.ts';
import { listAll } from '../contract/each-page.ts';
import type { ItemOf } from '../contract/operation.ts';
import { listMembers } from '../resources/members/contract.ts';
import type { Backend } from './kind.ts';
import { People } from './people.ts';

/** Number of items per page: large enough for few calls, and small enough to avoid answers of many megabytes. */
const pageSize = 500;

/**
 * Creates the backend that kinds use from an Api. Members are read only with `withPeople`.
 * @throws Problem(unreachable) if a list never ends
 */
export async function openBackend(
  api: Api,
  organization: string,
  { withPeople, signal }: { withPeople: boolean; signal?: AbortSignal | undefined },
): Promise<Backend> {
  const known = new Map<string, Promise<unknown>>();
  const options = signal === undefined ? {} : { signal };
  const backend: Backend = {
    organization,
    people: new People([]),
    call: (operation, input, given) => api.call(operation, input, { ...options, ...given }),
    all: (operation, input) =>
      listAll(api, operation, { ...input, query: { ...input.query, limit: pageSize } }, options),
    work: async (kind) => api.work?.({ kind, organization, signal: signal ?? new AbortController().signal }),
    once<T>(key: string, work: () => Promise<T>): Promise<T> {
      const result = getOrInsert(known, key, work);
      return result as Promise<T>;
    },
  };
  if (!withPeople) return backend;
  const members = await readMembers(backend);
  const people = new People(members.map(({ user }) => ({ id: user.id, email: user.email })));
  return { ...backend, people };
}

/** Lists the members of the organization. Each backend reads them once. */
export function readMembers(backend: Backend): Promise<readonly ItemOf<typeof listMembers>[]> {
  return backend.once('members', () =>
    backend.all(listMembers, { params: { organizationId: backend.organization } }),
  );
}

/** Returns a backend that sends an idempotency key with its calls, so that the server runs each call only once. */
export function withIdempotencyKey(backend: Backend, api: Api, key: string): Backend {
  return { ...backend, call: (operation, input) => api.call(operation, input, { idempotencyKey: key }) };
}
