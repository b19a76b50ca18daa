import type { Operation } from '../../contract/operation.ts';
import { propertiesIn } from './field-schema.ts';

/** Whether the fields of a resource can be edited: the operation updates one resource, not a list with additions and removals. */
export function canEdit({ id, method, body }: Operation): boolean {
  const names = propertiesIn(body).map(([name]) => name);
  return (
    id.endsWith('.update') &&
    (method === 'PATCH' || method === 'PUT') &&
    names.length > 0 &&
    !names.some((name) => name.startsWith('add'))
  );
}
