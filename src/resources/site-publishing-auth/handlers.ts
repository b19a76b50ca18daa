import type { Static } from '../../contract/schema.ts';
import type { Handler } from '../../core/handler.ts';
import { Problem } from '../../errors/problem.ts';
import type * as contract from './contract.ts';
import { visitorKeys, type VisitorKeyRow } from './rows.ts';

/** Bytes of randomness in a key. */
const keyBytes = 32;

export const getPublishingAuth: Handler<typeof contract.getPublishingAuth> = async ({ tx, site }) => {
  const row = await tx.get(visitorKeys, site.id);
  if (row !== undefined) return shape(row);
  throw new Problem('not-found', `The site "${site.title}" has no key for visitor tokens.`, {
    hint: `Create a key: \`docsctl sites publishing-auth regenerate ${site.id} --yes\``,
  });
};

export const regeneratePublishingAuth: Handler<typeof contract.regeneratePublishingAuth> = async ({
  tx,
  site,
  randomBytes,
  now,
}) => {
  const row: VisitorKeyRow = {
    id: site.id,
    key: Buffer.from(randomBytes(keyBytes)).toString('base64url'),
    createdAt: now,
  };
  await tx.remove(visitorKeys, site.id);
  await tx.insert(visitorKeys, row);
  return shape(row);
};

function shape({ key }: VisitorKeyRow): Static<typeof contract.PublishingAuth> {
  return { object: 'publishing-auth', backend: 'custom', privateKey: key };
}
