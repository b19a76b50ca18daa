import { organizationScope } from '../../core/authorize.ts';
import type { Handler } from '../../core/handler.ts';
import { organizations } from '../../core/rows/organizations.ts';
import { sites } from '../../core/rows/sites.ts';
import { eachRow, findOne, type ReadTransaction } from '../../core/store.ts';
import { notFound } from '../../errors/problem.ts';
import { hasOwnHost } from '../sites/address.ts';
import type * as contract from './contract.ts';

export const getSubdomain: Handler<typeof contract.getSubdomain> = async ({ tx, caller }, { params }) => {
  const missing = notFound('subdomain', params.subdomain);
  const subdomain = params.subdomain.toLowerCase();
  const row = await findOne(tx, organizations, 'byHostname', [subdomain]);
  if (row === undefined) throw missing;
  await organizationScope(tx, caller, row.id, () => missing);
  return {
    object: 'subdomain',
    subdomain,
    target: { type: 'organization', organization: row.id },
    isActive: await hasPublishedSite(tx, row.id),
  };
};

/** Whether a published site of the organization is below its subdomain. Sites with a custom hostname are not. */
async function hasPublishedSite(view: ReadTransaction, organization: string): Promise<boolean> {
  for await (const site of eachRow(view, sites, 'byOrganization', [organization]))
    if (site.published && !hasOwnHost(site)) return true;
  return false;
}
