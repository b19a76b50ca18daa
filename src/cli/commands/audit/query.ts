import type { Command } from 'commander';
import type { Operation } from '../../../contract/operation.ts';
import { Problem } from '../../../errors/problem.ts';
import { resolveFields } from '../../names.ts';
import type { Session } from '../../session.ts';
import { readSince } from '../../since.ts';

/** Adds the option --since, which stands for --from. */
export function addSince(command: Command): void {
  command.option(
    '--since <period>',
    'only events of this period, such as 12h, 7d or 4w, or since a date, such as 2030-01-31',
  );
}

/**
 * Returns the query of a list of events: --since as a time, and the actor as an ID.
 *
 * @throws Problem(usage) for a wrong period, or together with --from
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
  // Jobs have no member.
  const { actor, ...rest } = query;
  const isSystem = actor === 'docsctl';
  const resolved = await resolveFields(session, operation, isSystem ? rest : { ...query }, {
    organizationId,
  });
  return { ...resolved, ...(isSystem ? { actor } : {}), ...from };
}
