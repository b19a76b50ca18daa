import type { RequestContext } from '../../core/handler.ts';
import { users, type UserRow } from '../../core/rows/organizations.ts';
import { findOne, type WriteTransaction } from '../../core/store.ts';

/** Finds the user with an email, or adds one. Emails are compared in lower case. */
export async function findOrCreateUser(
  tx: WriteTransaction,
  { now, newId }: Pick<RequestContext, 'now' | 'newId'>,
  email: string,
  displayName?: string,
): Promise<UserRow> {
  const address = email.toLowerCase();
  const existing = await findOne(tx, users, 'byEmail', [address]);
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

/** Returns the domain of an email, in lower case. */
export function emailDomainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}
