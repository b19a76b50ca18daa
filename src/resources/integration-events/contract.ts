import { listOf, ok, operation } from '../../contract/operation.ts';
import { closed, DateTime, Id, oneOf, Type } from '../../contract/schema.ts';

const types = [
  'installation_setup',
  'installation_deleted',
  'space_installation_setup',
  'space_installation_deleted',
  'site_installation_setup',
  'site_installation_deleted',
  'site_view',
  'space_content_updated',
  'space_gitsync_completed',
  'space_gitsync_started',
  'space_visibility_updated',
  'task',
  'fetch',
  'fetch_published_script',
  'fetch_visitor_authentication',
  'ui_render',
  'content_compute_document',
  'content_compute_revision',
  'page_feedback',
] as const;

/** What was sent to an integration; each type has fields of its own (API document, Events). */
const Payload = Type.Object({ eventId: Id, type: oneOf(types), installationId: Type.Optional(Id) }, { additionalProperties: true });

export const IntegrationEvent = closed({
  id: Id,
  integrationId: Type.String(),
  installationId: Type.Optional(Id),
  createdAt: DateTime,
  payload: Payload,
  status: oneOf(['success', 'failed']),
});

const Log = closed({ message: Type.String(), timestamp: DateTime, level: oneOf(['debug', 'info', 'warn', 'error']) });

export const listEvents = operation({
  id: 'integrations.events.list',
  route: 'GET /integrations/:integrationName/events',
  summary: 'List the events sent to an integration',
  access: 'integration.admin',
  returns: listOf(IntegrationEvent),
  cli: { columns: ['id', 'payload.type', 'status', 'installationId', 'createdAt'] },
});

export const getEvent = operation({
  id: 'integrations.events.get',
  route: 'GET /integrations/:integrationName/events/:eventId',
  summary: 'Show an event and what the integration logged about it',
  access: 'integration.admin',
  returns: ok(closed({ event: IntegrationEvent, trace: Type.Optional(closed({ logs: Type.Array(Log) })) })),
  cli: { columns: ['event.id', 'event.payload.type', 'event.status', 'event.createdAt'] },
});
