import { defaultAuditDays } from '../../contract/audit-days.ts';
import { isoTime } from '../../core/clock.ts';
import type { OrganizationRow } from '../../core/rows/organizations.ts';

const day = 24 * 60 * 60 * 1000;

/** Returns the time before which an organization keeps no events. */
export function keptSince({ auditDays = defaultAuditDays }: OrganizationRow, now: string): string {
  return isoTime(Date.parse(now) - auditDays * day);
}

/** Returns the time at which an event is old enough to be removed. */
export function removableAt({ auditDays = defaultAuditDays }: OrganizationRow, occurredAt: string): string {
  return isoTime(Date.parse(occurredAt) + auditDays * day);
}
