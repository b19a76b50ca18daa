import { defaultAuditDays } from '../../contract/audit-days.ts';
import { isOperation, type OutputOf } from '../../contract/operation.ts';
import { otherActions } from '../../core/audit/actions.ts';
import { isoTime } from '../../core/clock.ts';
import type { Handler, ReadContext } from '../../core/handler.ts';
import { enqueue } from '../../core/jobs.ts';
import { auditEvents } from '../../core/rows/audit-events.ts';
import { organizations, type OrganizationRow } from '../../core/rows/organizations.ts';
import { notFound } from '../../errors/problem.ts';
import type * as contract from './contract.ts';
import { listEvents } from './list-events.ts';
import { keptSince } from './retention.ts';
import { shapeDetails, shapeEvent } from './shape.ts';

export const listAuditEvents: Handler<typeof contract.listAuditEvents> = async (context, { query }) => {
  const { tx, organization, now } = context;
  const shape = query.details === true ? shapeDetails : shapeEvent;
  const page = await listEvents(tx, organization.id, keptSince(organization, now), query);
  return { ...page, items: page.items.map((row) => shape(context, row)) };
};

export const getAuditEvent: Handler<typeof contract.getAuditEvent> = async (context, { params }) => {
  const { tx, organization, now } = context;
  const row = await tx.get(auditEvents, params.auditEventId.toLowerCase());
  if (row?.organization !== organization.id || row.occurredAt < keptSince(organization, now))
    throw notFound('audit event', params.auditEventId);
  return shapeDetails(context, row);
};

export const listAuditActions: Handler<typeof contract.listAuditActions> = async () => {
  const { nouns } = await import('../index.ts');
  const contracts = await Promise.all(nouns.map(({ contract: load }) => load()));
  const operations = contracts.flatMap((declared) => Object.values(declared).filter(isOperation));
  const actions = new Map([
    ...operations.filter(({ safe }) => !safe).map(({ id, summary }) => [id, summary] as const),
    ...otherActions.map(({ id, label }) => [id, label] as const),
  ]);
  const items = [...actions].map(([id, label]) => ({ object: 'audit-event-action' as const, id, label }));
  return { items: items.sort((a, b) => (a.id < b.id ? -1 : 1)) };
};

export const getAuditRetention: Handler<typeof contract.getAuditRetention> = (context) =>
  shapeRetention(context, context.organization);

export const keepAuditEvents: Handler<typeof contract.keepAuditEvents> = async (context, { body }) => {
  const { tx, organization, now } = context;
  if (body.days === (organization.auditDays ?? defaultAuditDays))
    return shapeRetention(context, organization);
  const changed = await tx.update(organizations, organization.id, { auditDays: body.days });
  await enqueue(tx, now, { kind: 'audit', organization: organization.id, subject: organization.id });
  return shapeRetention(context, changed);
};

async function shapeRetention(
  { tx }: ReadContext,
  { id, auditDays = defaultAuditDays }: OrganizationRow,
): Promise<OutputOf<typeof contract.getAuditRetention>> {
  const [first] = await tx.find(auditEvents, { index: 'byTime', equals: [id], limit: 1 });
  return {
    object: 'audit-retention',
    days: auditDays,
    events: await tx.count(auditEvents, 'byTime', [id]),
    ...(first === undefined ? {} : { oldest: isoTime(Date.parse(first.occurredAt)) }),
  };
}
