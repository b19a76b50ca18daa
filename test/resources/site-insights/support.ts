const sessionFields = new Set([
  'visitorId',
  'sessionId',
  'cookies',
  'ip',
  'userAgent',
  'language',
  'referrer',
  'visitorAuthToken',
  'visitorAuthClaims',
]);

/** Returns a page view. The fields of the session and of the location are passed in one object. */
export function siteEvent(given: Readonly<Record<string, unknown>>, more: object = {}): object {
  const entries = Object.entries(given);
  return {
    type: 'page_view',
    session: {
      visitorId: 'v1',
      sessionId: 's1',
      cookies: {},
      userAgent: '',
      language: null,
      referrer: null,
      ...Object.fromEntries(entries.filter(([name]) => sessionFields.has(name))),
    },
    location: {
      url: 'https://docs.example.com/page',
      siteSection: null,
      siteSpace: null,
      siteShareKey: null,
      space: null,
      revision: null,
      page: null,
      ...Object.fromEntries(entries.filter(([name]) => !sessionFields.has(name))),
    },
    ...more,
  };
}
