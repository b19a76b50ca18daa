import type { Engine } from '../../core/jobs.ts';
import { requestRemoval } from '../../core/removal.ts';
import { sites } from '../../core/rows/sites.ts';
import { keptSince, removableAt } from './retention.ts';
import { siteEvents } from './rows.ts';

/** The most events that one write removes, so that other writes do not wait for long. */
const batch = 200;

/** Removes the events of a site that are too old, or all of a deleted site, and comes back when the next one is. */
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
