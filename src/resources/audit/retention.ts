import { defaultAuditDays } from '../../contract/audit-days.ts';
import { addTime, day } from '../../core/clock.ts';
import type { OrganizationRow } from '../../core/rows/organizations.ts';

/** Returns the time before which the events of an organization are expired. */
export function keptSince({ auditDays = defaultAuditDays }: OrganizationRow, now: string): string {
  return addTime(now, -auditDays * day);
}

/** Returns the time at which an event expires. */
export function removableAt({ auditDays = defaultAuditDays }: OrganizationRow, occurredAt: string): string {
  return addTime(occurredAt, auditDays * day);
}
