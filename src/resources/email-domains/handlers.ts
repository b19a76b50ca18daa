import type { OutputOf } from '../../contract/operation.ts';
import { emailDomainOf, normalizeDomain } from '../../core/emails.ts';
import { roleIn } from '../../core/authorize.ts';
import type { Caller } from '../../core/callers.ts';
import type { Handler } from '../../core/handler.ts';
import { organizations } from '../../core/rows/organizations.ts';
import { enqueue } from '../../core/jobs.ts';
import { listPage } from '../../core/listing.ts';
import { eachRow, getExisting, type ReadTransaction } from '../../core/store.ts';
import { defined } from '../../contract/values.ts';
import { proofRecord } from '../custom-hostnames/proof.ts';
import { shapeOrganization, type Viewer } from '../organizations/shape.ts';
import type * as contract from './contract.ts';
import { emailDomains, type EmailDomainRow } from './rows.ts';
import { checkRequest, getDomain, isProven } from './rules.ts';

export const listEmailDomains: Handler<typeof contract.listEmailDomains> = (
  { tx, organization },
  { query },
) =>
  listPage(
    tx,
    { table: emailDomains, index: 'byOrganization', equals: [organization.id] },
    query,
    shapeDomain,
  );

export const getEmailDomain: Handler<typeof contract.getEmailDomain> = async (
  { tx, organization },
  { params },
) => shapeDomain(await getDomain(tx, organization.id, params.emailDomain));

export const revalidateEmailDomain: Handler<typeof contract.revalidateEmailDomain> = async (
  { tx, organization, now },
  { params },
) => enqueue(tx, now, checkRequest(await getDomain(tx, organization.id, params.emailDomain)));

export const listOrganizationsOfDomain: Handler<typeof contract.listOrganizationsOfDomain> = async (
  context,
  { params },
) => {
  const { tx, caller } = context;
  const domain = normalizeDomain(params.emailDomain);
  // A token for one organization must not reveal other organizations.
  const mayJoin = caller.organization === null && emailDomainOf(caller.user.email) === domain;
  const shown: OutputOf<typeof contract.listOrganizationsOfDomain>['organizations'] = [];
  for await (const row of eachRow(tx, emailDomains, 'byDomain', [domain])) {
    const { organization } = row;
    const viewer = await viewerOf(tx, caller, organization);
    if (viewer === undefined && !(mayJoin && isProven(row))) continue;
    shown.push(await shapeOrganization(context, await getExisting(tx, organizations, organization), viewer));
  }
  return { organizations: shown };
};

async function viewerOf(view: ReadTransaction, caller: Caller, organization: string): Promise<Viewer> {
  const role = await roleIn(view, caller, organization);
  return role === undefined ? undefined : { user: caller.user.id, role };
}

function shapeDomain(row: EmailDomainRow): OutputOf<typeof contract.getEmailDomain> {
  const { domain, organization, proof, checkedAt, error } = row;
  const record = proofRecord(domain, organization);
  const missing =
    proof === 'missing'
      ? `There is no TXT record ${record.name} with the value "${record.value}".`
      : undefined;
  return {
    object: 'email-domain',
    domain,
    isActive: isProven(row),
    proof: {
      type: 'TXT',
      ...record,
      ...(proof === undefined || proof === 'unchecked' ? {} : { status: proof }),
    },
    ...defined({ checkedAt, problem: error ?? missing }),
  };
}
