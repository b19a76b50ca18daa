import type { Static } from '../../contract/schema.ts';
import type { User } from '../../contract/shapes.ts';
import type { UrlContext } from '../../core/handler.ts';
import { users } from '../../core/rows/organizations.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { shapeUser } from './shape.ts';

export type UserLookup = (id: string) => Promise<Static<typeof User>>;

/** Looks up people as the API embeds them, each of them once; who is gone keeps the id and loses the name. */
export function createUserLookup(view: ReadTransaction, { url }: UrlContext): UserLookup {
  const known = new Map<string, Static<typeof User>>();
  return async (id) => {
    const met = known.get(id);
    if (met !== undefined) return met;
    const row = await view.get(users, id);
    const user =
      row === undefined
        ? {
            object: 'user' as const,
            id,
            displayName: 'Somebody who left',
            urls: { location: url(`/v1/users/${id}`) },
          }
        : shapeUser({ url }, row);
    known.set(id, user);
    return user;
  };
}
