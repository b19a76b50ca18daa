import { Problem } from '../errors/problem.ts';
import type { Key } from '../core/store.ts';

/** What an index holds for a field; refuses what the stores could not keep apart or put in the same order. */
export function toKey(value: unknown, field: string): Key {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isFinite(value)) return value + 0;
  if (typeof value !== 'string')
    throw new Error(
      `The field "${field}" cannot be indexed: it is neither a string, a finite number nor null.`,
    );
  if (unstorable.test(value)) {
    throw new Problem(
      'invalid-input',
      `The ${field} holds a NUL or half of a character (a lone surrogate).`,
      { hint: 'Remove it and try again.' },
    );
  }
  return value;
}

// SQLite ends a text at NUL and has no bytes for a lone surrogate.
const unstorable = /[\0\p{Surrogate}]/u;
