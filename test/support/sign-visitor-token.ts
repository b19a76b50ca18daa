import { SignJWT } from 'jose';

/** Signs claims like the backend of a site. `expires` is Unix time in seconds. */
export function signVisitorToken(
  claims: Readonly<Record<string, unknown>>,
  key: string,
  expires: number,
): Promise<string> {
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime(expires)
    .sign(Buffer.from(key));
}
