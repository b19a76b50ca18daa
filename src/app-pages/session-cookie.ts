/** Where the pages are, as the browser sees it. */
interface AppPlace {
  /** The base of all addresses, without a slash at the end: http://localhost:8080. */
  readonly publicUrl: string;
}

/** The paths below the base where the cookie is sent: those of the pages, and no path of the API or of sites. */
const cookiePaths = ['/o', '/integrations'] as const;
/** The path where a sign-in waits for its end. */
const signInPath = '/o/~session';

/** Returns the path of the base, without a slash at the end: '' for most servers. */
export function basePathOf({ publicUrl }: AppPlace): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '');
}

/** Cookies ignore ports, so the name has the port; with the prefix, browsers take the cookie from https only. */
function nameOf({ publicUrl }: AppPlace, kind: 'session' | 'sign-in'): string {
  const { protocol, port } = new URL(publicUrl);
  return `${protocol === 'https:' ? '__Secure-' : ''}docsctl-${kind}${port === '' ? '' : `-${port}`}`;
}

/** Writes the cookies of a session: for reading these pages, hidden from scripts and from other sites. `maxAge` is in seconds. */
export function sessionCookies(place: AppPlace, session: string, maxAge: number): readonly string[] {
  return cookiePaths.map((path) => cookieOf(place, 'session', { value: session, path, maxAge }));
}

/** Writes the cookies that end a session in the browser. */
export function endedCookies(place: AppPlace): readonly string[] {
  return sessionCookies(place, '', 0);
}

/** Writes the cookie of a sign-in that has begun in this browser. */
export function signInCookie(place: AppPlace, value: string, maxAge: number): string {
  return cookieOf(place, 'sign-in', { value, path: signInPath, maxAge });
}

function cookieOf(
  place: AppPlace,
  kind: 'session' | 'sign-in',
  { value, path, maxAge }: { value: string; path: string; maxAge: number },
): string {
  const secure = place.publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${nameOf(place, kind)}=${value}; Path=${basePathOf(place)}${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

/** Reads a cookie of ours; undefined where there is none, or more than one, which another site may have set. */
export function readCookie(
  place: AppPlace,
  kind: 'session' | 'sign-in',
  header: string | undefined,
): string | undefined {
  const name = nameOf(place, kind);
  const values = new Set<string>();
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) values.add(pair.slice(at + 1).trim());
  }
  const [value, ...others] = values;
  return value === undefined || others.length > 0 || !/^[\w.-]{1,4000}$/.test(value) ? undefined : value;
}
