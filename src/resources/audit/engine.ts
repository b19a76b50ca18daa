import type { Engine } from '../../core/jobs.ts';
import { requestRemoval } from '../../core/removal.ts';
import { auditEvents, auditHeads } from '../../core/rows/audit-events.ts';
import { organizations } from '../../core/rows/organizations.ts';
import type { WriteTransaction } from '../../core/store.ts';
import { keptSince, removableAt } from './retention.ts';

/** Maximum number of events that one transaction removes, so that other writes do not wait for long. */
const maxEvents = 200;

/** Removes the events of an organization that are older than its retention time. Repeats when the next event gets that old. */
export const engine: Engine = {
  async run({ job: { subject }, read, write, now, signal }) {
    for (;;) {
      signal.throwIfAborted();
      const organization = await read((view) => view.get(organizations, subject));
      if (organization === undefined) return;
      const since = keptSince(organization, now());
      const oldest = await write(async (tx) => {
        await requestRemoval(tx, now());
        return removeBefore(tx, subject, since);
      });
      if (oldest === undefined) return;
      if (oldest >= since) return { repeatAt: removableAt(organization, oldest) };
    }
  },
};

/**
 * Removes some events from before a time. Returns the time of the oldest event that is left; undefined if none is left. In that
 * case, the next event queues the job again.
 */
async function removeBefore(
  tx: WriteTransaction,
  organization: string,
  since: string,
): Promise<string | undefined> {
  const query = { index: 'byTime', equals: [organization], limit: maxEvents } as const;
  for (const { id, occurredAt } of await tx.find(auditEvents, query))
    if (occurredAt < since) await tx.remove(auditEvents, id);
  const [oldest] = await tx.find(auditEvents, { ...query, limit: 1 });
  if (oldest === undefined && (await tx.get(auditHeads, organization)) !== undefined)
    await tx.update(auditHeads, organization, { scheduled: false });
  return oldest?.occurredAt;
}
