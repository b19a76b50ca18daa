import type { Static } from '../../contract/schema.ts';
import { defined } from '../../contract/values.ts';
import type { Handler } from '../../core/handler.ts';
import { changeFrom } from '../../core/store.ts';
import { invalid, Problem } from '../../errors/problem.ts';
import type * as contract from './contract.ts';
import { checkOpensAll } from '../sites/rules.ts';
import { createVisitorKey } from './create-key.ts';
import { visitorKeys, type VisitorKeyRow } from './rows.ts';

export const getPublishingAuth: Handler<typeof contract.getPublishingAuth> = async (context) => {
  const { tx, site, caller } = context;
  // Integrations that sign visitors in get the key without this check.
  if (caller.integration === undefined) await checkOpensAll(context);
  const row = await tx.get(visitorKeys, site.id);
  if (row !== undefined) return shape(row);
  throw new Problem('not-found', `The site "${site.title}" has no key for visitor tokens.`, {
    hint: `Create a key: \`docsctl sites publishing-auth regenerate ${site.id} --yes\``,
  });
};

export const updatePublishingAuth: Handler<typeof contract.updatePublishingAuth> = async (
  context,
  { body: { fallbackURL, logoutURL } },
) => {
  const { tx, site } = context;
  await checkOpensAll(context);
  const urls = defined({ fallbackURL, logoutURL });
  for (const [name, url] of Object.entries(urls))
    if (typeof url === 'string' && !/^https?:/i.test(url))
      throw invalid(
        `/body/${name}`,
        `"${url}" is not an http or https address.`,
        'Use an address such as https://example.com/login.',
      );
  if ((await tx.get(visitorKeys, site.id)) === undefined) await createVisitorKey(context, site.id);
  return shape(await tx.update(visitorKeys, site.id, changeFrom(urls)));
};

export const regeneratePublishingAuth: Handler<typeof contract.regeneratePublishingAuth> = async (
  context,
) => {
  await checkOpensAll(context);
  return shape(await createVisitorKey(context, context.site.id));
};

function shape({ key, fallbackURL, logoutURL }: VisitorKeyRow): Static<typeof contract.PublishingAuth> {
  return {
    object: 'publishing-auth',
    backend: 'custom',
    privateKey: key,
    ...defined({ fallbackURL, logoutURL }),
  };
}
