import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hashEvent } from '../../../src/core/audit/hash-event.ts';
import type { AuditEventRow } from '../../../src/core/rows/audit-events.ts';

/** The hash by its definition: of the JSON whose object keys are sorted by UTF-16 units, with integer keys first. */
function definedHash(event: unknown): string {
  const sortKeys = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sortKeys)
      : typeof value !== 'object' || value === null
        ? value
        : Object.fromEntries(
            Object.entries(value)
              .sort(([one], [other]) => (one < other ? -1 : 1))
              .map(([key, inner]) => [key, sortKeys(inner)]),
          );
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(event)))
    .digest('hex');
}

const key = fc.oneof(
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', '10', '9', '01', '\u{1f600}', '\uffee'),
);
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constantFrom(null, undefined)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value;

it('hashEvent equals the hash of the JSON with sorted keys, in any order of the keys', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value), (event) => {
      const hashed = hashEvent(event as unknown as AuditEventRow);
      expect(hashed).toBe(definedHash(event));
      const stored = JSON.parse(JSON.stringify(event)) as object;
      const reversed = Object.fromEntries(Object.entries(stored).reverse());
      expect(hashEvent(reversed as AuditEventRow)).toBe(hashed);
    }),
    { seed: 20 },
  );
});
