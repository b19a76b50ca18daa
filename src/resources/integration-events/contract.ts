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

/** The body of an event; each type has fields of its own. */
const Payload = Type.Object(
  { eventId: Id, type: oneOf(types), installationId: Type.Optional(Id) },
  { additionalProperties: true },
);

const Delivery = closed(
  {
    state: oneOf(['waiting', 'delivered', 'dead', 'no-endpoint']),
    attempts: Type.Integer({ minimum: 0 }),
    status: Type.Optional(Type.Integer({ description: 'HTTP status of the last answer' })),
    duration: Type.Optional(Type.Integer({ minimum: 0, description: 'Milliseconds of the last try' })),
    error: Type.Optional(Type.String()),
    nextAttemptAt: Type.Optional(DateTime),
  },
  {
    description:
      'How it goes to the tunnel of the integration: "dead" was given up, "no-endpoint" had nowhere to go. Not in the API document.',
  },
);

/** An event that was recorded for an integration, and its delivery. */
export const IntegrationEvent = closed({
  id: Id,
  integrationId: Type.String(),
  installationId: Type.Optional(Id),
  createdAt: DateTime,
  payload: Payload,
  status: oneOf(['success', 'failed'], { description: '"failed" when its last delivery failed' }),
  delivery: Delivery,
});

const Log = closed({
  message: Type.String(),
  timestamp: DateTime,
  level: oneOf(['debug', 'info', 'warn', 'error']),
});

export const listEvents = operation({
  id: 'integrations.events.list',
  route: 'GET /integrations/:integrationName/events',
  summary: 'List the events of an integration, newest first',
  description:
    'Told is what becomes of its installations, and space_content_updated to those that may read content. The other types of the API document belong to what does not happen here: visits of sites, Git Sync, tasks, rendering; and nothing in the API changes the visibility of a space.',
  access: 'integration.admin',
  returns: listOf(IntegrationEvent),
  cli: {
    columns: ['payload.type', 'delivery.state', 'delivery.attempts', 'createdAt', 'installationId', 'id'],
  },
});

export const getEvent = operation({
  id: 'integrations.events.get',
  route: 'GET /integrations/:integrationName/events/:eventId',
  summary: 'Show an event and what the integration logged about it',
  access: 'integration.admin',
  returns: ok(closed({ event: IntegrationEvent, trace: Type.Optional(closed({ logs: Type.Array(Log) })) })),
  cli: {
    columns: [
      'event.payload.type',
      'event.delivery.state',
      'event.delivery.error',
      'event.createdAt',
      'event.id',
    ],
  },
});
