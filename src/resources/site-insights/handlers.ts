import { getOrInsert } from '../../contract/values.ts';
import type { Static } from '../../contract/schema.ts';
import { hashToken } from '../../core/callers.ts';
import { Deferred, type Context, type DeferringHandler, type Handler } from '../../core/handler.ts';
import { pageOfArray } from '../../core/listing.ts';
import { addTime } from '../../core/clock.ts';
import { findOne } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { sectionOf } from '../site-sections/rules.ts';
import { visitorKeys } from '../site-publishing-auth/rows.ts';
import { shareLinks } from '../site-share-links/rows.ts';
import { tokenAudience } from '../sites/address.ts';
import { siteSpaceOf } from '../site-spaces/rules.ts';
import { aggregate, canonical, eventsIn } from './aggregate.ts';
import type * as contract from './contract.ts';
import { checkEvent, eventRow } from './event-row.ts';
import { keepEvents, keptSince } from './retention.ts';
import type { SiteEventRow } from './rows.ts';

export const trackSiteEvents: Handler<typeof contract.trackSiteEvents> = async (context, { body }) => {
  const { tx, site, now, newId } = context;
  const checked = new Map<string, Promise<string | undefined>>();
  const once = (key: string, look: () => Promise<string | undefined>): Promise<string | undefined> =>
    getOrInsert(checked, key, look);
  const rows: SiteEventRow[] = [];
  for (const [index, event] of body.events.entries()) {
    checkEvent(event, index, now);
    const { siteSection, siteSpace, siteShareKey } = event.location;
    if (siteSection !== null)
      await once(`section ${siteSection}`, async () => (await sectionOf(tx, site.id, siteSection)).id);
    if (siteSpace !== null)
      await once(`space ${siteSpace}`, async () => (await siteSpaceOf(tx, site.id, siteSpace)).id);
    const shareLink =
      siteShareKey === null
        ? undefined
        : await once(`key ${siteShareKey}`, () => shareLinkOf(context, siteShareKey));
    const tokenClaims = await claimsOfToken(context, event);
    rows.push(eventRow({ id: newId('evt'), site, shareLink, now, tokenClaims }, event));
  }
  await keepEvents(tx, site, rows, now);
};

/** Reads in its own transaction, so that no write waits for it. */
export const aggregateSiteEvents: DeferringHandler<typeof contract.aggregateSiteEvents> = async (
  { site, now },
  { body },
) => new Deferred(({ read }) => read((view) => aggregate(view, site.id, body, now)));

export const listVisitorSegments: Handler<typeof contract.listVisitorSegments> = async (
  { tx, site, now },
  { query },
) => {
  const segments = new Map<string, SiteEventRow[]>();
  const range = { from: keptSince(now), to: addTime(now, 1) };
  for await (const row of eventsIn(tx, site.id, range)) {
    const key = canonical(row.claims ?? {});
    const rows = segments.get(key);
    if (rows === undefined) segments.set(key, [row]);
    else rows.push(row);
  }
  const all = [...segments]
    .map(([id, rows]) => ({ id, rows }))
    .toSorted((one, other) => other.rows.length - one.rows.length || (one.id < other.id ? -1 : 1));
  const page = pageOfArray(all, query);
  return { ...page, items: page.items.map(({ rows }) => shapeSegment(rows)) };
};

function shapeSegment(rows: readonly SiteEventRow[]) {
  const claims = rows[0]?.claims ?? {};
  const words = Object.entries(claims).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return {
    title: words.length === 0 ? 'No claims' : words.join(', '),
    claims,
    events: rows.length,
    visitors: new Set(rows.map(({ visitor }) => visitor)).size,
    sessions: new Set(rows.map(({ session }) => session)).size,
  };
}

/** Returns the claims of the visitor's token at the time of an event; undefined if the site did not accept the token. */
async function claimsOfToken(
  { tx, site, organization, url, now }: Context<typeof contract.trackSiteEvents>,
  { session, timestamp }: Static<typeof contract.SiteEvent>,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { visitorAuthToken: token, visitorAuthClaims } = session;
  if (token == null || visitorAuthClaims !== undefined) return undefined;
  const row = await tx.get(visitorKeys, site.id);
  if (row === undefined) return undefined;
  const { verifyVisitorToken } = await import('../../core/jwt.ts');
  try {
    return await verifyVisitorToken(token, {
      key: row.key,
      now: timestamp ?? now,
      audience: tokenAudience({ url, organization }, site),
    });
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** Returns the share link of a site with a key, even if it is no longer active. @throws Problem(not-found) */
async function shareLinkOf(
  { tx, site }: Context<typeof contract.trackSiteEvents>,
  key: string,
): Promise<string> {
  const link = await findOne(tx, shareLinks, 'byHash', [site.id, hashToken(key)]);
  // The message does not contain the key, which may be the secret of another site.
  if (link === undefined)
    throw new Problem('not-found', `The site "${site.title}" has no share link with this key.`, {
      hint: 'Send the key of a share link of the site as siteShareKey, or null.',
    });
  return link.id;
}
