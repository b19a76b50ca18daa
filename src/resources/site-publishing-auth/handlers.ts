import type { Static } from '../../contract/schema.ts';
import type { Handler } from '../../core/handler.ts';
import { Problem } from '../../errors/problem.ts';
import type * as contract from './contract.ts';
import { createVisitorKey } from './create-key.ts';
import { visitorKeys, type VisitorKeyRow } from './rows.ts';

export const getPublishingAuth: Handler<typeof contract.getPublishingAuth> = async ({ tx, site }) => {
  const row = await tx.get(visitorKeys, site.id);
  if (row !== undefined) return shape(row);
  throw new Problem('not-found', `The site "${site.title}" has no key for visitor tokens.`, {
    hint: `Create a key: \`docsctl sites publishing-auth regenerate ${site.id} --yes\``,
  });
};

export const regeneratePublishingAuth: Handler<typeof contract.regeneratePublishingAuth> = async (context) =>
  shape(await createVisitorKey(context, context.site.id));

function shape({ key }: VisitorKeyRow): Static<typeof contract.PublishingAuth> {
  return { object: 'publishing-auth', backend: 'custom', privateKey: key };
}
