import type { Static } from '../../contract/schema.ts';
import { roleIn } from '../../core/authorize.ts';
import type { RequestContext } from '../../core/handler.ts';
import { can, contentRole } from '../../core/permissions.ts';
import { spaces } from '../../core/rows/spaces.ts';
import type { IntegrationRow } from '../../core/rows/integrations.ts';
import { organizations } from '../../core/rows/organizations.ts';
import { sites } from '../../core/rows/sites.ts';
import { getExisting, type ReadTransaction } from '../../core/store.ts';
import { shapeOrganization } from '../organizations/shape.ts';
import { shapeSite } from '../sites/shape.ts';
import { shapeSpace } from '../spaces/shape.ts';
import type { InstalledOnSite, InstalledOnSpace, Integration } from './contract.ts';
import type { SiteInstallationRow, SpaceInstallationRow } from '../integration-installations/rows.ts';

type IntegrationContext = Pick<RequestContext, 'url' | 'caller'> & { readonly tx: ReadTransaction };

/** An integration as the API shows it; never its secrets or its script. */
export async function shapeIntegration(
  context: IntegrationContext,
  row: IntegrationRow,
): Promise<Static<typeof Integration>> {
  const { tx, url, caller } = context;
  const role = await roleIn(tx, caller, row.organization);
  const image = (hash: string): string => url(`/v1/integrations/${row.id}/images/${hash}`);
  const looks = row.looks as Pick<Static<typeof Integration>, 'title' | 'categories' | 'externalLinks'>;
  return {
    object: 'integration',
    name: row.id,
    version: row.version,
    ...looks,
    ...(Object.keys(row.configurations).length === 0 ? {} : { configurations: row.configurations as object }),
    previewImages: row.previewImages.map(image),
    target: row.target,
    verified: false,
    visibility: row.visibility,
    scopes: [...row.scopes] as Static<typeof Integration>['scopes'],
    owner: await shapeOrganization(
      context,
      await getExisting(tx, organizations, row.organization),
      role === undefined ? undefined : { user: caller.user.id, role },
    ),
    urls: {
      location: url(`/v1/integrations/${row.id}`),
      ...(row.icon === undefined ? {} : { icon: image(row.icon) }),
      app: url(`/integrations/${row.id}`),
      assets: url(`/v1/integrations/${row.id}/images`),
      publicEndpoint: url(`/v1/integrations/${row.id}/integration`),
    },
    permissions: { admin: can(role ?? null, 'admin') },
  };
}

/** An installation on a space; the whole space only for those who may read it themselves. */
export async function shapeOnSpace(
  context: IntegrationContext,
  row: SpaceInstallationRow,
  extended: boolean | undefined,
): Promise<Static<typeof InstalledOnSpace>> {
  const { tx, caller } = context;
  const space = extended === true ? await tx.get(spaces, row.space) : undefined;
  const member =
    space === undefined || space.state === 'deleted'
      ? null
      : ((await roleIn(tx, caller, space.organization)) ?? null);
  const role = member === null ? null : await contentRole(tx, member, caller.maxRole, space!);
  return {
    ...shapeInstalled(context, row, `spaces/${row.space}`),
    space: can(role, 'read') ? shapeSpace(context, space!, role) : row.space,
  };
}

/** An installation on a site; the whole site only for those who may read it themselves. */
export async function shapeOnSite(
  context: IntegrationContext,
  row: SiteInstallationRow,
  extended: boolean | undefined,
): Promise<Static<typeof InstalledOnSite>> {
  const { tx, caller } = context;
  const site = extended === true ? await tx.get(sites, row.site) : undefined;
  const role = site === undefined ? undefined : await roleIn(tx, caller, site.organization);
  const organization = can(role ?? null, 'read')
    ? await tx.get(organizations, site!.organization)
    : undefined;
  return {
    ...shapeInstalled(context, row, `sites/${row.site}`),
    site: organization === undefined ? row.site : shapeSite({ ...context, organization }, site!),
  };
}

function shapeInstalled(
  { url }: IntegrationContext,
  {
    integration,
    installation,
    status,
    configuration,
    externalIds,
  }: SpaceInstallationRow | SiteInstallationRow,
  at: string,
) {
  return {
    integration,
    installation,
    status,
    configuration,
    externalIds: [...externalIds],
    urls: {
      location: url(`/v1/integrations/${integration}/installations/${installation}/${at}`),
      publicEndpoint: url(`/v1/integrations/${integration}/installations/${installation}/${at}/integration`),
    },
  };
}
