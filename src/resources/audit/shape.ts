import type { ItemOf, OutputOf } from '../../contract/operation.ts';
import { defined } from '../../contract/values.ts';
import type { UrlContext } from '../../core/handler.ts';
import type { AuditEventRow } from '../../core/rows/audit-events.ts';
import type * as contract from './contract.ts';

type Details = OutputOf<typeof contract.getAuditEvent>;
type Event = ItemOf<typeof contract.listAuditEvents>;

/** Returns an event as lists show it. */
export function shapeEvent({ url }: UrlContext, row: AuditEventRow): Event {
  const { id, organization, occurredAt, action, who, source, what } = row;
  const location = url(`/v1/orgs/${organization}/audit-events/${id}`);
  return {
    object: 'audit-event',
    id,
    occurredAt,
    action,
    actor: { ...who },
    source,
    target: { ...what },
    urls: { location },
  };
}

/** Returns an event with its details. */
export function shapeDetails(context: UrlContext, row: AuditEventRow): Details {
  const { execution, correlation, payload, number, previous, hash } = row;
  return {
    ...shapeEvent(context, row),
    ...defined({ executionId: execution, correlationId: correlation }),
    schemaVersion: 1,
    payload: { ...(payload as Details['payload']), chain: { number, previous, hash } },
  };
}
