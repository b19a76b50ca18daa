import { isObject, ownValue } from '../../contract/values.ts';
import type { Dimension, Measure } from './declarations.ts';
import type { SiteEventRow } from './rows.ts';
import { parseUrl } from '../../contract/parse-url.ts';

interface ColumnRequest {
  readonly interval?: string;
  readonly claim?: string;
  readonly precision?: number;
}

type Reader = (row: SiteEventRow, request: ColumnRequest) => unknown;

const time = ({ at }: SiteEventRow): Date => new Date(at);
const orNull = <T>(value: T | undefined): T | null => value ?? null;
const utm =
  (name: string): Reader =>
  ({ utm: found }) =>
    found?.[name] ?? '';
const detail =
  (name: keyof NonNullable<SiteEventRow['detail']>, absent: null | '' = null): Reader =>
  (row) =>
    row.detail?.[name] ?? absent;

/** Readers of the value of each column for an event. Unknown texts are empty, other unknown values null. */
export const dimensionReaders: Readonly<Record<Dimension, Reader>> = {
  datetime: ({ at }, { interval }) => startOf(at, interval),
  dayOfWeek: (row) => time(row).getUTCDay() || 7,
  hourOfDay: (row) => time(row).getUTCHours(),
  url: ({ url }) => url,
  urlPath: ({ url }) => new URL(url).pathname,
  eventType: ({ type }) => type,
  siteSection: ({ section }) => orNull(section),
  siteSpace: ({ siteSpace }) => orNull(siteSpace),
  siteShareKey: ({ shareLink }) => orNull(shareLink),
  displayContext: ({ context }) => context,
  page: ({ page, space }) => (page === undefined ? null : { page, space: space ?? '' }),
  visitorGeoCountry: () => null,
  visitorGeoPoint: () => null,
  visitorDevice: ({ device }) => device,
  visitorBrowser: ({ browser }) => browser,
  visitorOS: ({ os }) => os,
  visitorBot: ({ bot }) => orNull(bot),
  visitorLanguage: ({ language }) => orNull(language),
  visitorAuthenticated: ({ isAuthenticated }) => isAuthenticated,
  visitorClaimProperty: ({ claims }) =>
    Object.keys(claims ?? {})
      .toSorted()
      .join(','),
  visitorClaim: ({ claims }, { claim = '' }) => textOf(memberOf(claims, claim)),
  referrer: ({ referrer }) => referrer ?? '',
  referrerDomain: ({ referrer }) => (referrer === undefined ? '' : new URL(referrer).hostname),
  utmSource: utm('source'),
  utmMedium: utm('medium'),
  utmCampaign: utm('campaign'),
  utmTerm: utm('term'),
  utmContent: utm('content'),
  eventLinkTargetValue: detail('target'),
  eventLinkTargetKind: ({ detail: found }) => found?.target?.['kind'] ?? null,
  eventLinkTargetDomain: ({ detail: found }) => hostOf(found?.target?.['url']),
  eventLinkPosition: detail('position'),
  eventAPIOperationPath: detail('path'),
  eventAPIOperationMethod: detail('method'),
  eventLLMSVariant: detail('llms'),
  // Only the program that shows the site knows which pages a condition hides from a visitor.
  eventPageNotFoundType: () => null,
  eventMarkdownSource: detail('markdown'),
  eventSearchQuery: detail('query', ''),
  eventSearchResultRecordId: detail('record'),
  eventPageFeedbackRating: detail('feedback'),
  eventPageFeedbackComment: detail('comment', ''),
  eventAskResponseRating: detail('rating'),
  eventAdDomain: detail('adDomain', ''),
  eventAdPlacement: detail('adPlacement'),
  eventTrademarkPlacement: detail('trademark'),
};

/** Readers of the value of each measure for the events of a group. */
export const measureReaders: Readonly<Record<Measure, (rows: readonly SiteEventRow[]) => unknown>> = {
  eventsCount: (rows) => rows.length,
  sessionsCount: (rows) => new Set(rows.map(({ session }) => session)).size,
  visitorsCount: (rows) => new Set(rows.map(({ visitor }) => visitor)).size,
  pageFeedbackRating: (rows) => {
    const counted = { ok: 0, good: 0, bad: 0 };
    for (const { type, detail: found } of rows)
      // A comment event repeats the earlier rating.
      if (type === 'page_post_feedback' && found?.feedback !== undefined)
        counted[found.feedback as keyof typeof counted]++;
    return counted;
  },
  askResponseRating: (rows) => {
    // A visitor who rates an answer again changes the rating.
    const latest = new Map<string, number>();
    for (const { id, visitor, detail: found } of rows)
      if (found?.rating !== undefined)
        latest.set(found.response === undefined ? id : `${visitor} ${found.response}`, found.rating);
    const given = [...latest.values()];
    return {
      positive: given.filter((rating) => rating === 1).length,
      negative: given.filter((rating) => rating === -1).length,
    };
  },
};

/** Returns the start of the interval that contains a time, in UTC; without an interval, the time itself. */
function startOf(at: string, interval: string | undefined): string {
  const date = new Date(at);
  switch (interval) {
    case 'hour':
      date.setUTCMinutes(0, 0, 0);
      break;
    case 'week':
      date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
      date.setUTCHours(0, 0, 0, 0);
      break;
    case 'month':
      date.setUTCDate(1);
      date.setUTCHours(0, 0, 0, 0);
      break;
    case 'day':
      date.setUTCHours(0, 0, 0, 0);
      break;
    default:
      break;
  }
  return date.toISOString();
}

/** Returns a claim by its path, which may be nested: `plan.name`. */
function memberOf(claims: Readonly<Record<string, unknown>> | undefined, path: string): unknown {
  let value: unknown = claims;
  for (const name of path.split('.')) value = isObject(value) ? ownValue(value, name) : undefined;
  return value;
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function hostOf(url: string | undefined): string | null {
  return url === undefined ? null : (parseUrl(url)?.hostname ?? null);
}
