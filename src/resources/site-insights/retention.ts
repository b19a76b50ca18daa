import { addTime, day } from '../../core/clock.ts';
import { enqueue } from '../../core/jobs.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import type { WriteTransaction } from '../../core/store.ts';
import { siteEvents, type SiteEventRow } from './rows.ts';
/** Number of days after which events are removed. */
const daysToKeep = 400;
const maxEvents = 100_000;

/** The kind of jobs that remove old events. */
const kind = 'site-events';

/** Returns the time before which events are expired. */
export function keptSince(now: string): string {
  return addTime(now, -daysToKeep * day);
}

/** Returns the time at which an event expires. */
export function removableAt(at: string): string {
  return addTime(at, daysToKeep * day);
}

/** Requests the removal of events of a site once they expire, or at once if the site is deleted. */
export function requestCleanup(
  tx: WriteTransaction,
  now: string,
  { id, organization }: SiteRow,
  dueAt: string,
): Promise<void> {
  return enqueue(tx, now, { kind, organization, subject: id, dueAt });
}

/** Removes the oldest events of a site if there are more than `max`, by default 100,000. */
export async function removeExcess(tx: WriteTransaction, site: string, max = maxEvents): Promise<void> {
  const excess = (await tx.count(siteEvents, 'bySite', [site])) - max;
  if (excess <= 0) return;
  for (const { id } of await tx.find(siteEvents, { index: 'bySite', equals: [site], limit: excess }))
    await tx.remove(siteEvents, id);
}

/** Stores events of a site that are not already expired, and removes the oldest events if there are too many. */
export async function keepEvents(
  tx: WriteTransaction,
  site: SiteRow,
  rows: readonly SiteEventRow[],
  now: string,
): Promise<void> {
  const kept = rows.filter(({ at }) => at >= keptSince(now));
  let oldest: string | undefined;
  for (const row of kept) {
    await tx.insert(siteEvents, row);
    oldest = oldest === undefined || row.at < oldest ? row.at : oldest;
  }
  await removeExcess(tx, site.id);
  if (oldest !== undefined) await requestCleanup(tx, now, site, removableAt(oldest));
}
