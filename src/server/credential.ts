import type { Credential } from '../core/callers.ts';
import type { Operation } from '../contract/operation.ts';
import { Problem } from '../errors/problem.ts';

const hint = 'Send "Authorization: Bearer TOKEN" with a token from `docsctl tokens create`.';

/** Returns the credential in an Authorization header. @throws Problem(unauthenticated) if it is not a bearer token */
export function credentialOf(header: string | undefined): Credential {
  if (header === undefined) return { kind: 'none' };
  const token = tokenOf(header);
  if (token === undefined)
    throw new Problem('unauthenticated', 'The Authorization header does not contain a bearer token.', {
      hint,
    });
  return { kind: 'token', token };
}

/** Returns the bearer token in an Authorization header; undefined if there is none. */
export function tokenOf(header: string | undefined): string | undefined {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(header ?? '')?.[1];
}

/**
 * Checks before the body is read that a request has a token, if the operation requires one.
 *
 * @throws Problem(unauthenticated)
 */
export function requireCredential(operation: Operation, header: string | undefined): void {
  if (credentialOf(header).kind === 'none' && !operation.access.endsWith('.any')) {
    throw missingToken();
  }
}

/** Returns the Problem of a request without a token. */
export function missingToken(): Problem {
  return new Problem('unauthenticated', 'This requires a token, but none was sent.', { hint });
}

/** Returns the Idempotency-Key of a request; undefined if there is none. @throws Problem(invalid-input) */
export function idempotencyKeyOf(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw new Problem('invalid-input', 'The Idempotency-Key header must be 1 to 255 visible ASCII characters.');
}
