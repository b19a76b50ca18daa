import type { Value } from '../../conditions/values.ts';
import { checkDepth } from '../../contract/limits.ts';
import type { ResourceScope, RequestContext } from '../../core/handler.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { invalid, Problem } from '../../errors/problem.ts';
import { readerAddress } from './address.ts';
import { isRecord } from '../../contract/values.ts';
import { visitorKeys } from '../site-publishing-auth/rows.ts';

type VisitorContext = Pick<RequestContext, 'url' | 'now'> &
  Pick<ResourceScope, 'organization'> & { readonly tx: ReadTransaction; readonly site: SiteRow };
interface VisitorQuery {
  readonly visitorToken?: string;
  readonly claims?: string;
}

/**
 * Returns the claims of the visitor in a request; undefined if there are none. Signed claims come from the token, or from a
 * member who wants to preview the site for such a visitor. Unsigned claims never come from a token.
 *
 * @throws Problem(invalid-input) for claims that are not an object or that overlap with those of the token; Problem(forbidden)
 * for an invalid token
 */
export async function claimsOfVisitor(
  context: VisitorContext,
  { visitorToken, claims }: VisitorQuery,
): Promise<Readonly<Record<string, Value>> | undefined> {
  const given = claims === undefined ? {} : readClaims(claims);
  if (visitorToken === undefined) return claims === undefined ? undefined : given;
  const other = Object.keys(given).find((name) => name !== 'unsigned');
  if (other !== undefined)
    throw invalid(
      '/query/claims',
      'With a visitor token, the claims may contain only "unsigned". All other claims come from the token.',
      'Leave out either the other claims or the token.',
    );
  const { unsigned: _, ...signed } = await verifyToken(context, visitorToken);
  return { ...(signed as Record<string, Value>), ...given };
}

async function verifyToken(
  { tx, site, now, ...context }: VisitorContext,
  token: string,
): Promise<Record<string, unknown>> {
  const row = await tx.get(visitorKeys, site.id);
  if (row === undefined) {
    throw new Problem(
      'forbidden',
      `The visitor token is refused: the site "${site.title}" has no key for visitor tokens.`,
      { hint: `Create a key: \`docsctl sites publishing-auth regenerate ${site.id} --yes\`` },
    );
  }
  const { verifyVisitorToken } = await import('../../core/jwt.ts');
  const address = readerAddress(context, site);
  try {
    return await verifyVisitorToken(token, {
      key: row.key,
      now,
      audience: [site.id, address, address.replace(/\/$/, '')],
    });
  } catch (error) {
    if (!(error instanceof Problem) || row.fallbackURL === undefined) throw error;
    throw new Problem(error.reason, error.message, {
      hint: `Visitors without a valid token are sent to ${row.fallbackURL} to sign in.`,
    });
  }
}

function readClaims(text: string): Record<string, Value> {
  checkDepth(text, { depth: 16, nodes: 2000 });
  const wrong = (message: string): Problem =>
    invalid(
      '/query/claims',
      message,
      'Write the claims as an object: {"plan": "pro", "unsigned": {"language": "fr"}}.',
    );
  let claims: unknown;
  try {
    claims = JSON.parse(text);
  } catch {
    throw wrong('The claims are not valid JSON.');
  }
  if (!isRecord(claims)) throw wrong('The claims must be an object.');
  return claims as Record<string, Value>;
}
