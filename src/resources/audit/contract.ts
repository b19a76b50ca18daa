import { auditDaysRange, defaultAuditDays } from '../../contract/audit-days.ts';
import { listOf, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, custom, DateTime, oneOf, optional, Type, Url } from '../../contract/schema.ts';

export const nounHelp: NounHelp = {
  description:
    'An audit event records one change in an organization: who made it, what it changed, from where, and the values before and after. ' +
    'docsctl stores the event together with the change, so there is no change without an event. Secrets and the text of pages are never in events.\n\n' +
    `Only administrators can see events. They are kept for ${defaultAuditDays} days, unless \`docsctl audit keep\` sets another number.`,
  examples: [
    'docsctl audit list --since 7d',
    'docsctl audit list --actor ana@example.com --action spaces.update',
    'docsctl audit export --since 30d > audit.ndjson',
  ],
};

const EventId = Type.String({ format: 'uuid', description: 'UUID of the event' });
const actionDescription = 'action, such as spaces.update';

const Actor = closed({
  type: oneOf(['user', 'integration', 'installation', 'system', 'support']),
  id: Type.String(),
  label: Type.Optional(Type.String()),
});

/** The resource that was changed. */
const Target = closed({
  type: Type.String(),
  id: Type.String(),
  label: Type.Optional(Type.String()),
});

const Fields = Type.Record(
  Type.String(),
  custom<unknown>('JsonValue', {}, () => true),
);
const changeFields = optional({
  change: oneOf(['created', 'updated', 'deleted']),
  before: Fields,
  after: Fields,
});

/** The origin of a change. */
const Origin = closed({
  kind: oneOf(['remote', 'local', 'job'], {
    description: 'a request over HTTP, a command on the machine of the store, or a job',
  }),
  ...optional({
    address: Type.String({ description: 'address of the client' }),
    userAgent: Type.String(),
    token: Type.String({ description: 'ID of the token' }),
    user: Type.String({ description: 'user of the operating system' }),
    job: Type.String({ description: 'ID of the job' }),
  }),
});

/** The details of an event. Version 1. */
const Payload = closed({
  ...changeFields,
  ...optional({
    related: Type.Array(closed({ ...Target.properties, ...changeFields }), {
      description: 'other resources that changed with the target, the first 20',
    }),
    relatedCount: Type.Integer({ description: 'number of other resources that changed, if it is above 20' }),
    counts: Type.Record(Type.String(), closed({ added: Type.Integer(), removed: Type.Integer() }), {
      description: 'counts of resources, if there are too many to list',
    }),
    requests: Type.Integer({ description: 'number of requests that the event stands for' }),
    until: DateTime,
  }),
  origin: Origin,
  chain: closed({
    number: Type.Integer({ minimum: 1, description: 'number of the event in its organization' }),
    previous: Type.Union([Type.String(), Type.Null()], { description: 'hash of the event before it' }),
    hash: Type.String({ description: 'SHA-256 of the event and of the hash before it' }),
  }),
});

const details = {
  executionId: Type.Optional(
    Type.String({ description: 'ID of the request (header Request-Id), or of the run of a job' }),
  ),
  correlationId: Type.Optional(
    Type.String({ description: 'shared by the events of one request or one command' }),
  ),
  schemaVersion: Type.Integer({ minimum: 1 }),
  payload: Payload,
};

const summary = {
  object: Type.Literal('audit-event'),
  id: EventId,
  occurredAt: DateTime,
  action: Type.String({ description: actionDescription }),
  actor: Actor,
  source: oneOf(['ui', 'api', 'integration', 'webhook', 'workflow', 'script', 'support']),
  target: Target,
  urls: closed({ location: Url }),
};

/** An event with its details. */
export const AuditEventDetails = closed({ ...summary, ...details });

/** An event in lists. It includes its details if the query asks for them. */
export const AuditEvent = closed({
  ...summary,
  executionId: details.executionId,
  correlationId: details.correlationId,
  schemaVersion: Type.Optional(details.schemaVersion),
  payload: Type.Optional(details.payload),
});

const columns = ['occurredAt', 'actor.label', 'action', 'target.type', 'target.label', 'id'];

/** The filters of `audit list` and `audit export`. */
export const auditFilters = optional({
  from: {
    ...DateTime,
    description: 'only events at or after this time, such as 2030-01-31T09:00:00Z',
  },
  to: {
    ...DateTime,
    description: 'only events at or before this time, such as 2030-01-31T09:00:00Z',
  },
  action: Type.String({
    maxLength: 200,
    description: `only changes with this action, such as spaces.update`,
  }),
  actor: Type.String({ maxLength: 255, description: 'only changes by this member' }),
  target: Type.String({ maxLength: 255, description: 'only changes to the resource with this ID' }),
  request: Type.String({
    maxLength: 255,
    description: 'only changes with this `correlationId`: the ID of a request, command or job run',
  }),
});

export const listAuditEvents = operation({
  id: 'audit.list',
  route: 'GET /orgs/:organizationId/audit-events',
  summary: 'List the changes in an organization',
  description:
    'The newest events come first. Events that are older than the organization keeps them are never listed.',
  access: 'org.admin',
  query: {
    ...auditFilters,
    details: Type.Optional(
      Type.Boolean({ description: 'whether events include their details, as in audit get (default: false)' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 20,
        description: 'number of events in a page, up to 100 (default: 20)',
      }),
    ),
  },
  returns: listOf(AuditEvent),
  cli: {
    columns,
    examples: [
      'docsctl audit list --since 7d',
      'docsctl audit list --actor ana@example.com --all',
      'docsctl audit list --action spaces.create -o json',
      'docsctl audit list --request run_4f1d6c0a9b3e57d2c8a1f0e6',
    ],
  },
});

export const getAuditEvent = operation({
  id: 'audit.get',
  route: 'GET /orgs/:organizationId/audit-events/:auditEventId',
  summary: 'Show one change with the values before and after',
  access: 'org.admin',
  returns: ok(AuditEventDetails),
  cli: {
    columns,
    examples: ['docsctl audit list --limit 1 -o id | docsctl audit get - -o json'],
  },
});

export const listAuditActions = operation({
  id: 'audit.actions',
  route: 'GET /orgs/:organizationId/audit-event-actions',
  summary: 'List the actions that audit events can have',
  description:
    'Most actions are named after the command that makes the change: `spaces.update` is a change by `docsctl spaces update`.',
  access: 'org.admin',
  returns: ok(
    closed({
      items: Type.Array(
        closed({ object: Type.Literal('audit-event-action'), id: Type.String(), label: Type.String() }),
      ),
    }),
  ),
  cli: { columns: ['id', 'label'], examples: ['docsctl audit actions'] },
});

/** The number of days after which events are deleted. Not in the published API. */
export const AuditRetention = closed({
  object: Type.Literal('audit-retention'),
  days: Type.Integer({
    ...auditDaysRange,
    description: `number of days, from ${auditDaysRange.minimum} to ${auditDaysRange.maximum}; new organizations start with ${defaultAuditDays}`,
  }),
  events: Type.Integer({ minimum: 0, description: 'number of stored events' }),
  oldest: Type.Optional(DateTime),
});

export const getAuditRetention = operation({
  id: 'audit.retention',
  route: 'GET /orgs/:organizationId/audit-retention',
  summary: 'Show how long audit events are kept',
  access: 'org.admin',
  returns: ok(AuditRetention),
  cli: { columns: ['days', 'events', 'oldest'], examples: ['docsctl audit retention'] },
});

export const keepAuditEvents = operation({
  id: 'audit.keep',
  route: 'PUT /orgs/:organizationId/audit-retention',
  summary: 'Set how many days audit events are kept',
  description:
    'Older events are hidden immediately and removed by a job. A server runs jobs automatically; on an embedded store, run `docsctl jobs run`.\n\n' +
    'Removed events cannot be restored. To keep a copy, run `docsctl audit export` first.',
  access: 'org.admin',
  body: closed({ days: AuditRetention.properties.days }),
  returns: ok(AuditRetention),
  cli: {
    positional: ['days'],
    columns: ['days', 'events', 'oldest'],
    examples: ['docsctl audit keep 90'],
  },
});
