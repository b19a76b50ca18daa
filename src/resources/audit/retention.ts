import { defaultAuditDays } from '../../contract/audit-days.ts';
import { isoTime } from '../../core/clock.ts';
import type { OrganizationRow } from '../../core/rows/organizations.ts';

const day = 24 * 60 * 60 * 1000;

/** Returns the time before which the events of an organization are expired. */
export function keptSince({ auditDays = defaultAuditDays }: OrganizationRow, now: string): string {
  return isoTime(Date.parse(now) - auditDays * day);
}

/** Returns the time at which an event expires. */
export function removableAt({ auditDays = defaultAuditDays }: OrganizationRow, occurredAt: string): string {
  return isoTime(Date.parse(occurredAt) + auditDays * day);
}
