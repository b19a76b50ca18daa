import { setTimeout } from 'node:timers/promises';
import { spaces } from '../../core/rows/spaces.ts';
import { StaleIndexError } from '../../core/stale-index-error.ts';
import type { Engine } from '../../core/jobs.ts';
import { yieldingTransaction } from '../../core/yielding-transaction.ts';
import { checkLinks } from '../../content/links/index.ts';
import { requireFreshSearch } from '../../content/search-catch-up.ts';

/** Minimum number of milliseconds before the job lets other jobs run. */
const minSlice = 1000;
/**
 * Minimum duration of a slice, as a multiple of its first write. The first write is slow for large spaces, because it compares
 * their content.
 */
const minWrites = 4;
/** Maximum pause between two writes, in milliseconds, so that other requests have their turn. */
const maxRest = 50;

/** Updates the search index and the link index of a space after a large change, so that no reader has to wait for the update. */
export const engine: Engine = {
  async run({ job: { subject }, read, write, now, signal, progress }) {
    let end: number | undefined;
    const stale = await read(async (view) => {
      const space = await view.get(spaces, subject);
      try {
        if (space === undefined) return undefined;
        await requireFreshSearch(view, [space]);
        await checkLinks(view, space);
        return undefined;
      } catch (error) {
        if (error instanceof StaleIndexError) return error;
        throw error;
      }
    });
    if (stale === undefined) return;
    for (;;) {
      const began = performance.now();
      const { left, isFresh } = await write((tx) =>
        stale.catchUp(yieldingTransaction(tx, signal), { signal }),
      );
      stale.onWritten();
      progress(`${stale.what}, ${left} left`);
      const ended = performance.now();
      end ??= ended + Math.max(minSlice, minWrites * (ended - began));
      // Another request may have changed the content in the meantime.
      if (isFresh || signal.aborted || ended > end) return { repeatAt: now() };
      const rest = Math.min(ended - began, maxRest);
      await setTimeout(rest);
    }
  },
};
