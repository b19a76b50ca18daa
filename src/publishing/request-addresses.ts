import { decodePercent } from '../contract/values.ts';
import { directAddress, hasOwnHost } from '../resources/sites/address.ts';
import type { LocatedSite } from './locate-site.ts';
import type { SiteRequest } from './site-request.ts';

/** Returns the canonical URL of a request; undefined if the request already uses it. */
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

/** Returns a request with the address that readers use. A proxy of the site has sent it to another host and path. */
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

/** The path below a site at which visitors sign out. */
export const signOutPath = '~gitbook/auth/logout';

/** Returns the sign-in URL of a visitor, including the path to return to. */
export function signInAddress(fallback: string, { segments }: LocatedSite): string {
  const url = new URL(fallback);
  url.searchParams.set('location', `/${segments.map(encodeURIComponent).join('/')}`);
  return url.href;
}

/** Returns the address of a request without tokens and claims, which are in cookies. */
export function withoutCredentials({ path, query }: SiteRequest): string {
  return safePath(path) + searchOf(query, (name) => name !== 'jwt_token' && !name.startsWith('visitor.'));
}

export function queryOf({ query }: SiteRequest): string {
  return searchOf(query, (name) => name !== 'fallback');
}

/** Returns the query of a URL with its question mark; '' if there is none. */
function searchOf(query: URLSearchParams, keep: (name: string) => boolean = () => true): string {
  const text = new URLSearchParams([...query].filter(([name]) => keep(name))).toString();
  return text === '' ? '' : `?${text}`;
}

/** Returns a path that a browser cannot mistake for the URL of another host. */
function safePath(path: string): string {
  return `/${path.replace(/^[/\\]+/, '')}`;
}

/** Whether two paths are equal except for their encoding. */
export function isSamePath(one: string, other: string): boolean {
  return (decodePercent(one) ?? one) === (decodePercent(other) ?? other);
}
