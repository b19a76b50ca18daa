import { eachItem } from '../../contract/each-page.ts';
import { listSome } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { statuses } from '../../resources/change-requests/contract.ts';
import { listOrganizationChangeRequests } from '../../resources/organization-change-requests/contract.ts';
import { resolveOrganization } from './names.ts';
import type { Session } from '../session/session.ts';

/**
 * Finds the spaces of change requests by ID. Undefined if a name is not an ID, because numbers are unique only in a space.
 * @throws Problem(not-found) for IDs of no change request in the organization
 */
export async function findSpacesOfRequests(
  session: Session,
  names: readonly string[],
): Promise<ReadonlyMap<string, string> | undefined> {
  if (names.length === 0 || !names.every((name) => name.startsWith('cr_'))) return undefined;
  const params = { organizationId: await resolveOrganization(session) };
  const spaces = new Map<string, string>();
  const missing: string[] = [];
  for (const name of names) {
    const query = { id: name, status: [...statuses] };
    // A server of another vendor may list all change requests.
    for await (const { id, space } of eachItem(session, listOrganizationChangeRequests, { params, query }))
      if (id === name) {
        spaces.set(name, space);
        break;
      }
    if (!spaces.has(name)) missing.push(name);
  }
  if (missing.length === 0) return spaces;
  throw new Problem('not-found', `There is no change request ${listSome(missing)} in the organization.`, {
    hint: 'To see the change requests of all spaces, run `docsctl change-requests list`.',
  });
}
