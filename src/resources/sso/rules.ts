import type { OrganizationRow } from '../../core/rows/organizations.ts';
import { Problem } from '../../errors/problem.ts';

/**
 * Refuses to let a user join an organization that enforces single sign-on (its field `sso`). Members and tokens are not
 * affected, and administrators may still invite.
 */
export function checkMayJoin({ sso, title }: Pick<OrganizationRow, 'sso' | 'title'>): void {
  if (!sso) return;
  throw new Problem('forbidden', `"${title}" lets people in by single sign-on only.`, {
    hint: 'Sign in at the start URL of its SAML provider, `docsctl login --sso START-URL`; a member finds it by `docsctl sso list`.',
  });
}
