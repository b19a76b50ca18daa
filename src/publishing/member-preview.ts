import { decodePercent } from '../contract/values.ts';
import { changeRequestOf } from '../core/authorize.ts';
import { embeddedApi, type Core } from '../core/embedded.ts';
import { revisions } from '../core/rows/revisions.ts';
import { spaces } from '../core/rows/spaces.ts';
import type { ReadTransaction } from '../core/store.ts';
import { isProblem, orUndefined } from '../errors/problem.ts';
import { spacesIn } from '../resources/site-structure/spaces-in.ts';
import { getSiteStructure } from '../resources/sites/contract.ts';
import { answerPreview } from './answer-preview.ts';
import { findSite } from './locate-site.ts';
import type { PageCache } from './page-cache.ts';
import type { SiteAnswer, SiteRequest } from './site-request.ts';

/** A change request or revision in a URL, and the path at which its preview starts. */
interface AskedPreview {
  readonly base: string;
  readonly kind: 'changes' | 'revisions';
  readonly id: string;
}

const previewPath = /^(\/sites\/[^/]+\/[^/]+\/)~\/(changes|revisions)\/([^/]+)(?:\/|$)/;

/** Parses the URL of a preview: `/sites/ORGANIZATION/SITE/~/changes/NUMBER/…` or `/~/revisions/ID/…`. */
function readPreviewPath(path: string): AskedPreview | undefined {
  const [, site, kind, encoded] = previewPath.exec(path) ?? [];
  const id = encoded === undefined ? undefined : decodePercent(encoded);
  if (site === undefined || id === undefined) return undefined;
  return { base: `${site}~/${kind}/${encoded}/`, kind: kind === 'changes' ? kind : 'revisions', id };
}

/**
 * Answers a request of a member for a preview of a change request or revision, with the rights of the browser's session.
 * Undefined for other addresses, and if the session cannot see it.
 */
export async function answerMemberPreview(
  core: Core,
  cache: PageCache,
  request: SiteRequest,
  session: string | undefined,
): Promise<SiteAnswer | undefined> {
  const asked = readPreviewPath(request.path);
  if (asked === undefined || session === undefined) return undefined;
  const located = await core.store.read((view) => findSite(view, { host: '', path: request.path }));
  if (located === undefined) return undefined;
  const { site, organization } = located;
  const readable = await readableSpaces(core, session, {
    organizationId: organization.id,
    siteId: site.id,
  });
  const shown = readable && (await core.store.read((view) => findRevision(view, asked, readable)));
  if (shown === undefined) return undefined;
  return answerPreview(core, cache, request, {
    siteId: site.id,
    base: asked.base,
    claims: {},
    readable: new Set(readable),
    revisions: new Map([[shown.space, shown.revision]]),
  });
}

/** Returns the spaces of a site that a session can read; undefined if it cannot read the site, or has ended. */
async function readableSpaces(
  core: Core,
  session: string,
  params: { readonly organizationId: string; readonly siteId: string },
): Promise<readonly string[] | undefined> {
  const api = embeddedApi(core, { kind: 'session', session, isPreview: true });
  const reading = api.call(getSiteStructure, { params });
  const site = await orUndefined(reading, 'unauthenticated', 'forbidden', 'not-found');
  return site && spacesIn(site.structure);
}

/** Finds the change request or revision in the first space that has it. */
async function findRevision(
  view: ReadTransaction,
  { kind, id }: AskedPreview,
  spaceIds: readonly string[],
): Promise<{ readonly space: string; readonly revision: string } | undefined> {
  if (kind === 'revisions') {
    const row = await view.get(revisions, id);
    return row !== undefined && spaceIds.includes(row.space)
      ? { space: row.space, revision: row.id }
      : undefined;
  }
  for (const spaceId of spaceIds) {
    const space = await view.get(spaces, spaceId);
    try {
      if (space !== undefined)
        return { space: spaceId, revision: (await changeRequestOf(view, space, id)).revision };
    } catch (error) {
      if (!isProblem(error, 'not-found')) throw error;
    }
  }
  return undefined;
}
