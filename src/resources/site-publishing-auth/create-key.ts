import { defined } from '../../contract/values.ts';
import { createSecret } from '../../core/secrets.ts';
import type { RequestContext } from '../../core/handler.ts';
import type { WriteTransaction } from '../../core/store.ts';
import { visitorKeys, type VisitorKeyRow } from './rows.ts';

/**
 * Creates the key that signs the visitor tokens of a site, and replaces the current one, if any. The addresses of its backend are
 * kept.
 */
export async function createVisitorKey(
  { tx, randomBytes, now }: Pick<RequestContext, 'randomBytes' | 'now'> & { tx: WriteTransaction },
  site: string,
): Promise<VisitorKeyRow> {
  const { fallbackURL, logoutURL } = (await tx.get(visitorKeys, site)) ?? {};
  const key = createSecret(randomBytes, 32);
  const row = { id: site, key, createdAt: now, ...defined({ fallbackURL, logoutURL }) };
  await tx.remove(visitorKeys, site);
  await tx.insert(visitorKeys, row);
  return row;
}
