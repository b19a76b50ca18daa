import type { Static } from '../../contract/schema.ts';
import { defined } from '../../contract/values.ts';
import type { Handler, UrlContext } from '../../core/handler.ts';
import { enqueue } from '../../core/jobs.ts';
import { listPage } from '../../core/listing.ts';
import { customHostnames, type CustomHostnameRow } from '../../core/rows/custom-hostnames.ts';
import { sites } from '../../core/rows/sites.ts';
import type * as contract from './contract.ts';
import { hostnameOf, isActive, problemOf, proofRecord, stateOf } from './proof.ts';
import { checkHostname, checkRequest, removeHostnames } from './rules.ts';

export const listCustomHostnames: Handler<typeof contract.listCustomHostnames> = (context, { query }) =>
  listPage(
    context.tx,
    { table: customHostnames, index: 'byOrganization', equals: [context.organization.id] },
    query,
    (row) => shape(context, row),
  );

export const setCustomHostname: Handler<typeof contract.setCustomHostname> = async (context, { body }) => {
  const { tx, now, site, organization } = context;
  const hostname = body.hostname.toLowerCase();
  const { existing, id } = await checkHostname(context, hostname);
  if (existing !== undefined) return shape(context, existing);
  await removeHostnames(tx, site.id);
  const row: CustomHostnameRow = {
    id,
    organization: organization.id,
    site: site.id,
    createdAt: now,
    proof: 'unchecked',
    ...(id === hostname ? {} : { hostname }),
  };
  await tx.insert(customHostnames, row);
  await tx.update(sites, site.id, { hostname, isHostnamePending: true });
  await enqueue(tx, now, checkRequest(row));
  return shape(context, row);
};

export const getCustomHostname: Handler<typeof contract.getCustomHostname> = async (context) =>
  shape(context, context.customHostname);

export const revalidateCustomHostname: Handler<typeof contract.revalidateCustomHostname> = ({
  tx,
  now,
  customHostname,
}) => enqueue(tx, now, checkRequest(customHostname));

export const deleteCustomHostname: Handler<typeof contract.deleteCustomHostname> = async ({ tx, site }) => {
  await removeHostnames(tx, site.id);
  await tx.update(sites, site.id, { hostname: undefined, isHostnamePending: false });
};

function shape({ url }: UrlContext, row: CustomHostnameRow): Static<typeof contract.CustomHostname> {
  const { organization, site, status, dns, proof } = row;
  const hostname = hostnameOf(row);
  return {
    object: 'custom-hostname',
    hostname,
    target: { type: 'site', site },
    isActive: isActive(row),
    state: stateOf(row),
    proof: {
      type: 'TXT',
      ...proofRecord(hostname, organization),
      ...(proof === undefined || proof === 'unchecked' ? {} : { status: proof }),
    },
    ...defined({
      status,
      dns: dns && { ...dns, cname: [...dns.cname], addresses: [...dns.addresses] },
      problem: problemOf(row),
    }),
    urls: { location: url(`/v1/custom-hostnames/${hostname}`) },
  };
}
