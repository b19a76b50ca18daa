import type { Engine } from '../../core/jobs.ts';
import { requestRemoval } from '../../core/removal.ts';
import { sites } from '../../core/rows/sites.ts';
import { keptSince, removableAt } from './retention.ts';
import { siteEvents } from './rows.ts';

/** Maximum number of events that one transaction removes, so that other writes do not wait for long. */
const batch = 200;

/** Removes the expired events of a site, or all events of a deleted site. Repeats when the next event expires. */
export const engine: Engine = {
  async run({ job: { subject }, read, write, now, signal }) {
    for (;;) {
      signal.throwIfAborted();
      const site = await read((view) => view.get(sites, subject));
      const since = site === undefined ? undefined : keptSince(now());
      const query = { index: 'bySite', equals: [subject], limit: batch } as const;
      const oldest = await write(async (tx) => {
        await requestRemoval(tx, now());
        for (const { id, at } of await tx.find(siteEvents, query))
          if (since === undefined || at < since) await tx.remove(siteEvents, id);
        return (await tx.find(siteEvents, { ...query, limit: 1 }))[0]?.at;
      });
      if (oldest === undefined) return;
      if (since !== undefined && oldest >= since) return { repeatAt: removableAt(oldest) };
    }
  },
};
