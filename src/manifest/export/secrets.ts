import { nameOf } from '../address.ts';
import type { Field } from '../kind.ts';
import { holdsSecret } from '../read/schema.ts';

/** Whether any part of a field is a secret. No such field is read or recorded. */
export function isSecretField({ writeOnly, schema }: Pick<Field, 'writeOnly' | 'schema'>): boolean {
  return writeOnly === true || holdsSecret(schema);
}

/** Writes the comment about a secret, whether there is one or not. */
export function secretRemark(address: string, field: string): string {
  const name = `${nameOf(address)}_${field}`
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d)|^_+/, 'SECRET_')
    .slice(0, 100);
  return `${field}: !secret { env: ${name} } # not exported`;
}
