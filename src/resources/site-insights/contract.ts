import { listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, Id, nullable, oneOf, optional, Type, Url } from '../../contract/schema.ts';
import {
  dimensions,
  displayContexts,
  eventTypes,
  intervals,
  linkPositions,
  measures,
  operators,
  rangePresets,
  ratings,
  trademarkPlacements,
} from './declarations.ts';

/** Maximum number of events in one request. */
const maxBatch = 500;
/** Maximum length of a stored query or comment. */
const maxText = 512;

const Text = Type.String({ minLength: 1, maxLength: 2048 });
const Word = Type.String({ minLength: 1, maxLength: 255 });
/** The value of a column. Its type depends on the column. */
const ColumnValue = Type.Unsafe<unknown>(
  Type.Union([Type.Null(), Type.Boolean(), Type.Number(), Type.String({ maxLength: 2048 }), Type.Object({})]),
);
const AnyRecord = Type.Unsafe<Record<string, unknown>>(Type.Object({}));

const Session = closed({
  visitorId: Word,
  sessionId: Word,
  cookies: AnyRecord,
  ip: Type.Optional(Type.String({ maxLength: 255 })),
  userAgent: Type.String({ maxLength: 2048 }),
  language: nullable(Type.String({ maxLength: 100 })),
  referrer: nullable(Type.String({ maxLength: 2048 })),
  visitorAuthToken: Type.Optional(nullable(Type.String({ maxLength: 8192 }))),
  visitorAuthClaims: Type.Optional(AnyRecord),
});

const Location = closed({
  url: Url,
  displayContext: Type.Optional(oneOf(displayContexts)),
  siteSection: nullable(Id),
  siteSpace: nullable(Id),
  siteShareKey: nullable(Word),
  space: nullable(Id),
  revision: nullable(Id),
  page: nullable(Id),
});

/** An action of a visitor on a site. The optional fields depend on the type of the event. */
export const SiteEvent = closed({
  type: oneOf(eventTypes),
  session: Session,
  location: Location,
  ...optional({
    timestamp: DateTime,
    query: Text,
    goal: Text,
    result: Type.Union([closed({ spaceId: Id, pageId: Id }), closed({ recordId: Word })]),
    feedback: closed({
      rating: oneOf(ratings),
      comment: Type.Optional(Type.String({ minLength: 1, maxLength: maxText })),
    }),
    rating: Type.Union([Type.Literal(1), Type.Literal(-1)]),
    responseId: Word,
    link: closed({
      target: Type.Object({ kind: Word }, { additionalProperties: Type.String({ maxLength: 2048 }) }),
      position: oneOf(linkPositions),
    }),
    operation: closed({ path: Text, method: Word }),
    ad: closed({ domain: Word, zoneId: Word, placement: oneOf(['aside']) }),
    placement: oneOf(trademarkPlacements),
    llmsVariant: oneOf(['standard', 'full']),
    markdownSource: oneOf(['page-action']),
  }),
});

const Column = closed({
  column: oneOf([...dimensions, ...measures]),
  ...optional({
    interval: oneOf(intervals),
    claim: Word,
    precision: Type.Integer({ minimum: 0, maximum: 15 }),
  }),
});
const Columns = (description: string) => Type.Optional(Type.Array(Column, { maxItems: 20, description }));

/** Claims that several visitors share, with counts of their events. */
export const VisitorSegment = closed({
  title: Type.String(),
  claims: AnyRecord,
  events: Type.Integer({ minimum: 0 }),
  visitors: Type.Integer({ minimum: 0 }),
  sessions: Type.Integer({ minimum: 0 }),
});

export const nounHelp: NounHelp = {
  description: `
Events say what visitors do on a published site: views of pages, searches, clicks, ratings and more. \`docsctl serve --sites-port 8081 --count-views\` records views of pages. Other programs, such as a proxy, report events with \`docsctl sites events track\`. \`docsctl sites events aggregate\` counts events.

docsctl stores little about visitors. It does not store IP addresses, cookies, user agents or tokens. From the user
agent, it stores only the names of the browser, the device, the operating system and the bot. It replaces the IDs of
visitors and sessions with digests that differ between sites. It removes queries and fragments from URLs, except utm
parameters. It replaces email addresses, names and other private data in searches and comments with placeholders. It
stores only claims that the adaptive schema of the site declares. It removes events after 400 days, and keeps the
latest 100,000 events of each site.`,
  examples: [
    'docsctl sites events track Docs --body event.json',
    'docsctl sites events aggregate Docs --range last30Days --by urlPath',
  ],
};

export const trackSiteEvents = operation({
  id: 'sites.events.track',
  route: 'POST /orgs/:organizationId/sites/:siteId/insights/events',
  summary: 'Report events of the visitors of a site',
  description: `Takes up to ${maxBatch} events. An event without a timestamp gets the current time. Events that are older than 400 days are ignored. The sections, site spaces and share links that events name must belong to the site. An event must have the fields of its type, and no fields of other types. Without \`visitorAuthClaims\`, the claims of \`visitorAuthToken\` count if the site accepted the token at the time of the event. If a visitor rates one answer (\`responseId\`) several times, the last rating counts. docsctl does not store \`goal\`, \`ad.zoneId\` and \`location.revision\`. Requires a token that can read the site, so the browsers of visitors cannot report events directly.`,
  access: 'site.read',
  body: closed({
    events: Type.Array(SiteEvent, {
      minItems: 1,
      maxItems: maxBatch,
      description:
        'what visitors did; `docsctl sites events track Docs --skeleton` prints the fields of an event',
    }),
  }),
  returns: noContent(),
  cli: { examples: ['docsctl sites events track Docs --body event.json'] },
});

export const aggregateSiteEvents = operation({
  id: 'sites.events.aggregate',
  route: 'POST /orgs/:organizationId/sites/:siteId/insights/events/aggregate',
  summary: 'Count the events of a site by day, page, browser and more',
  description: `
Groups the events of a time range by columns, and counts the events, visitors and sessions of each group. \`docsctl explain sites events aggregate\` lists the columns. With the interval hour, day, week or month, \`datetime\` is the start of the interval in UTC. In a column, \`interval\` is allowed only for \`datetime\`, \`claim\` only for \`visitorClaim\`, and \`precision\` only for \`visitorGeoPoint\`. \`visitorClaim\` needs a \`claim\`. \`eventSearchQuery\` is the text of a search or a question. \`eventLinkTargetValue\` and \`eventLinkTargetKind\` also contain the page that a visitor opened from the results of a search. \`pageFeedbackRating\` and \`askResponseRating\` count ratings by their value.

\`select\` names the columns of the response (default: the columns of the groups, then \`eventsCount\`, \`visitorsCount\`
and \`sessionsCount\`). A filter on a column keeps the events with one of the given values; a filter on a count keeps the groups whose count matches. If no order is given, the groups are sorted by their values.

In JSON, the response has one list of values for each column. The first value of each list belongs to the first group, and so
on. docsctl does not know where visitors are, so \`visitorGeoCountry\` and \`visitorGeoPoint\` are null. Changes
nothing.`,
  access: 'site.read',
  safe: true,
  body: closed({
    range: Type.Union([oneOf(rangePresets), closed({ from: DateTime, to: DateTime })], {
      description: `time range: ${rangePresets.join(', ')}, or the times \`from\` and \`to\`, such as 2025-01-31T00:00:00Z`,
    }),
    select: Columns('columns of the response'),
    where: Type.Optional(
      Type.Array(
        closed({
          column: oneOf([...dimensions, ...measures]),
          claim: Type.Optional(Word),
          values: Type.Array(ColumnValue, { maxItems: 1000 }),
          operator: Type.Optional(oneOf(operators, { default: 'in' })),
        }),
        { maxItems: 20, description: 'filters with column, operator and values; every filter must match' },
      ),
    ),
    groupBy: Columns('columns to group the events by'),
    order: Type.Optional(
      closed(
        { by: Column, direction: oneOf(['asc', 'desc']) },
        { description: 'column of the response to sort the groups by' },
      ),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: 1000,
        description: 'maximum number of groups, up to 1000 (default: 1000)',
      }),
    ),
  }),
  returns: ok(
    closed({
      columns: Type.Array(
        closed({
          column: oneOf([...dimensions, ...measures]),
          claim: Type.Optional(Type.String()),
          values: Type.Array(ColumnValue),
        }),
      ),
    }),
  ),
  cli: {
    flags: [
      {
        name: 'by',
        value: 'column',
        summary: 'group by this column, such as urlPath or visitorBrowser',
        template: { groupBy: [{ column: '$' }] },
        repeatable: true,
      },
      {
        name: 'per',
        value: 'interval',
        summary: 'group by time: hour, day, week or month',
        template: { groupBy: [{ column: 'datetime', interval: '$' }] },
      },
      {
        name: 'by-claim',
        value: 'claim',
        summary: 'group by the value of this claim of visitors',
        template: { groupBy: [{ column: 'visitorClaim', claim: '$' }] },
      },
      {
        name: 'only',
        value: 'COLUMN=VALUE',
        summary: 'only events with this value in this column, such as eventType=page_view',
        template: { where: [{ column: '$key', values: ['$'] }] },
        repeatable: true,
      },
      {
        name: 'top',
        value: 'column',
        summary: 'largest values of this column first, such as eventsCount',
        template: { order: { by: { column: '$' }, direction: 'desc' } },
      },
      {
        name: 'from',
        value: 'time',
        summary:
          'start of the time range, with --to instead of --range; also accepts a date, or 7d (7 days ago)',
        template: { range: { from: '$' } },
      },
      {
        name: 'to',
        value: 'time',
        summary: 'end of the time range; also accepts a date, or 0d (now)',
        template: { range: { to: '$' } },
      },
    ],
    examples: [
      'docsctl sites events aggregate Docs --range last30Days --by urlPath --top eventsCount --limit 10',
      'docsctl sites events aggregate Docs --range last7Days --per day --only eventType=page_view',
      `docsctl sites events aggregate Docs --range last7Days --by urlPath --where '{"column": "eventsCount", "operator": "greaterThan", "values": [10]}' --order '{"by": {"column": "urlPath"}, "direction": "asc"}'`,
    ],
  },
});

export const listVisitorSegments = operation({
  id: 'sites.events.segments',
  route: 'GET /orgs/:organizationId/sites/:siteId/insights/visitor-segments',
  summary: 'List the visitors of a site by their claims',
  description:
    'Puts visitors of the last 400 days with the same claims into one segment. Claims that the adaptive schema of the site does not declare are ignored. The segment with the most events comes first.',
  access: 'site.read',
  returns: listOf(VisitorSegment),
  cli: {
    columns: ['title', 'events', 'visitors', 'sessions'],
    examples: ['docsctl sites events segments Docs'],
  },
});
