import type { Static } from '../../contract/schema.ts';
import { createSecret } from '../../core/secrets.ts';
import { hashToken } from '../../core/callers.ts';
import type { Context, Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { getOwned, type ReadTransaction } from '../../core/store.ts';
import { shareAddress } from '../sites/address.ts';
import { checkOpensAll } from '../sites/rules.ts';
import type * as contract from './contract.ts';
import { shareLinks, type ShareLinkRow } from './rows.ts';

export const listShareLinks: Handler<typeof contract.listShareLinks> = async (context, { query }) => {
  await checkOpensAll(context);
  const search = query.search?.toLowerCase();
  const filter =
    search === undefined ? undefined : (row: ShareLinkRow) => row.name.toLowerCase().includes(search);
  return listPage(
    context.tx,
    { table: shareLinks, index: 'bySite', equals: [context.site.id], filter },
    query,
    (row) => shape(context, row),
  );
};

export const createShareLink: Handler<typeof contract.createShareLink> = async (context, { body }) => {
  const { tx, site } = context;
  await checkOpensAll(context);
  const key = createSecret(context.randomBytes);
  const row: ShareLinkRow = {
    id: context.newId('shl'),
    organization: site.organization,
    site: site.id,
    name: body.name,
    active: true,
    key,
    hash: hashToken(key),
    createdAt: context.now,
  };
  await tx.insert(shareLinks, row);
  return shape(context, row);
};

export const deleteShareLink: Handler<typeof contract.deleteShareLink> = async ({ tx, site }, { params }) => {
  await tx.remove(shareLinks, (await shareLinkOf(tx, site.id, params.shareLinkId)).id);
};

export const updateShareLink: Handler<typeof contract.updateShareLink> = async (
  context,
  { params, body },
) => {
  await checkOpensAll(context);
  const row = await shareLinkOf(context.tx, context.site.id, params.shareLinkId);
  return shape(context, await context.tx.update(shareLinks, row.id, body));
};

function shareLinkOf(view: ReadTransaction, site: string, id: string): Promise<ShareLinkRow> {
  return getOwned(view, shareLinks, id, { site }, 'share link');
}

function shape(
  context: Pick<Context<typeof contract.listShareLinks>, 'url' | 'organization' | 'site'>,
  row: ShareLinkRow,
): Static<typeof contract.ShareLink> {
  const { id, createdAt, name, active } = row;
  return {
    object: 'share-link',
    id,
    createdAt,
    name,
    active,
    urls: { published: shareAddress(context, context.site, row.key) },
  };
}
