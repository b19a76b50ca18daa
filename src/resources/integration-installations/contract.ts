import { created, listOf, noContent, ok, operation } from '../../contract/operation.ts';
import { closed, DateTime, Id, oneOf, Type, Url } from '../../contract/schema.ts';
import {
  extended,
  ExternalIds,
  InstallationStatus,
  InstalledOnSite,
  InstalledOnSpace,
  Settings,
} from '../integrations/contract.ts';

const Selection = oneOf(['all', 'selected']);

/** An integration in use by an organization. */
export const Installation = closed({
  id: Id,
  status: InstallationStatus,
  space_selection: Selection,
  site_selection: Selection,
  spaces: Type.Integer({ minimum: 0 }),
  configuration: Settings,
  createdAt: DateTime,
  updatedAt: DateTime,
  urls: closed({ location: Url, app: Url, publicEndpoint: Url }),
  externalIds: ExternalIds,
  target: closed({ organization: Id }),
});

const placeSettings = closed({
  externalIds: Type.Optional(ExternalIds),
  configuration: Type.Optional(Settings),
});

const columns = ['status', 'spaces', 'updatedAt', 'target.organization', 'id'];

export const listInstallations = operation({
  id: 'integrations.installations.list',
  route: 'GET /integrations/:integrationName/installations',
  summary: 'List where an integration is installed',
  description: 'Everywhere for who publishes it; for others in their organizations.',
  access: 'integration.caller',
  query: {
    externalId: Type.Optional(
      Type.String({ maxLength: 255, description: 'Only those with this external id' }),
    ),
  },
  returns: listOf(Installation),
  cli: { columns },
});

export const createInstallation = operation({
  id: 'integrations.installations.create',
  route: 'POST /integrations/:integrationName/installations',
  summary: 'Install an integration in an organization',
  description: 'Takes an administrator of the organization.',
  access: 'integration.caller',
  body: closed({ organization: Id }),
  returns: created(Installation),
  cli: { columns, examples: ['docsctl integrations installations create slack --organization org_1'] },
});

export const getInstallation = operation({
  id: 'integrations.installations.get',
  route: 'GET /integrations/:integrationName/installations/:installationId',
  summary: 'Show an installation of an integration',
  description:
    'Takes the role "read" in the organization it is installed in, or an administrator of the one that publishes the integration.',
  access: 'integration.caller',
  returns: ok(Installation),
  cli: { columns },
});

export const updateInstallation = operation({
  id: 'integrations.installations.update',
  route: 'PATCH /integrations/:integrationName/installations/:installationId',
  summary: 'Change the settings of an installation',
  description:
    'Takes an administrator of the organization it is installed in; who publishes the integration may change configuration and externalIds.',
  access: 'integration.caller',
  body: closed({
    externalIds: Type.Optional(ExternalIds),
    configuration: Type.Optional(Settings),
    space_selection: Type.Optional(Selection),
    site_selection: Type.Optional(Selection),
  }),
  returns: ok(Installation),
  cli: { columns },
});

export const deleteInstallation = operation({
  id: 'integrations.installations.delete',
  route: 'DELETE /integrations/:integrationName/installations/:installationId',
  summary: 'Uninstall an integration from an organization',
  description: 'Takes an administrator of that organization, as does all that follows.',
  access: 'integration.caller',
  returns: noContent(),
});

export const installOnSpace = operation({
  id: 'integrations.installations.add-space',
  route: 'POST /integrations/:integrationName/installations/:installationId/spaces',
  summary: 'Install an integration on a space',
  access: 'integration.caller',
  query: { extended: extended('spaces') },
  body: closed({ space: Id }),
  returns: created(InstalledOnSpace),
  cli: {
    columns: ['space', 'installation', 'status'],
    positional: ['space'],
    examples: ['docsctl integrations installations add-space Guide --integration slack --installation ins_1'],
  },
});

export const installOnSite = operation({
  id: 'integrations.installations.add-site',
  route: 'POST /integrations/:integrationName/installations/:installationId/sites',
  summary: 'Install an integration on a site',
  access: 'integration.caller',
  query: { extended: extended('sites') },
  body: closed({ siteId: Id }),
  returns: created(InstalledOnSite),
  cli: {
    columns: ['site', 'installation', 'status'],
    positional: ['siteId'],
    examples: ['docsctl integrations installations add-site Docs --integration slack --installation ins_1'],
  },
});

export const updateSpaceInstallation = operation({
  id: 'integrations.installations.update-space',
  route: 'PATCH /integrations/:integrationName/installations/:installationId/spaces/:spaceId',
  summary: 'Change the settings of an integration on one space',
  access: 'integration.caller',
  body: placeSettings,
  returns: ok(InstalledOnSpace),
  cli: {
    columns: ['space', 'installation', 'status'],
    examples: [
      'docsctl integrations installations update-space Guide --integration slack --installation ins_1 --configuration \'{"channel":"docs"}\'',
    ],
  },
});

export const removeFromSpace = operation({
  id: 'integrations.installations.remove-space',
  route: 'DELETE /integrations/:integrationName/installations/:installationId/spaces/:spaceId',
  summary: 'Take an integration off one space',
  access: 'integration.caller',
  returns: noContent(),
});

export const updateSiteInstallation = operation({
  id: 'integrations.installations.update-site',
  route: 'PATCH /integrations/:integrationName/installations/:installationId/sites/:siteId',
  summary: 'Change the settings of an integration on one site',
  access: 'integration.caller',
  body: placeSettings,
  returns: ok(InstalledOnSite),
  cli: {
    columns: ['site', 'installation', 'status'],
    examples: [
      'docsctl integrations installations update-site Docs --integration slack --installation ins_1 --configuration \'{"channel":"docs"}\'',
    ],
  },
});

export const removeFromSite = operation({
  id: 'integrations.installations.remove-site',
  route: 'DELETE /integrations/:integrationName/installations/:installationId/sites/:siteId',
  summary: 'Take an integration off one site',
  access: 'integration.caller',
  returns: noContent(),
});
