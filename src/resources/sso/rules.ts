import type { OrganizationRow } from '../../core/rows/organizations.ts';
import { Problem } from '../../errors/problem.ts';

/**
 * Checks that users may join an organization without single sign-on. Administrators may still invite.
 *
 * @throws Problem(forbidden) if the organization enforces single sign-on
 */
export function checkMayJoin({ sso, title }: OrganizationRow): void {
  if (!sso) return;
  throw new Problem('forbidden', `People can join "${title}" only by single sign-on.`, {
    hint: 'Ask a member for the start URL (`docsctl sso list`), then run `docsctl login --sso START-URL`.',
  });
}
