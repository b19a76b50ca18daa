import type { OutputOf } from '../../contract/operation.ts';
import { roleIn } from '../../core/authorize.ts';
import type { Caller } from '../../core/callers.ts';
import type { Handler } from '../../core/handler.ts';
import { organizations } from '../../core/rows/organizations.ts';
import { eachRow, getExisting, type ReadTransaction } from '../../core/store.ts';
import { shapeOrganization, type Viewer } from '../organizations/shape.ts';
import { emailDomainOf } from '../users/rules.ts';
import type * as contract from './contract.ts';
import { emailDomains } from './rows.ts';

export const listOrganizationsOfDomain: Handler<typeof contract.listOrganizationsOfDomain> = async (
  context,
  { params },
) => {
  const { tx, caller } = context;
  const domain = params.emailDomain.toLowerCase();
  // A token for one organization reveals no others.
  const mayJoin = caller.organization === null && emailDomainOf(caller.user.email) === domain;
  const shown: OutputOf<typeof contract.listOrganizationsOfDomain>['organizations'] = [];
  for await (const { organization } of eachRow(tx, emailDomains, 'byDomain', [domain])) {
    const viewer = await viewerOf(tx, caller, organization);
    if (viewer === undefined && !mayJoin) continue;
    shown.push(await shapeOrganization(context, await getExisting(tx, organizations, organization), viewer));
  }
  return { organizations: shown };
};

async function viewerOf(view: ReadTransaction, caller: Caller, organization: string): Promise<Viewer> {
  const role = await roleIn(view, caller, organization);
  return role === undefined ? undefined : { user: caller.user.id, role };
}
