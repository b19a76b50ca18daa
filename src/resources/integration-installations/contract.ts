import { created, listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, Id, oneOf, optional, Type, Url } from '../../contract/schema.ts';
import {
  extended,
  ExternalIds,
  InstallationStatus,
  InstalledOnSite,
  InstalledOnSpace,
  Settings,
} from '../integrations/contract.ts';
import { Scopes } from '../integrations/parts/contract.ts';

const selections = ['all', 'selected'] as const;
const Selection = oneOf(selections);

/** An integration that an organization has installed. */
export const Installation = closed({
  id: Id,
  status: InstallationStatus,
  space_selection: Selection,
  site_selection: Selection,
  scopes: Scopes,
  pendingScopes: Scopes,
  spaces: Type.Integer({ minimum: 0 }),
  configuration: Type.Optional(Settings),
  createdAt: DateTime,
  updatedAt: DateTime,
  urls: closed({ location: Url, app: Url, publicEndpoint: Url }),
  externalIds: ExternalIds,
  target: closed({ organization: Id }),
});

const placeSettings = closed(
  optional({
    externalIds: ExternalIds,
    configuration: Settings,
  }),
);

const columns = ['status', 'spaces', 'pendingScopes', 'updatedAt', 'target.organization', 'id'];
const onSpace = ['space', 'installation', 'status'];
const onSite = ['site', 'installation', 'status'];
const requiresRead = 'Requires the read role in the organization that has installed the integration.';
const requiresReadForSettings = `${requiresRead} Only administrators see the configuration.`;
const requiresAdmin = 'Requires the admin role in the organization that has installed the integration.';

export const nounHelp: NounHelp = {
  description:
    'An installation makes an integration available in an organization. It holds the settings of the integration, which only administrators see, and lists the spaces and sites that the integration is installed on. Each of these spaces and sites can have settings of its own.',
  examples: [
    'docsctl integrations installations list slack',
    'docsctl integrations installations add-space API --integration slack --installation ins_1',
  ],
};

export const listInstallations = operation({
  id: 'integrations.installations.list',
  route: 'GET /integrations/:integrationName/installations',
  summary: 'List the installations of an integration',
  description:
    'Administrators of the organization that publishes the integration see all of them. Others see those of their own organizations.',
  access: 'integration.caller',
  query: {
    externalId: Type.Optional(
      Type.String({
        maxLength: 255,
        description:
          'only installations with this value in `externalIds`, their IDs in the service that the integration connects to',
      }),
    ),
  },
  returns: listOf(Installation),
  cli: { columns, examples: ['docsctl integrations installations list slack'] },
});

export const createInstallation = operation({
  id: 'integrations.installations.create',
  route: 'POST /integrations/:integrationName/installations',
  summary: 'Install an integration in an organization',
  description:
    'Only an administrator of the organization can do this. Afterwards, install the integration on spaces with `docsctl integrations installations add-space`, and on sites with `docsctl integrations installations add-site`.',
  access: 'integration.caller',
  body: closed({
    organization: Type.String({
      ...Id,
      description: 'organization to install it in',
    }),
  }),
  returns: created(Installation),
  cli: { columns, examples: ['docsctl integrations installations create slack --org "Acme Labs"'] },
});

export const getInstallation = operation({
  id: 'integrations.installations.get',
  route: 'GET /integrations/:integrationName/installations/:installationId',
  summary: 'Show an installation of an integration',
  description:
    'Requires the read role in the organization of the installation, or the admin role in the organization that publishes the integration. Only administrators see the configuration.',
  access: 'integration.caller',
  returns: ok(Installation),
  cli: {
    columns: ['scopes', ...columns],
    examples: ['docsctl integrations installations get ins_1 --integration slack'],
  },
});

export const updateInstallation = operation({
  id: 'integrations.installations.update',
  route: 'PATCH /integrations/:integrationName/installations/:installationId',
  summary: 'Change the settings of an installation',
  description:
    'Administrators of the organization that has installed the integration can change all settings. Administrators of the organization that publishes it can change only the configuration and the external IDs. The configuration, the scopes and the external IDs are replaced as a whole.',
  access: 'integration.caller',
  body: closed(
    optional({
      externalIds: ExternalIds,
      configuration: Settings,
      space_selection: oneOf(selections, {
        description:
          'all: the integration works on all spaces; selected: only on spaces that it is installed on',
      }),
      site_selection: oneOf(selections, {
        description:
          'all: the API gives the integration access to all sites; selected: only to sites that it is installed on. Page scripts and sign-in of visitors work only on sites that it is installed on',
      }),
      scopes: {
        ...Scopes,
        description: 'scopes of the integration that the organization agrees to',
      },
    }),
  ),
  returns: ok(Installation),
  cli: {
    columns,
    examples: [
      'docsctl integrations installations update ins_1 --integration slack --space-selection all',
      'docsctl integrations installations update ins_2 --integration digest --scopes space:content:read',
    ],
  },
});

export const deleteInstallation = operation({
  id: 'integrations.installations.delete',
  route: 'DELETE /integrations/:integrationName/installations/:installationId',
  summary: 'Uninstall an integration from an organization',
  description:
    'The integration is removed from all spaces and sites of the organization, and its settings are deleted. Only an administrator of the organization can do this.',
  access: 'integration.caller',
  returns: noContent(),
  cli: { examples: ['docsctl integrations installations delete ins_1 --integration slack --yes'] },
});

export const createToken = operation({
  id: 'integrations.installations.token',
  route: 'POST /integrations/:integrationName/installations/:installationId/tokens',
  summary: 'Create a token of an installation and show it once',
  description:
    'The token is valid for an hour. It allows what the scopes of the installation allow. Only the integration itself and administrators of the organization that publishes it can do this.',
  access: 'integration.caller',
  returns: ok(closed({ token: Type.String() })),
  secret: true,
  cli: {
    columns: ['token'],
    examples: [
      'docsctl integrations installations token ins_1 --integration slack --query token > installation-token',
    ],
  },
});

export const listSpaces = operation({
  id: 'integrations.installations.spaces',
  route: 'GET /integrations/:integrationName/installations/:installationId/spaces',
  summary: 'List the spaces that an integration is installed on in an organization',
  description: requiresRead,
  access: 'integration.caller',
  query: { extended: extended('spaces') },
  returns: listOf(InstalledOnSpace),
  cli: {
    columns: onSpace,
    examples: ['docsctl integrations installations spaces ins_1 --integration slack'],
  },
});

export const getSpaceInstallation = operation({
  id: 'integrations.installations.get-space',
  route: 'GET /integrations/:integrationName/installations/:installationId/spaces/:spaceId',
  summary: 'Show the settings of an integration on one space',
  description: requiresReadForSettings,
  access: 'integration.caller',
  query: { extended: extended('spaces') },
  returns: ok(InstalledOnSpace),
  cli: {
    columns: onSpace,
    examples: ['docsctl integrations installations get-space Guide --integration slack --installation ins_1'],
  },
});

export const listSites = operation({
  id: 'integrations.installations.sites',
  route: 'GET /integrations/:integrationName/installations/:installationId/sites',
  summary: 'List the sites that an integration is installed on in an organization',
  description: requiresRead,
  access: 'integration.caller',
  query: { extended: extended('sites') },
  returns: listOf(InstalledOnSite),
  cli: {
    columns: onSite,
    examples: ['docsctl integrations installations sites ins_1 --integration slack'],
  },
});

export const getSiteInstallation = operation({
  id: 'integrations.installations.get-site',
  route: 'GET /integrations/:integrationName/installations/:installationId/sites/:siteId',
  summary: 'Show the settings of an integration on one site',
  description: requiresReadForSettings,
  access: 'integration.caller',
  query: { extended: extended('sites') },
  returns: ok(InstalledOnSite),
  cli: {
    columns: onSite,
    examples: ['docsctl integrations installations get-site Docs --integration slack --installation ins_1'],
  },
});

export const installOnSpace = operation({
  id: 'integrations.installations.add-space',
  route: 'POST /integrations/:integrationName/installations/:installationId/spaces',
  summary: 'Install an integration on a space',
  description: requiresAdmin,
  access: 'integration.caller',
  query: { extended: extended('spaces') },
  body: closed({ space: Type.String({ ...Id, description: 'space to install the integration on' }) }),
  returns: created(InstalledOnSpace),
  cli: {
    columns: onSpace,
    positional: ['space'],
    examples: ['docsctl integrations installations add-space API --integration slack --installation ins_1'],
  },
});

export const installOnSite = operation({
  id: 'integrations.installations.add-site',
  route: 'POST /integrations/:integrationName/installations/:installationId/sites',
  summary: 'Install an integration on a site',
  description: requiresAdmin,
  access: 'integration.caller',
  query: { extended: extended('sites') },
  body: closed({ siteId: Type.String({ ...Id, description: 'site to install the integration on' }) }),
  returns: created(InstalledOnSite),
  cli: {
    columns: onSite,
    positional: ['siteId'],
    examples: ['docsctl integrations installations add-site Help --integration slack --installation ins_1'],
  },
});

export const updateSpaceInstallation = operation({
  id: 'integrations.installations.update-space',
  route: 'PATCH /integrations/:integrationName/installations/:installationId/spaces/:spaceId',
  summary: 'Change the settings of an integration on one space',
  description:
    'First install the integration on the space with `docsctl integrations installations add-space`. Settings that are left out of the new configuration are removed. Requires the admin role in the organization that has installed the integration.',
  access: 'integration.caller',
  query: { extended: extended('spaces') },
  body: placeSettings,
  returns: ok(InstalledOnSpace),
  cli: {
    columns: onSpace,
    examples: [
      'docsctl integrations installations update-space Guide --integration slack --installation ins_1 --configuration \'{"channel":"docs"}\'',
    ],
  },
});

export const removeFromSpace = operation({
  id: 'integrations.installations.remove-space',
  route: 'DELETE /integrations/:integrationName/installations/:installationId/spaces/:spaceId',
  summary: 'Remove an integration from a space',
  description:
    'The installation itself and its other spaces are kept. If the installation covers all spaces (`space_selection: all`), the integration still works on this space, but has no settings for it. Requires the admin role in the organization that has installed the integration.',
  access: 'integration.caller',
  returns: noContent(),
  cli: {
    examples: [
      'docsctl integrations installations remove-space Guide --integration slack --installation ins_1 --yes',
    ],
  },
});

export const updateSiteInstallation = operation({
  id: 'integrations.installations.update-site',
  route: 'PATCH /integrations/:integrationName/installations/:installationId/sites/:siteId',
  summary: 'Change the settings of an integration on one site',
  description:
    'First install the integration on the site with `docsctl integrations installations add-site`. Settings that are left out of the new configuration are removed. Requires the admin role in the organization that has installed the integration.',
  access: 'integration.caller',
  query: { extended: extended('sites') },
  body: placeSettings,
  returns: ok(InstalledOnSite),
  cli: {
    columns: onSite,
    examples: [
      'docsctl integrations installations update-site Docs --integration slack --installation ins_1 --configuration \'{"channel":"docs"}\'',
    ],
  },
});

export const removeFromSite = operation({
  id: 'integrations.installations.remove-site',
  route: 'DELETE /integrations/:integrationName/installations/:installationId/sites/:siteId',
  summary: 'Remove an integration from a site',
  description:
    'The installation itself and its other sites are kept. Requires the admin role in the organization that has installed the integration.',
  access: 'integration.caller',
  returns: noContent(),
  cli: {
    examples: [
      'docsctl integrations installations remove-site Docs --integration slack --installation ins_1 --yes',
    ],
  },
});
