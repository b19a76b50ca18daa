import type { Command } from 'commander';
import { nearest } from '../../../contract/nearest.ts';
import type { Operation } from '../../../contract/operation.ts';
import { Problem } from '../../../errors/problem.ts';
import { listAuditActions, listAuditEvents } from '../../../resources/audit/contract.ts';
import { resolveFields } from '../../names/names.ts';
import type { Session } from '../../session/session.ts';
import { readSince } from '../../input/since.ts';

/** Adds the option --since, a short form of --from that excludes it. */
export function addSince(command: Command): void {
  command.option(
    '--since <period>',
    'only events since this date, such as 2030-01-31, or within this period, such as 12h, 7d or 4w; not with --from',
  );
}

/**
 * Returns the query of a list of events: --since as a time, and the actor as an ID.
 *
 * @throws Problem(invalid-input) for a wrong period or action, Problem(usage) together with --from
 */
export async function readEventQuery(
  session: Session,
  operation: Operation,
  organizationId: string,
  query: Readonly<Record<string, unknown>>,
  since: string | undefined,
): Promise<Record<string, unknown>> {
  if (since !== undefined && query['from'] !== undefined)
    throw new Problem('usage', '--since and --from both say where the list starts.', {
      hint: 'Leave one of them out.',
    });
  const from = since === undefined ? {} : { from: readSince(since, session.runtime.clock()) };
  // Members do not have jobs.
  const { actor, ...rest } = query;
  const isSystem = actor === 'docsctl';
  const resolved = await resolveFields(session, operation, isSystem ? rest : { ...query }, {
    organizationId,
  });
  await checkFilters(session, organizationId, query);
  return { ...resolved, ...(isSystem ? { actor } : {}), ...from };
}

/** Refuses an action that is unknown to the server and occurs in no event, and notes if no event has the target. */
async function checkFilters(
  session: Session,
  organizationId: string,
  { action, target }: Readonly<Record<string, unknown>>,
): Promise<void> {
  const params = { organizationId };
  const isUnused = async (filter: { action: string } | { target: string }) =>
    (await session.call(listAuditEvents, { params, query: { ...filter, limit: 1 } })).items.length === 0;
  if (typeof action === 'string' && (await isUnused({ action }))) {
    const { items } = await session.call(listAuditActions, { params });
    const known = items.map(({ id }) => id);
    const [close] = nearest(action, known);
    if (!known.includes(action))
      throw new Problem('invalid-input', `There is no action "${action}".`, {
        hint: `${close === undefined ? '' : `Did you mean ${close}? `}To list the actions, run \`docsctl audit actions\`.`,
      });
  }
  if (typeof target === 'string' && (await isUnused({ target })))
    session.note(`No event has the target ${JSON.stringify(target)}. --target takes the ID of a resource.`);
}
