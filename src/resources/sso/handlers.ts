import type { Handler } from '../../core/handler.ts';
import { samlProviders } from '../saml/rows.ts';
import { eachRow } from '../../core/store.ts';
import { identityProviderOf, serviceOf } from '../saml/rules.ts';
import type * as contract from './contract.ts';

export const listLogins: Handler<typeof contract.listLogins> = async ({ tx, organization, now, url }) => {
  const items = [];
  for await (const row of eachRow(tx, samlProviders, 'byOrganization', [organization.id])) {
    // One that is pending lets nobody in yet.
    if (identityProviderOf(row, now) !== undefined)
      items.push({ id: row.id, label: row.label, startURL: serviceOf(url, row.id).startURL });
  }
  return { items };
};
