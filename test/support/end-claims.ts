import { jobs } from '../../src/core/rows/jobs.ts';
import type { Store } from '../../src/core/store.ts';

/** Records that other processes have watched the claims of the first open jobs for a minute, as after the death of their process. */
export async function endClaims({ write }: Pick<Store, 'write'>): Promise<void> {
  await write(async (tx) => {
    for (const { id, owner, dueAt } of await tx.find(jobs, { index: 'byDue', equals: ['open'], limit: 10 }))
      if (owner !== null) await tx.update(jobs, id, { watched: { until: dueAt, time: 60_000 } });
  });
}
