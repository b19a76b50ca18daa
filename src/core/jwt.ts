import { decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { checkDepth } from '../contract/limits.ts';
import { Problem } from '../errors/problem.ts';

/** Minimum length of a key, in bytes. */
const minKeyBytes = 32;
/** Maximum length of a visitor token, in characters. */
export const maxTokenLength = 8192;

/** The only accepted algorithm. */
const algorithm = 'HS256';
/** The allowed header fields. `kid` is ignored, because a site has only one key. */
const headerFields = new Set(['alg', 'typ', 'kid']);

interface VisitorTokenOptions {
  /** The visitor key of the site. The signature is made with the bytes of this text. */
  readonly key: string;
  /** ISO time of the call. */
  readonly now: string;
  /** The accepted audiences. A token without an audience is accepted too. */
  readonly audience: readonly string[];
}

/**
 * Returns the claims of a visitor token, a JWT (RFC 7519) that the backend of the site has signed. Nothing in the token
 * decides how it is checked, and the signature is compared in constant time.
 *
 * @throws Problem(forbidden) for any other token, and for one that has expired or never expires
 */
export async function verifyVisitorToken(
  token: unknown,
  { key, now, audience }: VisitorTokenOptions,
): Promise<Record<string, unknown>> {
  if (
    typeof token !== 'string' ||
    token.length > maxTokenLength ||
    !/^[\w-]{1,1024}\.[\w-]{1,8192}\.[\w-]{43}$/.test(token)
  )
    throw refused('it is not a signed token');
  const secret = Buffer.from(key);
  if (secret.length < minKeyBytes) throw refused('this site has no key for visitor tokens');
  checkHeader(token);
  const payload = await verifySignature(token, secret, now);
  if (payload['exp'] === undefined) throw refused('it never expires; give it an exp');
  const { aud } = payload;
  const named = aud === undefined ? audience : Array.isArray(aud) ? aud : [aud];
  if (!named.some((name) => audience.includes(name as string)))
    throw refused('it is meant for another audience');
  return payload;
}

function checkHeader(token: string): void {
  let header: Record<string, unknown>;
  try {
    header = decodeProtectedHeader(token);
  } catch {
    throw refused('its header is not valid JSON');
  }
  if (header['alg'] !== algorithm) throw refused(`it is not signed with ${algorithm}`);
  const extra = Object.keys(header).find((name) => !headerFields.has(name));
  if (extra !== undefined)
    throw refused(`its header has the field "${extra.slice(0, 20)}", which is not allowed`);
  if (header['typ'] !== undefined && header['typ'] !== 'JWT')
    throw refused('its header does not have the type JWT');
  if (
    header['kid'] !== undefined &&
    (typeof header['kid'] !== 'string' || !/^[\w-]{1,100}$/.test(header['kid']))
  )
    throw refused('the key ID in its header is not valid');
}

async function verifySignature(
  token: string,
  secret: Uint8Array,
  now: string,
): Promise<Record<string, unknown>> {
  try {
    const [, claims = ''] = token.split('.');
    checkDepth(Buffer.from(claims, 'base64url').toString(), { depth: 16, nodes: 2000 });
    const { payload } = await jwtVerify(token, secret, {
      algorithms: [algorithm],
      currentDate: new Date(now),
      clockTolerance: 0,
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw refused('it has expired');
    if (error instanceof errors.JWTClaimValidationFailed)
      throw refused(
        error.claim === 'nbf' ? 'it is not valid yet' : `its claim "${error.claim}" is not valid`,
      );
    if (error instanceof Problem) throw refused('its claims are too large');
    if (error instanceof errors.JOSEError) throw refused('it is not signed with the key of this site');
    throw error;
  }
}

function refused(why: string): Problem {
  return new Problem('forbidden', `The visitor token was refused: ${why}.`, {
    hint: `Sign the token with ${algorithm} and the visitor key of this site, and set "exp" to a time in the future.`,
  });
}
