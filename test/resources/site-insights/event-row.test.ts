import { describe, expect, it } from 'vitest';
import type { SiteRow } from '../../../src/core/rows/sites.ts';
import { checkEvent, eventRow } from '../../../src/resources/site-insights/event-row.ts';
import { siteEvent } from './support.ts';

type Event = Parameters<typeof eventRow>[1];
const now = '2026-01-01T00:00:00.000Z';
const site = { id: 'site_1' } as SiteRow;
const rowOf = (given: Readonly<Record<string, unknown>>, more: object = {}, shareLink?: string) =>
  eventRow({ id: 'e', site, shareLink, now }, siteEvent(given, more) as Event);
const violationOf = (more: object) => {
  try {
    checkEvent(siteEvent({}, more) as Event, 3, now);
    return undefined;
  } catch (error) {
    return (error as { violations: { path: string }[] }).violations[0]?.path;
  }
};

describe('a site event', () => {
  it('requires the fields of its type', () => {
    for (const [type, field] of [
      ['search_type_query', 'query'],
      ['search_open_result', 'query'],
      ['page_post_feedback', 'feedback'],
      ['link_click', 'link'],
      ['api_client_open', 'operation'],
      ['ad_display', 'ad'],
      ['trademark_click', 'placement'],
      ['llms_request', 'llmsVariant'],
    ])
      expect(violationOf({ type })).toBe(`/body/events/3/${field}`);
    expect(violationOf({ type: 'search_open_result', query: 'a' })).toBe('/body/events/3/result');
    expect(violationOf({ type: 'page_post_feedback', feedback: { rating: 'bad' } })).toBeUndefined();
    expect(violationOf({ type: 'page_post_feedback_comment', feedback: { rating: 'bad' } })).toBe(
      '/body/events/3/feedback/comment',
    );
    expect(violationOf({ type: 'page_view' })).toBeUndefined();
  });

  it('can be at most an hour ahead of the clock', () => {
    expect(violationOf({ timestamp: '2026-01-01T01:00:00.000Z' })).toBeUndefined();
    expect(violationOf({ timestamp: '2026-01-01T01:00:00.001Z' })).toBe('/body/events/3/timestamp');
  });

  it('is stored with its own time, otherwise with that of the request', () => {
    expect(rowOf({}, { timestamp: '2025-12-31T01:00:00+01:00' }).at).toBe('2025-12-31T00:00:00.000Z');
    expect(rowOf({}).at).toBe(now);
  });
});

describe('the stored row of a site event', () => {
  it('contains the referrer only if it is a web address', () => {
    expect(rowOf({ referrer: 'https://a.example/b?c#d' }).referrer).toBe('https://a.example/b');
    for (const referrer of [null, '', 'no address', 'about:blank', 'data:text/html,x'])
      expect(rowOf({ referrer }), String(referrer)).not.toHaveProperty('referrer');
  });

  it('contains the address without its query, and the campaign of the query', () => {
    const row = rowOf({ url: 'https://a.example/b?utm_source=mail&utm_term=&utm_other=x&q=1#c' });
    expect([row.url, row.utm]).toEqual(['https://a.example/b', { source: 'mail' }]);
    expect(rowOf({ url: `https://a.example/?utm_content=${'x'.repeat(256)}` }).utm?.['content']).toHaveLength(
      255,
    );
    expect(rowOf({ url: 'app://docs/b?utm_sourc=x' })).toMatchObject({ url: 'app://docs/b' });
    expect(rowOf({ url: 'https://a.example/' })).not.toHaveProperty('utm');
  });

  it('contains the ID of a share link in place of its key', () => {
    const given = { url: 'https://a.example/key/b/key', siteShareKey: 'key' };
    expect(rowOf(given, {}, 'link_1')).toMatchObject({
      url: 'https://a.example/link_1/b/link_1',
      shareLink: 'link_1',
    });
    expect(rowOf(given).url).toBe('https://a.example/~/b/~');
  });

  it('is authenticated only if the visitor has signed claims', () => {
    expect(rowOf({}).isAuthenticated).toBe(false);
    expect(rowOf({ visitorAuthClaims: { unsigned: { a: 1 } } }).isAuthenticated).toBe(false);
    expect(rowOf({ visitorAuthClaims: { unsigned: {}, plan: 'free' } }).isAuthenticated).toBe(true);
  });

  it('omits fields that are null', () => {
    const row = rowOf({});
    for (const name of ['section', 'siteSpace', 'space', 'page', 'language', 'detail', 'claims', 'shareLink'])
      expect(row).not.toHaveProperty(name);
    expect(rowOf({ language: 'de-DE', page: 'p', space: 's' })).toMatchObject({
      language: 'de-de',
      page: 'p',
      space: 's',
    });
  });

  it('contains the details of its type, without private data', () => {
    const detailOf = (more: object) => rowOf({}, more).detail;
    expect(detailOf({ query: 'x'.repeat(513) })?.['query']).toHaveLength(512);
    expect(detailOf({ query: 'ask ana@example.com' })).toEqual({ query: 'ask [email]' });
    expect(
      detailOf({ link: { target: { kind: 'url', url: 'https://a.example/b?c#d' }, position: 'header' } }),
    ).toEqual({
      target: { kind: 'url', url: 'https://a.example/b' },
      position: 'header',
    });
    expect(detailOf({ link: { target: { kind: 'page', page: 'p' } } })).toEqual({
      target: { kind: 'page', page: 'p' },
    });
    expect(detailOf({ link: { target: { kind: 'url', url: 'no address' } } })).toEqual({
      target: { kind: 'url', url: 'no address' },
    });
    expect(detailOf({ operation: { path: '/a', method: 'GET' } })).toEqual({ path: '/a', method: 'get' });
  });
});
