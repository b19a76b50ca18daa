import { isoTime } from '../../core/clock.ts';
import { auditEvents } from '../../core/rows/audit-events.ts';
import type { OrganizationRow } from '../../core/rows/organizations.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { keptSince } from './retention.ts';

/** Returns the time of the newest event that a user caused in an organization; undefined if there is none. */
export async function findLastActivity(
  { tx, now }: { tx: ReadTransaction; now: string },
  organization: OrganizationRow,
  user: string,
): Promise<string | undefined> {
  const [event] = await tx.find(auditEvents, {
    index: 'byActor',
    equals: [organization.id, user],
    order: 'desc',
    limit: 1,
  });
  if (event === undefined || event.occurredAt < keptSince(organization, now)) return undefined;
  return isoTime(Date.parse(event.payload.until ?? event.occurredAt));
}
