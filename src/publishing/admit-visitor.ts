import { createHash } from 'node:crypto';
import type { Value } from '../conditions/values.ts';
import { isRecord, ownValue } from '../contract/values.ts';
import { parseJson } from '../contract/limits.ts';
import type { SiteRow } from '../core/rows/sites.ts';
import type { ReadTransaction } from '../core/store.ts';
import { Problem } from '../errors/problem.ts';
import { isActiveKey } from '../resources/sites/address.ts';
import { visitorKeys } from '../resources/site-publishing-auth/rows.ts';
import { claimsOnSite } from '../resources/site-structure/conditions.ts';
import type { LocatedSite } from './locate-site.ts';
import type { SiteRequest } from './site-request.ts';

/** A visitor who may read a site. */
export interface AdmittedVisitor {
  readonly kind: 'admitted';
  readonly claims: Readonly<Record<string, Value>>;
  /** The base of the site with the key of a share link, if there is one. */
  readonly base: string;
  readonly segments: readonly string[];
  /** Cookies that the answer sets. */
  readonly cookies: readonly string[];
  /** Whether the request URL contains a token or claims, which are moved to cookies by a redirect. */
  readonly isToRedirect: boolean;
  /** Whether the answer depends on the visitor. */
  readonly isPrivate: boolean;
  /** Whether the visitor's token is in a cookie, so that they can sign out (default false). */
  readonly isSignedIn?: boolean;
}

/**
 * Whether a visitor may read a site, and if not, why. `unknown`: no valid share link. `unauthenticated`: no valid token.
 * `too-long`: the token in the URL is too long for a cookie.
 */
type Admission =
  | AdmittedVisitor
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unauthenticated' }
  | { readonly kind: 'too-long' };

interface AdmitContext {
  readonly view: ReadTransaction;
  readonly now: string;
  /** The addresses of the site, as accepted audiences of a token. */
  readonly audience: readonly string[];
}

/** The cookie that keeps unsigned claims. */
const unsignedCookie = 'gitbook-visitor-public';
/** Seconds that a browser keeps unsigned claims. */
const unsignedAge = 30 * 24 * 60 * 60;
/**
 * The name in this cookie for the ID of its site. Sites of one origin get each other's cookies if one path is inside the other.
 */
const siteMark = '~site';
/** Maximum age of a cookie in seconds: browsers keep none for longer. */
const maxAge = 400 * 24 * 60 * 60;
/** Maximum size of a cookie (name and value), in bytes. Browsers ignore longer ones. */
const maxCookie = 4096;
/** Maximum length of unsigned claims, in characters. */
const maxUnsigned = 2048;

/** Decides whether a request may read a site, and with which claims. */
export async function admitVisitor(
  located: LocatedSite,
  request: SiteRequest,
  context: AdmitContext,
): Promise<Admission> {
  const { site, base, segments } = located;
  const cookieBase = cookieBaseOf(located);
  if (site.visibility === 'share-link') {
    const [key = '', ...rest] = segments;
    if (key === '' || !(await isActiveKey(context.view, site, key))) return { kind: 'unknown' };
    const unsigned = unsignedClaims(request, site);
    const keyPath = `${encodeURIComponent(key)}/`;
    return {
      kind: 'admitted',
      base: base + keyPath,
      segments: rest,
      ...visitorOf(request, site, cookieBase + keyPath, {}, unsigned),
      isPrivate: true,
    };
  }
  const signed =
    site.visibility === 'visitor-auth' || site.adaptiveContent
      ? await signedClaims(located, request, context)
      : undefined;
  if (site.visibility === 'visitor-auth' && signed === undefined) return { kind: 'unauthenticated' };
  // Without the cookie, the site would send the browser to the sign-in again and again.
  if (signed?.cookie !== undefined && signed.cookie.indexOf(';') > maxCookie) return { kind: 'too-long' };
  const unsigned = unsignedClaims(request, site);
  const { claims = {}, cookie, from } = signed ?? {};
  const visitor = visitorOf(request, site, cookieBase, claims, unsigned);
  return {
    kind: 'admitted',
    base,
    segments,
    ...visitor,
    cookies: [...(cookie === undefined ? [] : [cookie]), ...visitor.cookies],
    isToRedirect: from === 'address' || visitor.isToRedirect,
    isPrivate: signed !== undefined || Object.keys(unsigned).length > 0,
    isSignedIn: from === 'cookie',
  };
}

/**
 * Returns the path of the cookies of a site: the path of its proxy, unless this server may have other sites at that path.
 * Otherwise visitors of those sites would get the cookies.
 */
function cookieBaseOf({ base, directBase = base }: LocatedSite): string {
  return base.startsWith('/sites/') ? directBase : base;
}

/** Returns cookies that delete the token and the unsigned claims of a site in the browser. */
export function signOutCookies(
  located: LocatedSite,
  /** The base of the site with the key of a share link, if there is one. */
  base: string,
  request: SiteRequest,
): string[] {
  const path = cookieBaseOf(located) + base.slice(located.base.length);
  const names = [visitorCookie(located.base), 'gitbook-visitor-token', unsignedCookie];
  return names.map((name) => setCookie(name, '', { path, age: 0, request }));
}

/** Returns the claims of a visitor, and the cookie that keeps unsigned claims from the URL. */
function visitorOf(
  request: SiteRequest,
  site: SiteRow,
  base: string,
  signed: Readonly<Record<string, Value>>,
  unsigned: Readonly<Record<string, Value>>,
): Pick<AdmittedVisitor, 'claims' | 'cookies' | 'isToRedirect'> {
  const isGiven =
    site.adaptiveContent && [...request.query.keys()].some((name) => name.startsWith('visitor.'));
  const value = encodeURIComponent(JSON.stringify({ ...unsigned, [siteMark]: site.id }));
  return {
    claims: claimsOnSite(site, { ...signed, unsigned }),
    isToRedirect: isGiven,
    cookies: isGiven ? [setCookie(unsignedCookie, value, { path: base, age: unsignedAge, request })] : [],
  };
}

interface SignedVisitor {
  readonly claims: Readonly<Record<string, Value>>;
  readonly cookie?: string;
  readonly from: TokenSource;
}

/** The part of a request that contains the token. */
type TokenSource = 'header' | 'address' | 'cookie';

/** Returns the claims of the first valid token of a request: in its header, its URL, or its cookies. */
async function signedClaims(
  located: LocatedSite,
  request: SiteRequest,
  { view, now, audience }: AdmitContext,
): Promise<SignedVisitor | undefined> {
  const { site, base } = located;
  const row = await view.get(visitorKeys, site.id);
  if (row === undefined) return undefined;
  const { verifyVisitorToken } = await import('../core/jwt.ts');
  for (const { token, from } of tokensOf(request, base)) {
    try {
      const claims = await verifyVisitorToken(token, { key: row.key, now, audience });
      const age = Math.floor(Number(claims['exp']) - Date.parse(now) / 1000);
      return {
        claims: claims as Readonly<Record<string, Value>>,
        from,
        ...(from === 'address'
          ? {
              cookie: setCookie(
                visitorCookie(base),
                encodeURIComponent(JSON.stringify({ basePath: base, token })),
                { path: cookieBaseOf(located), age, request },
              ),
            }
          : {}),
      };
    } catch (error) {
      // If an old cookie is invalid, a new token elsewhere still counts.
      if (!(error instanceof Problem)) throw error;
    }
  }
  return undefined;
}

function* tokensOf(
  { authorization, query, cookies }: SiteRequest,
  base: string,
): Generator<{ readonly token: string; readonly from: TokenSource }> {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (bearer !== undefined) yield { token: bearer, from: 'header' };
  const given = query.get('jwt_token');
  if (given !== null) yield { token: given, from: 'address' };
  const kept = cookies.flatMap(({ name, value }) => {
    if (!name.startsWith('gitbook-visitor-token~')) return [];
    const cookie = readJson(value);
    if (!isRecord(cookie)) return [];
    const { basePath, token } = cookie;
    return typeof basePath === 'string' && typeof token === 'string' && base.startsWith(basePath)
      ? [{ basePath, token }]
      : [];
  });
  kept.sort((one, other) => other.basePath.length - one.basePath.length);
  for (const { token } of kept) yield { token, from: 'cookie' };
  for (const { name, value } of cookies)
    if (name === 'gitbook-visitor-token') yield { token: value, from: 'cookie' };
}

/** Returns the name of the cookie with the visitor's token, which is the same as on the hosted platform. */
export function visitorCookie(base: string): string {
  const hash = createHash('sha1').update(`string:${base.length}:${base}`).digest('hex');
  return `gitbook-visitor-token~${hash}`;
}

/** Returns unsigned claims from cookies, overridden by claims in the URL (`?visitor.plan=pro`). */
function unsignedClaims({ query, cookies }: SiteRequest, { id }: SiteRow): Readonly<Record<string, Value>> {
  const claims: Record<string, Value> = {};
  for (const { name, value } of cookies) {
    const kept = name.startsWith(unsignedCookie) ? readJson(value) : undefined;
    if (!isRecord(kept)) continue;
    const { [siteMark]: site = id, ...stated } = kept;
    if (site === id) Object.assign(claims, stated);
  }
  let length = 0;
  for (const [name, text] of query) {
    const path = name.startsWith('visitor.') ? name.slice('visitor.'.length).split('.') : [];
    length += name.length + text.length;
    if (path.length === 0 || path.length > 8 || path.includes('') || path.includes('__proto__')) continue;
    if (length > maxUnsigned) break;
    setAt(claims, path, valueOf(text));
  }
  return claims;
}

function setAt(claims: Record<string, Value>, path: readonly string[], value: Value): void {
  let at = claims;
  for (const name of path.slice(0, -1)) {
    const inner = ownValue(at, name);
    const next: Record<string, Value> = isRecord(inner) ? { ...(inner as Record<string, Value>) } : {};
    at[name] = next;
    at = next;
  }
  at[path.at(-1) ?? ''] = value;
}

/** Converts the text of a claim in a URL to a value. */
function valueOf(text: string): Value {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

function readJson(text: string): unknown {
  try {
    return parseJson(text, { depth: 16, nodes: 2000 });
  } catch {
    return undefined;
  }
}

/** Returns a Set-Cookie header for a cookie that scripts cannot read and that is sent to no other site. */
function setCookie(
  name: string,
  value: string,
  { path, age, request }: { path: string; age: number; request: SiteRequest },
): string {
  return `${name}=${value}; Path=${path}; Max-Age=${Math.min(maxAge, Math.max(0, age))}; HttpOnly; SameSite=Lax${request.isSecure ? '; Secure' : ''}`;
}
