import type { Static } from '../../contract/schema.ts';
import type { User } from '../../contract/shapes.ts';
import type { UrlContext } from '../../core/handler.ts';
import type { UserRow } from '../../core/rows/organizations.ts';
import { defined } from '../../contract/values.ts';

/** Returns a user in the form in which other resources embed it (docs/api-operations.md, Conventions 9). */
export function shapeUser(
  { url }: UrlContext,
  row: Pick<UserRow, 'id' | 'displayName' | 'email' | 'photoURL'>,
): Static<typeof User> {
  return defined({
    object: 'user',
    id: row.id,
    displayName: row.displayName,
    email: row.email,
    photoURL: row.photoURL,
    urls: { location: url(`/v1/users/${row.id}`) },
  });
}
