import { isSecretField } from './export/secrets.ts';
import { findField, isExternal, type Kind } from './kind.ts';
import { holdsSecret } from './value.ts';

/** Why nobody can say whether a field is still as a lock has it: nobody shows secrets, a folder is no live value, and some is hidden here, or for now. */
export type NotReadableReason = 'secret' | 'hidden' | 'content' | 'unknown';

/** Returns why a field cannot be compared with the value that a state has. */
export function whyNotReadable(kind: Kind, field: string, last: unknown): NotReadableReason | undefined {
  if (isExternal(kind, field)) return 'content';
  const definition = findField(kind, field);
  if (definition === undefined) return 'unknown';
  return isSecretField(definition) || holdsSecret(last) ? 'secret' : undefined;
}
