import type { Static } from '../../contract/schema.ts';
import type { User } from '../../contract/shapes.ts';
import type { ReadContext } from '../../core/handler.ts';
import { users } from '../../core/rows/organizations.ts';
import { shapeUser } from './shape.ts';

export type UserLookup = (id: string) => Promise<Static<typeof User>>;

/**
 * Creates a function that returns users by id in the form in which the API embeds them, and reads each user once. A deleted user
 * keeps the id but loses the name.
 */
export function createUserLookup({ tx, url }: ReadContext): UserLookup {
  const cache = new Map<string, Static<typeof User>>();
  return async (id) => {
    const cached = cache.get(id);
    if (cached !== undefined) return cached;
    const row = await tx.get(users, id);
    const user =
      row === undefined
        ? {
            object: 'user' as const,
            id,
            displayName: 'Deleted user',
            urls: { location: url(`/v1/users/${id}`) },
          }
        : shapeUser({ url }, row);
    cache.set(id, user);
    return user;
  };
}
