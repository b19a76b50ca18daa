import { roleIn } from '../../core/authorize.ts';
import type { Caller } from '../../core/callers.ts';
import type { ResourceScope } from '../../core/handler.ts';
import { can } from '../../core/permissions.ts';
import { installations, type InstallationRow, type IntegrationRow } from '../../core/rows/integrations.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { notFound, Problem } from '../../errors/problem.ts';

/** What somebody wants of an installation: to see it, to change what its program may change itself, or to decide over it. */
type Aim = 'see' | 'set up' | 'decide';
type InstallationContext = {
  readonly tx: ReadTransaction;
  readonly caller: Caller;
  readonly integration: IntegrationRow;
  readonly role: ResourceScope['role'];
};

/** An installation of the integration, for those who may do that there. To who has no part in it, it is not there. */
export async function installationOf(
  { tx, caller, integration, role }: InstallationContext,
  id: string,
  aim: Aim,
): Promise<InstallationRow> {
  const row = await tx.get(installations, id);
  const isPublisher = can(role, 'admin');
  const own = row?.integration === integration.id ? await roleIn(tx, caller, row.organization) : undefined;
  if (row?.integration !== integration.id || (own === undefined && !isPublisher))
    throw notFound('installation', id);
  if (can(own ?? null, aim === 'see' ? 'read' : 'admin') || (isPublisher && aim !== 'decide')) return row;
  throw new Problem(
    'forbidden',
    `This needs the role "${aim === 'see' ? 'read' : 'admin'}" in the organization where the integration is installed.`,
    {
      hint: 'Ask an administrator of that organization.',
    },
  );
}

/** Refuses a space or site that an integration is not made for. */
export function checkTarget({ id, target }: IntegrationRow, place: 'space' | 'site'): void {
  if (target !== 'all' && target !== place)
    throw new Problem(
      'conflict',
      `The integration "${id}" is made for ${target === 'organization' ? 'whole organizations' : `${target}s`}, not for ${place}s.`,
      {
        hint: '`docsctl integrations get` shows its target.',
      },
    );
}
