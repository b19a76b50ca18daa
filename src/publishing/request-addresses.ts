import { decodePercent } from '../contract/values.ts';
import { directAddress, hasOwnHost } from '../resources/sites/address.ts';
import type { LocatedSite } from './locate-site.ts';
import type { SiteRequest } from './site-request.ts';

/** The address of a request at the one base that the site has; undefined where it is there already. */
export function canonicalAddress(
  { site, organization, base }: LocatedSite,
  { path, query }: SiteRequest,
  address: string,
  url: (path: string) => string,
): string | undefined {
  const own = new URL(hasOwnHost(site) ? address : directAddress({ url, organization }, site));
  if (base === own.pathname || site.proxy !== null) return undefined;
  const place = own.pathname + path.slice(base.length) + searchOf(query);
  return hasOwnHost(site) ? own.origin + place : place;
}

/** A request at the address that readers use: a proxy of the site sent it on to another host and path. */
export function beforeProxy(
  located: LocatedSite,
  request: SiteRequest,
  address: string,
): { readonly located: LocatedSite; readonly request: SiteRequest } {
  if (located.site.proxy === null) return { located, request };
  const { host, pathname: base } = new URL(address);
  const path = base + request.path.slice(located.base.length);
  return {
    located: { ...located, base, directBase: located.base },
    request: { ...request, host, path, isSecure: true },
  };
}

/** The path below a site at which a visitor signs out. */
export const signOutPath = '~gitbook/auth/logout';

/** Where a visitor signs in, with the path that the backend is to lead back to. */
export function signInAddress(fallback: string, { segments }: LocatedSite): string {
  const url = new URL(fallback);
  url.searchParams.set('location', `/${segments.map(encodeURIComponent).join('/')}`);
  return url.href;
}

/** The address of a request without tokens and claims, which cookies keep. */
export function withoutCredentials({ path, query }: SiteRequest): string {
  return safePath(path) + searchOf(query, (name) => name !== 'jwt_token' && !name.startsWith('visitor.'));
}

export function queryOf({ query }: SiteRequest): string {
  return searchOf(query, (name) => name !== 'fallback');
}

/** The query of an address with its question mark; '' where there is none. */
function searchOf(query: URLSearchParams, keep: (name: string) => boolean = () => true): string {
  const text = new URLSearchParams([...query].filter(([name]) => keep(name))).toString();
  return text === '' ? '' : `?${text}`;
}

/** A path that a browser cannot take for the address of another host. */
function safePath(path: string): string {
  return `/${path.replace(/^[/\\]+/, '')}`;
}

/** Whether two paths differ in their encoding at most. */
export function isSamePath(one: string, other: string): boolean {
  return (decodePercent(one) ?? one) === (decodePercent(other) ?? other);
}
