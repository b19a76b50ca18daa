import { organizationScope } from '../../core/authorize.ts';
import type { Handler } from '../../core/handler.ts';
import { organizations } from '../../core/rows/organizations.ts';
import { findOne } from '../../core/store.ts';
import { notFound } from '../../errors/problem.ts';
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
    isActive: true,
  };
};
