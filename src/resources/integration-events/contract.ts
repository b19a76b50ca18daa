import { listOf, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, Id, oneOf, optional, Type } from '../../contract/schema.ts';

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

/** The body of an event. Its other fields depend on the type. */
const Payload = Type.Object(
  { eventId: Id, type: oneOf(types), installationId: Type.Optional(Id) },
  { additionalProperties: true },
);

const Delivery = closed(
  {
    state: oneOf(['waiting', 'delivered', 'ignored', 'dead', 'no-endpoint']),
    receiver: Type.Optional(
      oneOf(['tunnel', 'script', 'nobody'], { description: 'who received the last attempt' }),
    ),
    attempts: Type.Integer({ minimum: 0 }),
    ...optional({
      status: Type.Integer({ description: 'HTTP status of the last response' }),
      duration: Type.Integer({ minimum: 0, description: 'duration of the last attempt in milliseconds' }),
      error: Type.String(),
      nextAttemptAt: DateTime,
    }),
  },
  {
    description:
      'Delivery to the script of the integration, or to its tunnel during development. The state is "ignored" if the script has no handler for the event, "dead" after the last failed attempt, and "no-endpoint" if there is no script and no tunnel. Not in the official API of GitBook.',
  },
);

/** An event that was recorded for an integration, and the state of its delivery. */
export const IntegrationEvent = closed({
  id: Id,
  integrationId: Type.String(),
  installationId: Type.Optional(Id),
  createdAt: DateTime,
  payload: Payload,
  status: oneOf(['success', 'failed'], {
    description:
      '"success" once the integration has received the event, otherwise "failed". `delivery.state` says more',
  }),
  delivery: Delivery,
});

const Log = closed({
  message: Type.String(),
  timestamp: DateTime,
  level: oneOf(['debug', 'info', 'warn', 'error']),
});

export const nounHelp: NounHelp = {
  description:
    'An event tells an integration what happened, for example that it was installed on a space. docsctl records each event and delivers it to the script of the integration, or to a tunnel (see `docsctl integrations dev --help`). A failed delivery to a tunnel is repeated up to 9 times, with growing pauses. The trace of an event shows what the script wrote, and why it failed. `docsctl integrations events redeliver` delivers an event again.',
  examples: [
    'docsctl integrations events list slack',
    'docsctl integrations events list slack --query "items[?delivery.state==\'dead\']" -o json',
  ],
};

export const listEvents = operation({
  id: 'integrations.events.list',
  route: 'GET /integrations/:integrationName/events',
  summary: 'List the events of an integration, newest first',
  description:
    'Events about installations, tasks, requests to the endpoints of the integration, drawn components and computed pages are always recorded. Events about spaces need a scope: `space_content_updated` needs space:content:read, `space_visibility_updated` (sites start or stop showing a space to an audience) needs space:metadata:read, and `space_gitsync_started` and `space_gitsync_completed` need space:git:sync. docsctl keeps events for 30 days. If an integration has more than 1,000 events, docsctl can remove the oldest earlier. Visits and feedback cause no events.',
  access: 'integration.admin',
  returns: listOf(IntegrationEvent),
  cli: {
    examples: ['docsctl integrations events list slack'],
    columns: ['payload.type', 'delivery.state', 'delivery.attempts', 'createdAt', 'installationId', 'id'],
  },
});

export const getEvent = operation({
  id: 'integrations.events.get',
  route: 'GET /integrations/:integrationName/events/:eventId',
  summary: 'Show an event with its delivery',
  access: 'integration.admin',
  returns: ok(closed({ event: IntegrationEvent, trace: Type.Optional(closed({ logs: Type.Array(Log) })) })),
  cli: {
    examples: ['docsctl integrations events get evt_2 --integration slack'],
    columns: [
      'event.payload.type',
      'event.delivery.state',
      'event.delivery.error',
      'event.createdAt',
      'event.id',
    ],
  },
});

export const redeliverEvent = operation({
  id: 'integrations.events.redeliver',
  route: 'POST /integrations/:integrationName/events/:eventId/redeliver',
  summary: 'Deliver an event again',
  description:
    'Use this command after you have corrected a script or tunnel that failed. The integration gets the same event with the same ID, after all earlier events of the same installation. A server delivers it automatically; on an embedded store, run `docsctl jobs run`. An event that a request caused, such as `fetch` or `ui_render`, cannot be delivered again. Repeat the request instead. This operation is not in the official API of GitBook.',
  access: 'integration.admin',
  returns: ok(IntegrationEvent),
  cli: {
    examples: ['docsctl integrations events redeliver evt_2 --integration slack'],
    columns: ['payload.type', 'delivery.state', 'createdAt', 'id'],
  },
});
