import { shellWord } from '../contract/shell-word.ts';
import type { Store } from '../core/store.ts';
import { Problem } from '../errors/problem.ts';
import { marks, type MarkRow } from './marks.ts';

/** Seconds after which clients may retry. The server answers 503 until it is started with the new store. */
const secondsToRetry = 60;

/** Refuses writes to a store that was moved, also in processes that were running before. */
export function guardStore(store: Store): Store {
  const write = store.write.bind(store);
  const checkInUse = store.checkInUse?.bind(store);
  store.checkInUse = async () => {
    await checkInUse?.();
    refuseMoved(store.url, await store.read((view) => view.get(marks, 'moved')));
  };
  store.write = (work, options) =>
    write(async (tx) => {
      // Not awaited yet, so that a store on another machine gets both requests together.
      const reading = tx.get(marks, 'moved').catch((error: unknown) => error);
      try {
        return await work(tx);
      } finally {
        refuseMoved(store.url, await reading);
      }
    }, options);
  return store;
}

function refuseMoved(url: string, moved: unknown): void {
  if (moved === undefined) return;
  if (moved instanceof Error) throw moved;
  const { to = '' } = moved as MarkRow;
  throw new Problem('store-failed', `The store ${url} was moved to ${to}. Nothing was changed.`, {
    hint: `${useNewStore(url, to)} To use the old store again, run \`docsctl store migrate --from ${shellWord(url)} --undo\`.`,
    retryAfter: secondsToRetry,
  });
}

/** Returns the hint for users of a store that was moved. */
export function useNewStore(url: string, to: string): string {
  return `Use the new store: \`--store ${shellWord(to)}\`. If the move was interrupted, continue it: \`docsctl store migrate --from ${shellWord(url)} --to ${shellWord(to)}\`.`;
}

/** Checks that a store is complete. @throws Problem(store-failed) while another store is copied into it */
export async function refuseIncomplete(store: Store): Promise<void> {
  const mark = await store.read((view) => view.get(marks, 'incoming'));
  if (mark === undefined) return;
  const { from = '' } = mark;
  throw new Problem(
    'store-failed',
    `The store ${store.url} is not complete: ${from} is being copied into it.`,
    {
      hint: `To continue the copy, run \`docsctl store migrate --from ${shellWord(from)} --to ${shellWord(store.url)}\`.`,
    },
  );
}
