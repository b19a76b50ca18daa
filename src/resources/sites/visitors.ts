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
interface Said {
  readonly visitorToken?: string;
  readonly claims?: string;
}

/**
 * The claims of the visitor that a request names; undefined where it names none. Signed claims come out of the token, or
 * are what a member says to see what such a visitor sees; a token never brings unsigned ones along.
 */
export async function claimsOfVisitor(
  asking: VisitorContext,
  { visitorToken, claims }: Said,
): Promise<Value> {
  const said = claims === undefined ? {} : readClaims(claims);
  if (visitorToken === undefined) return claims === undefined ? undefined : (said as Value);
  const other = Object.keys(said).find((name) => name !== 'unsigned');
  if (other !== undefined)
    throw invalid(
      '/query/claims',
      'With a visitor token the claims hold only "unsigned"; the others come from the token.',
      'Leave the others out, or the token.',
    );
  const { unsigned: _, ...signed } = await verify(asking, visitorToken);
  return { ...signed, ...said } as Value;
}

async function verify(
  { tx, site, now, ...context }: VisitorContext,
  token: string,
): Promise<Record<string, unknown>> {
  const row = await tx.get(visitorKeys, site.id);
  if (row === undefined) {
    throw new Problem(
      'forbidden',
      `The visitor token is refused: the site "${site.title}" has no key for visitor tokens.`,
      {
        hint: `Make one: docsctl sites publishing-auth regenerate ${site.id} --yes`,
      },
    );
  }
  const { verifyVisitorToken } = await import('../../core/jwt.ts');
  const address = readerAddress(context, site);
  return verifyVisitorToken(token, {
    key: row.key,
    now,
    audience: [site.id, address, address.replace(/\/$/, '')],
  });
}

function readClaims(text: string): Record<string, unknown> {
  checkDepth(text, { depth: 16, nodes: 2000 });
  let claims: unknown;
  try {
    claims = JSON.parse(text);
  } catch {
    throw invalid(
      '/query/claims',
      'The claims are not valid JSON.',
      'Give an object such as {"plan": "pro", "unsigned": {"language": "fr"}}.',
    );
  }
  if (!isRecord(claims))
    throw invalid(
      '/query/claims',
      'The claims are not an object.',
      'Give an object such as {"plan": "pro", "unsigned": {"language": "fr"}}.',
    );
  return claims;
}
