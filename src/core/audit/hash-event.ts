import { hash } from 'node:crypto';
import { isObject } from '../../contract/values.ts';
import type { AuditEventRow } from '../rows/audit-events.ts';

/** Returns the SHA-256 of an event in hexadecimal, which covers the hash of the event before it. */
export function hashEvent(event: Omit<AuditEventRow, 'hash'>): string {
  return hash('sha256', JSON.stringify(sortKeys(event)));
}

/** Copies a value with its keys sorted, because a store may return them in another order. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(fields).sort()) {
    const inner = sortKeys(fields[key]);
    // An assignment would set the prototype.
    if (key === '__proto__') Object.defineProperty(sorted, key, { value: inner, enumerable: true });
    else sorted[key] = inner;
  }
  return sorted;
}
