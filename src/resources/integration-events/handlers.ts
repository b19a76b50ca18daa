import type { Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { enqueue } from '../../core/jobs.ts';
import type { IntegrationRow } from '../../core/rows/integrations.ts';
import { getOwned, type ReadTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import type * as contract from './contract.ts';
import { eventJobKind } from './record.ts';
import { shapeEvent } from './shape.ts';
import { integrationEvents, type IntegrationEventRow } from './rows.ts';

export const listEvents: Handler<typeof contract.listEvents> = ({ tx, integration }, { query }) =>
  listPage(
    tx,
    { table: integrationEvents, index: 'byIntegration', equals: [integration.id], order: 'desc' },
    query,
    shapeEvent,
  );

export const getEvent: Handler<typeof contract.getEvent> = async ({ tx, integration }, { params }) => {
  const row = await findEvent(tx, integration, params.eventId);
  return { event: shapeEvent(row), trace: { logs: row.logs.map((log) => ({ ...log })) } };
};

export const redeliverEvent: Handler<typeof contract.redeliverEvent> = async (
  { tx, integration, now },
  { params },
) => {
  const event = await findEvent(tx, integration, params.eventId);
  const { id, organization, order, payload, installation } = event;
  // Events of an installation have a number. Tasks, and events whose response somebody waits for, have none.
  if (order === 0 && payload.type !== 'task')
    throw new Problem('conflict', `Events of the type ${payload.type} cannot be delivered again.`, {
      hint: 'Repeat the request that caused the event.',
    });
  const queue = order === 0 ? id : (installation ?? id);
  const none = { dueAt: undefined, status: undefined, duration: undefined, error: undefined };
  const logs = [...event.logs, { message: 'To be delivered again', timestamp: now, level: 'info' as const }];
  const row = await tx.update(integrationEvents, id, { ...none, logs, queue, state: 'waiting', attempts: 0 });
  await enqueue(tx, now, { kind: eventJobKind, organization, subject: queue });
  return shapeEvent(row);
};

async function findEvent(
  view: ReadTransaction,
  { id }: IntegrationRow,
  eventId: string,
): Promise<IntegrationEventRow> {
  return getOwned(view, integrationEvents, eventId, { integration: id }, 'event');
}
