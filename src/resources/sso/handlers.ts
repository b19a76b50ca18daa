import type { Handler } from '../../core/handler.ts';
import { samlProviders } from '../saml/rows.ts';
import { eachRow } from '../../core/store.ts';
import { identityProviderOf, serviceUrls } from '../saml/rules.ts';
import type * as contract from './contract.ts';

export const listLogins: Handler<typeof contract.listLogins> = async ({ tx, organization, now, url }) => {
  const items = [];
  for await (const row of eachRow(tx, samlProviders, 'byOrganization', [organization.id])) {
    // A pending provider cannot sign anybody in.
    if (identityProviderOf(row, now) !== undefined)
      items.push({ id: row.id, label: row.label, startURL: serviceUrls(url, row.id).startURL });
  }
  return { items };
};
