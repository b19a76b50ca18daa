import { hash } from 'node:crypto';
import type { AuditEventRow } from '../rows/audit-events.ts';

/** Returns the SHA-256 of an event in hexadecimal, which covers the hash of the event before it. */
export function hashEvent(event: Omit<AuditEventRow, 'hash'>): string {
  return hash('sha256', JSON.stringify(sortKeys(event)));
}

/** Copies a value with its keys sorted, because a store may return them in another order. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  );
}
