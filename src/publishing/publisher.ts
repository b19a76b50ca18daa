import { decodePercent } from '../contract/values.ts';
import { claimsOnSite } from '../resources/site-structure/conditions.ts';
import type { Value } from '../conditions/values.ts';
import { Deferred } from '../core/handler.ts';
import type { PathAnswer, Publisher, PublisherRequest } from '../core/publisher.ts';
import { answerVisit } from './answer-site.ts';
import { listPaths } from './list-paths.ts';
import { PageCache } from './page-cache.ts';
import { SiteView } from './site-view.ts';

/** Answers paths of sites for members, in the view of visitors with given claims. */
export const publisher: Publisher = {
  async list(request) {
    const view = await openView(request);
    return { ...(await listPaths(view)), base: view.map.base };
  },

  async read(request, paths) {
    const view = await openView(request);
    // No cache, because each page is read once.
    const cache = new PageCache({ maxBytes: 0 });
    const answers: PathAnswer[] = [];
    for (const path of paths) answers.push(await readPath(request, view, cache, path));
    return { version: view.fingerprint(), answers };
  },
};

async function openView({
  tx,
  site,
  organization,
  url,
  claims,
  address,
}: PublisherRequest): Promise<SiteView> {
  const shown = address === undefined ? undefined : new URL(address);
  const base = shown?.pathname.replace(/\/*$/, '/') ?? '/';
  const located = { site, organization, base, segments: [] };
  // `unsigned` always exists, as for a visitor.
  const seen = { unsigned: {}, ...(claims as Readonly<Record<string, Value>>) };
  return SiteView.open(
    located,
    { base, claims: claimsOnSite(site, seen) },
    { tx, url, origin: shown?.origin ?? '', namesBroken: true },
  );
}

async function readPath(
  { site, organization }: PublisherRequest,
  view: SiteView,
  cache: PageCache,
  path: string,
): Promise<PathAnswer> {
  const { base } = view.map;
  const [encoded = '', query = ''] = path.split('?');
  const segments = encoded.split('/').filter((segment) => segment !== '');
  const decoded = segments.map(decodePercent);
  if (!decoded.every((segment) => segment !== undefined)) return { path, status: 404, body: '' };
  const answer = await answerVisit({
    request: {
      method: 'GET',
      host: '',
      path: base + encoded,
      query: new URLSearchParams(query),
      cookies: [],
      isSecure: true,
    },
    located: { site, organization, base, segments: decoded },
    visitor: { base, segments: decoded },
    view,
    cache,
    isPrivate: false,
    runsScripts: false,
  });
  // Answers that are made after the transaction, such as a PDF, are not supported here.
  if (answer instanceof Deferred) return { path, status: 404, body: '' };
  const { status, headers, body } = answer;
  const contentType = headers['content-type'];
  const isText = /^(?:text\/|application\/(?:json|xml|rss\+xml))/.test(String(contentType));
  return {
    path,
    status,
    ...(typeof contentType === 'string' ? { contentType } : {}),
    ...(typeof headers['location'] === 'string' ? { location: headers['location'] } : {}),
    body: typeof body === 'string' || body === undefined ? (body ?? '') : isText ? textOf(body) : body,
  };
}

/** Returns a text in UTF-8, and the bytes otherwise, because text files of authors may have another encoding. */
function textOf(body: Uint8Array): string | Uint8Array {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  return Buffer.byteLength(text) === body.length && !text.includes('\uFFFD') ? text : body;
}
