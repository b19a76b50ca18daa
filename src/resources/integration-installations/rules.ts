import { roleIn } from '../../core/authorize.ts';
import { missingRole } from '../../core/missing-role.ts';
import { can } from '../../core/permissions.ts';
import { installations, type InstallationRow, type IntegrationRow } from '../../core/rows/integrations.ts';
import { invalid, notFound, Problem } from '../../errors/problem.ts';
import type { IntegrationContext } from '../integrations/rules.ts';

/**
 * The access that a caller needs to an installation: to read it, to change the fields that the integration may also change, or to
 * administer it.
 */
export type InstallationAccess = 'read' | 'configure' | 'administer';

/**
 * Returns an installation of the integration if the caller has access to it.
 *
 * @throws Problem(not-found) for callers outside of both organizations; Problem(forbidden) if the role is too low
 */
export async function installationOf(
  { tx, caller, integration, role }: IntegrationContext,
  id: string,
  access: InstallationAccess,
): Promise<InstallationRow> {
  const row = await tx.get(installations, id);
  const only = caller.integration?.installation?.id ?? id;
  if (only !== id) throw notFound('installation', id);
  const isPublisher = can(role, 'admin');
  const own = row?.integration === integration.id ? await roleIn(tx, caller, row.organization) : undefined;
  if (row?.integration !== integration.id || (own === undefined && !isPublisher))
    throw notFound('installation', id);
  const level = access === 'read' ? 'read' : 'admin';
  if (can(own ?? null, level) || (isPublisher && access !== 'administer')) return row;
  throw missingRole(
    {
      memberRole: await roleIn(tx, { ...caller, maxRole: 'admin' }, row.organization),
      maxRole: caller.maxRole,
    },
    {
      action: `${access === 'read' ? 'see' : 'change'} an installation`,
      level,
      place: 'in the organization that has installed the integration',
    },
    'Ask an administrator of that organization.',
  );
}

/** Checks that an integration is made for spaces, or for sites. @throws Problem(conflict) if it is not */
export function checkTarget({ id, target }: IntegrationRow, kind: 'space' | 'site'): void {
  if (target !== 'all' && target !== kind)
    throw new Problem(
      'conflict',
      `The integration "${id}" can be installed on ${target === 'organization' ? 'organizations' : `${target}s`} only, not on ${kind}s.`,
      { hint: `Show what the integration can be installed on: \`docsctl integrations get ${id}\`` },
    );
}

/**
 * Checks that an organization can agree to these scopes of an integration.
 *
 * @throws Problem(conflict) for the organization that publishes the integration; Problem(invalid-input) for a scope that the
 * integration does not ask for
 */
export function checkScopes(
  integration: IntegrationRow,
  { organization }: InstallationRow,
  scopes: readonly string[],
): void {
  if (organization === integration.organization)
    throw new Problem(
      'conflict',
      'The organization that publishes an integration always agrees to its scopes.',
      {
        hint: 'Change the scopes of the integration itself with `docsctl integrations publish`.',
      },
    );
  for (const [index, scope] of scopes.entries())
    if (!integration.scopes.includes(scope))
      throw invalid(
        `/body/scopes/${index}`,
        `The integration "${integration.id}" does not ask for the scope ${scope}.`,
        `Show its scopes: \`docsctl integrations get ${integration.id} -o yaml\``,
      );
}
