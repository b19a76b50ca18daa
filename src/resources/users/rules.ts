import type { RequestContext } from '../../core/handler.ts';
import { users, type UserRow } from '../../core/rows/organizations.ts';
import { findOne, type WriteTransaction } from '../../core/store.ts';

/** The user with an email, made when there is none; emails are the same in any case of letters. */
export async function findOrCreateUser(
  tx: WriteTransaction,
  { now, newId }: Pick<RequestContext, 'now' | 'newId'>,
  email: string,
  displayName?: string,
): Promise<UserRow> {
  const address = email.toLowerCase();
  const known = await findOne(tx, users, 'byEmail', [address]);
  if (known !== undefined) return known;
  const row: UserRow = {
    id: newId('usr'),
    email: address,
    displayName: displayName ?? localPart(address),
    createdAt: now,
  };
  await tx.insert(users, row);
  return row;
}

function localPart(email: string): string {
  return email.slice(0, email.lastIndexOf('@'));
}

/** The part of an email that says which organizations one may join. */
export function emailDomainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}
