/** The types of events. */
export const eventTypes = [
  'page_view',
  'page_markdown_request',
  'search_open',
  'search_type_query',
  'search_open_result',
  'page_post_feedback',
  'page_post_feedback_comment',
  'agent_feedback',
  'ask_question',
  'ask_view',
  'ask_rate_response',
  'link_click',
  'api_client_open',
  'api_client_request',
  'ad_click',
  'ad_display',
  'trademark_click',
  'llms_request',
  'mcp_request',
  'rss_request',
] as const;
export type EventType = (typeof eventTypes)[number];

export const displayContexts = ['site', 'server', 'embed', 'mcp'] as const;
export const ratings = ['bad', 'ok', 'good'] as const;
export const linkPositions = ['announcement', 'header', 'footer', 'sidebar', 'content'] as const;
export const trademarkPlacements = ['sidebar', 'ad', 'footer', 'pdf', 'embed'] as const;
export const intervals = ['hour', 'day', 'week', 'month'] as const;
export const rangePresets = ['lastYear', 'last3Months', 'last30Days', 'last7Days', 'last24Hours'] as const;
export const operators = [
  'in',
  'notIn',
  'greaterThan',
  'greaterThanOrEqual',
  'lessThan',
  'lessThanOrEqual',
] as const;

/** Columns that have a value for each event, so that events can be grouped by them. */
export const dimensions = [
  'datetime',
  'dayOfWeek',
  'hourOfDay',
  'url',
  'urlPath',
  'eventType',
  'siteSection',
  'siteSpace',
  'siteShareKey',
  'displayContext',
  'page',
  'visitorGeoCountry',
  'visitorGeoPoint',
  'visitorDevice',
  'visitorBrowser',
  'visitorOS',
  'visitorBot',
  'visitorLanguage',
  'visitorAuthenticated',
  'visitorClaimProperty',
  'visitorClaim',
  'referrer',
  'referrerDomain',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmTerm',
  'utmContent',
  'eventLinkTargetValue',
  'eventLinkTargetKind',
  'eventLinkTargetDomain',
  'eventLinkPosition',
  'eventAPIOperationPath',
  'eventAPIOperationMethod',
  'eventLLMSVariant',
  'eventPageNotFoundType',
  'eventMarkdownSource',
  'eventSearchQuery',
  'eventSearchResultRecordId',
  'eventPageFeedbackRating',
  'eventPageFeedbackComment',
  'eventAskResponseRating',
  'eventAdDomain',
  'eventAdPlacement',
  'eventTrademarkPlacement',
] as const;
export type Dimension = (typeof dimensions)[number];

/** Columns that are computed from the events of a group. */
export const measures = [
  'eventsCount',
  'sessionsCount',
  'visitorsCount',
  'pageFeedbackRating',
  'askResponseRating',
] as const;
export type Measure = (typeof measures)[number];
