import { decodePercent } from '../contract/values.ts';
import { claimsOnSite } from '../resources/site-structure/conditions.ts';
import type { Value } from '../conditions/values.ts';
import { readFresh, servicesOf, urlIn, type Core } from '../core/embedded.ts';
import { Deferred, type Services } from '../core/handler.ts';
import { limitedView } from '../core/limited-view.ts';
import { organizations } from '../core/rows/organizations.ts';
import { sites } from '../core/rows/sites.ts';
import { getExisting, type ReadTransaction } from '../core/store.ts';
import { yieldingTransaction } from '../core/yielding-transaction.ts';
import { answerVisit, finish, withHeaders } from './answer-site.ts';
import { commonHeaders } from './answer-headers.ts';
import { unknownSite } from './notices.ts';
import type { PageCache } from './page-cache.ts';
import { readComputing } from './read-computing.ts';
import type { EndpointAnswer, SiteAnswer, SiteRequest } from './site-request.ts';
import { SiteView } from './site-view.ts';

/** The parameters of a preview of a site. The site need not be published. */
interface SitePreview {
  readonly siteId: string;
  /** The path at which the preview is shown. Ends with a slash. */
  readonly base: string;
  /** The claims of the simulated visitor. They count only if adaptive content is on. */
  readonly claims: Readonly<Record<string, Value>>;
  /** The spaces that the viewer may read (default: all). The preview does not show others. */
  readonly readable?: ReadonlySet<string> | undefined;
  /** The revisions to show instead of the current ones, by space. */
  readonly revisions?: ReadonlyMap<string, string>;
}

/** Answers a request for a preview of a site. The caller must check that the viewer may see it. The answer must not be cached. */
export async function answerPreview(
  core: Core,
  cache: PageCache,
  request: SiteRequest,
  preview: SitePreview,
): Promise<SiteAnswer> {
  const services = (): Services => {
    const all = servicesOf(core);
    return { ...all, read: (work) => all.read((view) => work(previewed(view, preview))) };
  };
  const read = (view: ReadTransaction): Promise<EndpointAnswer> =>
    answerIn(core, cache, previewed(yieldingTransaction(view), preview), request, preview);
  return finish(services, () => readComputing(services, () => readFresh(core.store, read)));
}

async function answerIn(
  core: Core,
  cache: PageCache,
  view: ReadTransaction,
  request: SiteRequest,
  preview: SitePreview,
): Promise<EndpointAnswer> {
  const { siteId, base, claims } = preview;
  const site = await view.get(sites, siteId);
  const path = request.path.startsWith(base) ? request.path.slice(base.length) : undefined;
  const decoded = path?.split('/').map(decodePercent);
  if (site === undefined || !decoded?.every((segment) => segment !== undefined)) return unknownSite(request);
  const segments = decoded.filter((segment) => segment !== '');
  const organization = await getExisting(view, organizations, site.organization);
  const located = { site, organization, base, segments };
  const visitor = { claims: claimsOnSite(site, { unsigned: {}, ...claims }), base, segments };
  const origin = `${request.isSecure ? 'https' : 'http'}://${request.host}`;
  // Viewers of a preview are not visitors that integrations may track.
  const previewedSpaces = new Set(preview.revisions?.keys());
  const context = {
    tx: view,
    url: (to: string) => urlIn(core, to),
    origin,
    hasScripts: false,
    takesFeedback: false,
    previewed: previewedSpaces,
    findComputed: cache.findComputedAt(core.clock(), () => servicesOf(core)),
    texts: cache.texts,
  };
  const answer = await answerVisit({
    request,
    located,
    visitor,
    view: await SiteView.open(located, visitor, context),
    cache,
    isPrivate: true,
  });
  const headers = commonHeaders({ isSecure: request.isSecure, isPrivate: true, hasKey: true });
  const complete = withHeaders(answer, headers);
  return complete instanceof Deferred ? complete : { ...complete, isShared: false };
}

/** Returns a view in which spaces have the revisions of a preview, without the spaces that it does not show. */
function previewed(view: ReadTransaction, { readable, revisions }: SitePreview): ReadTransaction {
  return limitedView(view, (row) => {
    if (readable?.has(row.id) === false) return undefined;
    const revision = revisions?.get(row.id);
    return revision === undefined ? row : { ...row, revision };
  });
}
