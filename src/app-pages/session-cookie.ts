/** The address of the app for browsers. */
interface AppPlace {
  /** The base of all addresses, without a trailing slash: http://localhost:8080. */
  readonly publicUrl: string;
}

/** The paths below the base for which the cookie is sent: those of the app, but not those of the API or of sites. */
const cookiePaths = ['/o', '/integrations'] as const;
/** The path that finishes a sign-in. */
const signInPath = '/o/~session';

/** Returns the path of the base, without a trailing slash: '' for most servers. */
export function basePathOf({ publicUrl }: AppPlace): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '');
}

/**
 * Returns the name of a cookie. It contains the port, because cookies ignore ports. With the prefix, browsers accept the cookie
 * only over https.
 */
function nameOf({ publicUrl }: AppPlace, kind: 'session' | 'sign-in'): string {
  const { protocol, port } = new URL(publicUrl);
  return `${protocol === 'https:' ? '__Secure-' : ''}docsctl-${kind}${port === '' ? '' : `-${port}`}`;
}

/**
 * Returns the cookies of a session. They are for reading these pages only, and hidden from scripts and other sites. `maxAge` is
 * in seconds.
 */
export function sessionCookies(place: AppPlace, session: string, maxAge: number): readonly string[] {
  return cookiePaths.map((path) => cookieOf(place, 'session', { value: session, path, maxAge }));
}

/** Returns the cookies that end a session in the browser. */
export function endedCookies(place: AppPlace): readonly string[] {
  return sessionCookies(place, '', 0);
}

/** Returns the cookie of a sign-in that was started in this browser. */
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

/** Reads a cookie of this app; undefined if there is none, or more than one, because another site may have set one of them. */
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
