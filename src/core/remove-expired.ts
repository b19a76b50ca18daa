import type { Row, Table, WriteTransaction } from './store.ts';

/** Removes a few expired rows. Each new row calls it, so that none are kept for long. `now` is an ISO time. */
export async function removeExpired<R extends Row & { readonly expiresAt: string }>(
  tx: WriteTransaction,
  from: Table<R, 'byExpiry'>,
  now: string,
): Promise<void> {
  for (const old of await tx.find(from, { index: 'byExpiry', equals: [], limit: 8 }))
    if (old.expiresAt <= now) await tx.remove(from, old.id);
}
