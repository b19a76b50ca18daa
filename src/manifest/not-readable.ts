import { isSecretField } from './export/secrets.ts';
import type { Field } from './kind.ts';
import { holdsSecret } from './value.ts';

/** Why nobody can say whether a field is still as a lock has it: nobody shows secrets, a folder is no live value, and some is hidden here, or for now. */
export type NotReadableReason = 'secret' | 'hidden' | 'content' | 'unknown';

/** `definition` is absent where the table of kinds does not have the field; undefined: the field can be compared. */
export function whyNotReadable(
  kind: string,
  field: string,
  definition: Field | undefined,
  last: unknown,
): NotReadableReason | undefined {
  if (kind === 'space' && field === 'content') return 'content';
  if (definition === undefined) return 'unknown';
  return isSecretField(definition) || holdsSecret(last) ? 'secret' : undefined;
}
