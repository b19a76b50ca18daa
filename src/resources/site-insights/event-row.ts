import { createHash } from 'node:crypto';
import { ConditionEvaluator } from '../../conditions/condition-evaluator.ts';
import type { Value } from '../../conditions/values.ts';
import type { Static } from '../../contract/schema.ts';
import { defined, truncate, unlessEmpty } from '../../contract/values.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import { invalid, type Problem } from '../../errors/problem.ts';
import { createRedactor } from '../../redaction/create-redactor.ts';
import { redactKinds } from '../../redaction/kinds.ts';
import { claimSchemaOf } from '../site-structure/conditions.ts';
import type { SiteEvent } from './contract.ts';
import type { EventType } from './declarations.ts';
import type { EventDetail, SiteEventRow } from './rows.ts';
import { clientOf } from './user-agent.ts';
import { parseUrl } from '../../contract/parse-url.ts';

type Event = Static<typeof SiteEvent>;

/** The fields of events that only some types have. */
const typeFields = [
  'query',
  'goal',
  'result',
  'feedback',
  'rating',
  'responseId',
  'link',
  'operation',
  'ad',
  'placement',
  'llmsVariant',
  'markdownSource',
] as const satisfies readonly (keyof Event)[];
type EventField = (typeof typeFields)[number];

/** The fields that the events of a type must have. */
const contentFields: Partial<Record<EventType, readonly EventField[]>> = {
  search_type_query: ['query'],
  search_open_result: ['query', 'result'],
  page_post_feedback: ['feedback'],
  page_post_feedback_comment: ['feedback'],
  ask_question: ['query'],
  ask_rate_response: ['query', 'rating', 'responseId'],
  link_click: ['link'],
  api_client_open: ['operation'],
  api_client_request: ['operation'],
  ad_click: ['ad'],
  ad_display: ['ad'],
  trademark_click: ['placement'],
  llms_request: ['llmsVariant'],
};

/** The fields that the events of a type may also have. */
const optionalFields: Partial<Record<EventType, readonly EventField[]>> = {
  page_markdown_request: ['query', 'goal', 'markdownSource'],
  agent_feedback: ['query', 'goal', 'feedback', 'rating', 'responseId'],
  ask_question: ['goal'],
  mcp_request: ['query', 'goal'],
};

const maxText = 512;
const redactor = createRedactor(redactKinds);

/**
 * Checks that an event has the fields of its type and none of other types, and that its time is not in the future.
 *
 * @throws Problem(invalid-input)
 */
export function checkEvent(event: Event, index: number, now: string): void {
  const wrong = (field: string, message: string, hint: string): Problem =>
    invalid(`/body/events/${index}${field}`, message, hint);
  for (const field of contentFields[event.type] ?? [])
    if (event[field] === undefined)
      throw wrong(
        `/${field}`,
        `An event of the type ${event.type} needs "${field}".`,
        `Add the field "${field}".`,
      );
  if (event.type === 'page_post_feedback_comment' && event.feedback?.comment === undefined)
    throw wrong(
      '/feedback/comment',
      `An event of the type ${event.type} needs a comment.`,
      'Add "feedback.comment".',
    );
  const own = [...(contentFields[event.type] ?? []), ...(optionalFields[event.type] ?? [])];
  const other = typeFields.find((field) => event[field] !== undefined && !own.includes(field));
  if (other !== undefined)
    throw wrong(
      `/${other}`,
      `An event of the type ${event.type} does not have the field "${other}".`,
      `Leave out "${other}", or send an event of another type.`,
    );
  const hour = 3_600_000;
  if (event.timestamp !== undefined && Date.parse(event.timestamp) > Date.parse(now) + hour)
    throw wrong(
      '/timestamp',
      `The event happened in the future: ${event.timestamp}.`,
      'Send the time of the event in UTC, or leave it out.',
    );
}

/** Returns the row of an event, without data that would identify the visitor. */
export function eventRow(
  {
    id,
    site,
    shareLink,
    now,
    tokenClaims,
  }: {
    id: string;
    site: SiteRow;
    shareLink: string | undefined;
    now: string;
    /** The claims from the visitor's token, used if the event itself has no claims. */
    tokenClaims?: Readonly<Record<string, unknown>> | undefined;
  },
  event: Event,
): SiteEventRow {
  const { session, location } = event;
  const given = session.visitorAuthClaims ?? tokenClaims;
  const claims = claimsOf(site, given);
  const { url, utm } = readUrl(location.url, location.siteShareKey, shareLink);
  const detail = detailOf(event);
  return {
    id,
    site: site.id,
    at: new Date(event.timestamp ?? now).toISOString(),
    type: event.type,
    visitor: digest(site.id, session.visitorId),
    session: digest(site.id, session.sessionId),
    url,
    context: location.displayContext ?? 'site',
    ...clientOf(session.userAgent),
    isAuthenticated: Object.keys(given ?? {}).some((name) => name !== 'unsigned'),
    ...defined({
      section: location.siteSection ?? undefined,
      siteSpace: location.siteSpace ?? undefined,
      shareLink,
      space: location.space ?? undefined,
      page: location.page ?? undefined,
      language: session.language?.toLowerCase() ?? undefined,
      referrer: referrerOf(session.referrer),
      utm,
      claims,
      detail: unlessEmpty(detail),
    }),
  };
}

/** The digest includes the site, so that visitors of two sites cannot be matched. */
function digest(site: string, id: string): string {
  return createHash('sha256').update(`${site}\n${id}`).digest('base64url').slice(0, 16);
}

function claimsOf(
  site: SiteRow,
  given: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> | undefined {
  const schema = claimSchemaOf(site);
  if (schema === undefined || given === undefined) return undefined;
  const { claims } = new ConditionEvaluator(schema).filterClaims(given as Value);
  const kept = { ...(claims as Record<string, unknown>) };
  return unlessEmpty(kept);
}

const utmNames = ['source', 'medium', 'campaign', 'term', 'content'];

function readUrl(
  text: string,
  key: string | null,
  shareLink: string | undefined,
): { url: string; utm: Record<string, string> | undefined } {
  const url = new URL(text);
  const entries = utmNames.flatMap((name) => {
    const value = url.searchParams.get(`utm_${name}`);
    return value === null || value === '' ? [] : [[name, truncate(value, 255)] as const];
  });
  const path = url.pathname
    .split('/')
    .map((segment) => (segment === key ? (shareLink ?? '~') : segment))
    .join('/');
  const origin = url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin;
  return { url: origin + path, utm: entries.length === 0 ? undefined : Object.fromEntries(entries) };
}

/** Returns the page from which a visitor came, without its query. */
function referrerOf(text: string | null): string | undefined {
  const url = text === null ? undefined : parseUrl(text);
  if (url === undefined) return undefined;
  const { origin, pathname } = url;
  return origin === 'null' ? undefined : origin + pathname;
}

function detailOf({
  query,
  result,
  feedback,
  rating,
  responseId,
  link,
  operation,
  ad,
  placement,
  llmsVariant,
  markdownSource,
}: Event): EventDetail {
  return defined({
    query: query === undefined ? undefined : redactor.redactText(truncate(query, maxText)),
    record: result !== undefined && 'recordId' in result ? result.recordId : undefined,
    feedback: feedback?.rating,
    comment: feedback?.comment === undefined ? undefined : redactor.redactText(feedback.comment),
    rating,
    response: responseId,
    target: link === undefined ? pageOfResult(result) : targetOf(link.target as Record<string, string>),
    position: link?.position,
    path: operation?.path,
    method: operation?.method.toLowerCase(),
    adDomain: ad?.domain,
    adPlacement: ad?.placement,
    trademark: placement,
    llms: llmsVariant,
    markdown: markdownSource,
  });
}

/** Returns the page that a visitor opened from search results. */
function pageOfResult(result: Event['result']): Record<string, string> | undefined {
  return result !== undefined && 'pageId' in result
    ? { kind: 'page', space: result.spaceId, page: result.pageId }
    : undefined;
}

/** Returns the target of a link. The address of an external target has no query and fragment. */
function targetOf(target: Readonly<Record<string, string>>): Record<string, string> {
  const { url } = target;
  const parsed = url === undefined ? undefined : parseUrl(url);
  if (parsed === undefined) return { ...target };
  const { protocol, host, pathname } = parsed;
  return { ...target, url: `${protocol}//${host}${pathname}` };
}
