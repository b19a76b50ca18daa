import { createHash } from 'node:crypto';
import type { Value } from '../conditions/values.ts';
import { isRecord } from '../contract/values.ts';
import { checkDepth } from '../contract/limits.ts';
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
  /** Whether the address of the request has a token or claims, which belong into cookies. */
  readonly isToRedirect: boolean;
  /** Whether the answer depends on who asks. */
  readonly isPrivate: boolean;
  /** Whether a cookie keeps the token of the visitor, so that signing out has an effect (default false). */
  readonly isSignedIn?: boolean;
}

/**
 * Why a visitor may not read a site: `unknown` without a valid share link, `unauthenticated` without a valid token, `too-long` with
 * a token in the address that no cookie can keep.
 */
type Admission =
  | AdmittedVisitor
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unauthenticated' }
  | { readonly kind: 'too-long' };

interface AdmitContext {
  readonly view: ReadTransaction;
  readonly now: string;
  /** The addresses of the site that a token may be meant for. */
  readonly audience: readonly string[];
}

/** The cookie that keeps unsigned claims. */
const unsignedCookie = 'gitbook-visitor-public';
/** Seconds that a browser keeps unsigned claims. */
const unsignedAge = 30 * 24 * 60 * 60;
/** The name in this cookie that says which site it belongs to. Sites at one origin get each other's if a path is above theirs. */
const siteMark = '~site';
/** The most bytes of the name and value of a cookie. Browsers ignore longer ones. */
const maxCookie = 4096;
/** The most characters of unsigned claims. */
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
  // Without the cookie, the site would send the browser back to sign in again and again.
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
 * The path of the cookies of a site: that of its proxy, which cannot be a path where this server may have other sites: whoever
 * opens the site without the proxy would get cookies for them.
 */
function cookieBaseOf({ base, directBase = base }: LocatedSite): string {
  return base.startsWith('/sites/') ? directBase : base;
}

/** Cookies that take away the token and the unsigned claims that a browser keeps for a site. */
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

/** The claims of a visitor, and the cookie that keeps unsigned claims of the address. */
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

/** The part of a request that has the token. */
type TokenSource = 'header' | 'address' | 'cookie';

/** The claims of the first valid token of a request: of its header, its address, and its cookies. */
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
      // An old cookie does not lock out somebody who has a new token.
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
    const cookie = parseJson(value);
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

/** The name of the cookie that keeps the token of a visitor, as runtimes of the platform name it. */
export function visitorCookie(base: string): string {
  const hash = createHash('sha1').update(`string:${base.length}:${base}`).digest('hex');
  return `gitbook-visitor-token~${hash}`;
}

/** Unsigned claims: of cookies, and in their place of the address (`?visitor.plan=pro`). */
function unsignedClaims({ query, cookies }: SiteRequest, { id }: SiteRow): Readonly<Record<string, Value>> {
  const claims: Record<string, Value> = {};
  for (const { name, value } of cookies) {
    const kept = name.startsWith(unsignedCookie) ? parseJson(value) : undefined;
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
    const inner = Object.hasOwn(at, name) ? at[name] : undefined;
    const next: Record<string, Value> = isRecord(inner) ? { ...(inner as Record<string, Value>) } : {};
    at[name] = next;
    at = next;
  }
  at[path.at(-1) ?? ''] = value;
}

/** The value that a text of an address stands for. */
function valueOf(text: string): Value {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

function parseJson(text: string): unknown {
  try {
    checkDepth(text, { depth: 16, nodes: 2000 });
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A cookie that scripts cannot read, and that no other site is sent. */
function setCookie(
  name: string,
  value: string,
  { path, age, request }: { path: string; age: number; request: SiteRequest },
): string {
  return `${name}=${value}; Path=${path}; Max-Age=${Math.max(0, age)}; HttpOnly; SameSite=Lax${request.isSecure ? '; Secure' : ''}`;
}
