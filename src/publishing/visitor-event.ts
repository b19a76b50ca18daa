import type { Static } from '../contract/schema.ts';
import { hashToken } from '../core/callers.ts';
import type { Services } from '../core/handler.ts';
import { sites } from '../core/rows/sites.ts';
import { findOne } from '../core/store.ts';
import type { SiteEvent } from '../resources/site-insights/contract.ts';
import { eventRow } from '../resources/site-insights/event-row.ts';
import { keepEvents } from '../resources/site-insights/retention.ts';
import { shareLinks } from '../resources/site-share-links/rows.ts';
import { hrefOf, type OpenSpace } from './page-links.ts';
import type { SitePage } from './space-pages.ts';
import type { SiteRequest } from './site-request.ts';
import type { Visit } from './visit.ts';

type Event = Static<typeof SiteEvent>;

/** Creates the event of a visitor on a page. It contains no address, no cookie and no claims. */
export function visitorEvent(
  { request, visitor, view, located }: Visit,
  open: OpenSpace,
  page: SitePage,
  event: Omit<Event, 'session' | 'location'>,
): Event {
  const { shown } = open;
  const key = located.site.visibility === 'share-link' ? visitor.base.split('/').at(-2) : undefined;
  return {
    ...event,
    session: sessionOf(request),
    location: {
      url: view.origin + hrefOf(open, page),
      siteSection: shown.section?.row.id ?? null,
      siteSpace: shown.row.id,
      siteShareKey: key === undefined ? null : decodeURIComponent(key),
      space: shown.space.id,
      revision: null,
      page: page.id,
    },
  };
}

/** Returns an event with the data of another visitor. */
export function eventOf<E extends Event>(event: E, request: Pick<SiteRequest, 'visitor' | 'userAgent'>): E {
  return { ...event, session: sessionOf(request) };
}

function sessionOf({
  visitor = 'visitor',
  userAgent = '',
}: Pick<SiteRequest, 'visitor' | 'userAgent'>): Event['session'] {
  return {
    visitorId: visitor,
    sessionId: visitor,
    cookies: {},
    userAgent: userAgent.slice(0, 2048),
    language: null,
    referrer: null,
  };
}

/** Stores events of a site if the site still exists. Cached answers stay valid, because no page shows events. */
export function recordEvents(services: Services, siteId: string, events: readonly Event[]): Promise<void> {
  return services.write(
    async (tx) => {
      const site = await tx.get(sites, siteId);
      if (site === undefined) return;
      const now = services.now();
      const rows = [];
      for (const event of events) {
        const key = event.location.siteShareKey;
        const link =
          key === null ? undefined : await findOne(tx, shareLinks, 'byHash', [site.id, hashToken(key)]);
        rows.push(eventRow({ id: services.newId('evt'), site, shareLink: link?.id, now }, event));
      }
      await keepEvents(tx, site, rows, now);
    },
    { keepsStamp: true },
  );
}
