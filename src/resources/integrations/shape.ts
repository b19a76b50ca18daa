import type { Static } from '../../contract/schema.ts';
import { roleIn, subjectIn } from '../../core/authorize.ts';
import { extendContext, type ReadContext, type RequestContext } from '../../core/handler.ts';
import { can, contentRole } from '../../core/permissions.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { installations, integrations, type IntegrationRow } from '../../core/rows/integrations.ts';
import { organizations } from '../../core/rows/organizations.ts';
import { sites, type SiteRow } from '../../core/rows/sites.ts';
import { getExisting } from '../../core/store.ts';
import { shapeOrganization } from '../organizations/shape.ts';
import { shapeSite } from '../sites/shape.ts';
import { shapeSpace } from '../spaces/shape.ts';
import { isVerified } from './rules.ts';
import type { InstalledOnSite, InstalledOnSpace, Integration } from './contract.ts';
import type { SiteInstallationRow, SpaceInstallationRow } from '../../core/rows/installed.ts';

type IntegrationContext = ReadContext & Pick<RequestContext, 'caller'>;

/** Returns an integration in the form of the API, without its secrets and its script. */
export async function shapeIntegration(
  context: IntegrationContext,
  row: IntegrationRow,
): Promise<Static<typeof Integration>> {
  const { tx, url, caller } = context;
  const role = await roleIn(tx, caller, row.organization);
  const location = url(`/v1/integrations/${row.id}`);
  const assets = `${location}/assets`;
  const image = (hash: string) => `${assets}/${hash}`;
  const looks = row.looks as Pick<Static<typeof Integration>, 'title' | 'categories' | 'externalLinks'>;
  return {
    object: 'integration',
    name: row.id,
    version: row.version,
    ...looks,
    ...(Object.keys(row.configurations).length === 0 ? {} : { configurations: row.configurations as object }),
    previewImages: row.previewImages.map(image),
    target: row.target,
    verified: isVerified(row),
    visibility: row.visibility,
    scopes: [...row.scopes] as Static<typeof Integration>['scopes'],
    owner: await shapeOrganization(
      context,
      await getExisting(tx, organizations, row.organization),
      role === undefined ? undefined : { user: caller.user.id, role },
    ),
    urls: {
      location,
      ...(row.icon === undefined ? {} : { icon: image(row.icon) }),
      app: url(`/integrations/${row.id}`),
      assets,
      publicEndpoint: `${location}/integration`,
    },
    permissions: { admin: can(role ?? null, 'admin') },
  };
}

/**
 * Returns an installation on a space in the form of the API. With `extended`, callers who may read the space get the whole space
 * instead of its id.
 */
export async function shapeOnSpace(
  context: IntegrationContext,
  row: SpaceInstallationRow,
  extended = false,
): Promise<Static<typeof InstalledOnSpace>> {
  const space = extended ? await context.tx.get(spaces, row.space) : undefined;
  return {
    ...(await shapeInstalled(context, row, `spaces/${row.space}`)),
    space: space?.state !== 'live' ? row.space : await wholeSpace(context, space),
  };
}

async function wholeSpace(context: IntegrationContext, space: SpaceRow) {
  const { tx, caller } = context;
  const subject = await subjectIn(tx, caller, await getExisting(tx, organizations, space.organization));
  if (subject === undefined) return space.id;
  const role = await contentRole(tx, subject, space);
  return can(role, 'read') ? shapeSpace(extendContext(context, subject), space, role) : space.id;
}

/**
 * Returns an installation on a site in the form of the API. With `extended`, callers who may read the site get the whole site
 * instead of its id.
 */
export async function shapeOnSite(
  context: IntegrationContext,
  row: SiteInstallationRow,
  extended = false,
): Promise<Static<typeof InstalledOnSite>> {
  const site = extended ? await context.tx.get(sites, row.site) : undefined;
  return {
    ...(await shapeInstalled(context, row, `sites/${row.site}`)),
    site: site === undefined ? row.site : await wholeSite(context, site),
  };
}

async function wholeSite(context: IntegrationContext, site: SiteRow) {
  const { tx, caller } = context;
  const organization = await getExisting(tx, organizations, site.organization);
  const subject = await subjectIn(tx, caller, organization);
  if (subject === undefined || !can(await contentRole(tx, subject, site), 'read')) return site.id;
  return shapeSite(extendContext(context, { organization }), site);
}

/**
 * Returns the settings of an installation for administrators of the organization that installed it and of the publisher. Other
 * callers get none, because settings may contain credentials.
 */
export async function shownSettings<T>(
  { tx, caller }: IntegrationContext,
  owners: readonly string[],
  configuration: T,
): Promise<{ configuration?: T }> {
  for (const one of new Set(owners))
    if (can((await roleIn(tx, caller, one)) ?? null, 'admin')) return { configuration };
  return {};
}

async function shapeInstalled(
  context: IntegrationContext,
  row: SpaceInstallationRow | SiteInstallationRow,
  at: string,
) {
  const { url, tx } = context;
  const { integration, installation, status, configuration, externalIds } = row;
  const { organization } = await getExisting(tx, installations, installation);
  const { organization: publisher } = await getExisting(tx, integrations, integration);
  const path = `/v1/integrations/${integration}/installations/${installation}/${at}`;
  return {
    integration,
    installation,
    status,
    ...(await shownSettings(context, [organization, publisher], configuration)),
    externalIds: [...externalIds],
    urls: { location: url(path), publicEndpoint: url(`${path}/integration`) },
  };
}
