import type { Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { notFound } from '../../errors/problem.ts';
import type * as contract from './contract.ts';
import { shapeEvent } from './shape.ts';
import { integrationEvents } from './rows.ts';

export const listEvents: Handler<typeof contract.listEvents> = ({ tx, integration }, { query }) =>
  listPage(
    tx,
    { table: integrationEvents, index: 'byIntegration', equals: [integration.id], order: 'desc' },
    query,
    shapeEvent,
  );

export const getEvent: Handler<typeof contract.getEvent> = async ({ tx, integration }, { params }) => {
  const row = await tx.get(integrationEvents, params.eventId);
  if (row?.integration !== integration.id) throw notFound('event', params.eventId);
  return { event: shapeEvent(row), trace: { logs: row.logs.map((log) => ({ ...log })) } };
};
