import { defined, unlessEmpty } from '../../contract/values.ts';
import type { AuditEventRow, AuditPayload } from '../rows/audit-events.ts';

/** Actions that clients repeat in series. A series is recorded as one event, such as an import of 10,000 pages. */
const inSeries: ReadonlySet<string> = new Set([
  'change-requests.content.batch',
  'change-requests.content.update',
  'conversations.ingest',
  'conversations.ingest-batch',
]);

/** Maximum milliseconds between two requests of a series. */
const maxPause = 10 * 60 * 1000;

/** Whether an event of this action may continue the one before it. */
export function canContinue(action: string): boolean {
  return inSeries.has(action);
}

type NewEvent = Omit<AuditEventRow, 'hash'>;

/**
 * Merges an event into the last one, and returns it without a hash. Returns undefined if they do not belong to the same series.
 */
export function continueEvent(row: AuditEventRow, next: NewEvent): NewEvent | undefined {
  const { hash: _, ...last } = row;
  const identity = ({ action, actor, target, source, execution, correlation, payload }: NewEvent) =>
    // The correlation of an HTTP request that belongs to no command is its own execution ID.
    JSON.stringify([action, actor, target, source, correlation !== execution && correlation, payload.origin]);
  const pause = Date.parse(next.occurredAt) - Date.parse(last.payload.until ?? last.occurredAt);
  if (identity(last) !== identity(next) || pause > maxPause) return undefined;
  const { requests = 1, before, after } = last.payload;
  const payload: AuditPayload = {
    ...last.payload,
    ...defined({
      before: mergeFields(next.payload.before, before),
      after: mergeFields(after, next.payload.after),
      counts: addCounts(last.payload.counts, next.payload.counts),
      related: next.payload.related,
      relatedCount: next.payload.relatedCount,
    }),
    requests: requests + 1,
    until: next.occurredAt,
  };
  return { ...last, payload };
}

/** Merges fields. If both have a field, the value of `winner` counts. */
function mergeFields(fields: AuditPayload['after'], winner: AuditPayload['after']): AuditPayload['after'] {
  return fields === undefined ? winner : { ...fields, ...winner };
}

function addCounts(a: AuditPayload['counts'] = {}, b: AuditPayload['counts'] = {}): AuditPayload['counts'] {
  const sums = { ...a };
  for (const [type, { added, removed }] of Object.entries(b)) {
    const sum = sums[type] ?? { added: 0, removed: 0 };
    sums[type] = { added: sum.added + added, removed: sum.removed + removed };
  }
  return unlessEmpty(sums);
}
