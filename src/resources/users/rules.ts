import type { RequestContext } from '../../core/handler.ts';
import { findUser, normalizeEmail } from '../../core/emails.ts';
import { users, type UserRow } from '../../core/rows/organizations.ts';
import type { WriteTransaction } from '../../core/store.ts';

/** Finds the user with an email, or adds one. */
export async function findOrCreateUser(
  tx: WriteTransaction,
  { now, newId }: Pick<RequestContext, 'now' | 'newId'>,
  email: string,
  displayName?: string,
): Promise<UserRow> {
  const address = normalizeEmail(email);
  const existing = await findUser(tx, address);
  if (existing !== undefined) return existing;
  const row: UserRow = {
    id: newId('usr'),
    email: address,
    displayName: displayName ?? address.slice(0, address.lastIndexOf('@')),
    createdAt: now,
  };
  await tx.insert(users, row);
  return row;
}
