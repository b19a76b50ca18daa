import { spaces } from '../../core/rows/spaces.ts';
import { StaleIndexError } from '../../core/stale-index-error.ts';
import type { Engine } from '../../core/jobs.ts';
import { yieldingTransaction } from '../../core/yielding-transaction.ts';
import { checkLinks } from '../../content/links/index.ts';
import { requireFreshSearch } from '../../content/search-catch-up.ts';

/** Milliseconds after which the job lets other jobs run, at least. */
const minSlice = 1000;
/** How many times as long as its first write a slice is, at least: that compares the content of large spaces first. */
const minWrites = 4;
/** The most milliseconds between two writes, in which requests of others have their turn. */
const maxRest = 50;

/**
 * Brings the search and the index of links of a space up to date after a large change, so that nobody who reads has to wait for
 * that.
 */
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
      // Others may have changed the content in the meantime.
      if (isFresh || signal.aborted || ended > end) return { repeatAt: now() };
      const rest = Math.min(ended - began, maxRest);
      await new Promise((resolve) => setTimeout(resolve, rest));
    }
  },
};
