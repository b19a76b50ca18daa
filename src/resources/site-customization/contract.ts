import { noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import {
  CustomizationInput,
  CustomizationOverride,
  CustomizationPatch,
  SiteCustomization,
  SiteSpaceCustomization,
} from './schemas.ts';

export const nounHelp: NounHelp = {
  description: `
The customization of a site is its appearance: title, colors, fonts, logo, favicon, links in the header and footer,
announcement, and the features that readers see. A space of the site can override parts of the appearance, for example
if the space is in another language.

Every setting has a default. \`docsctl sites published\` returns the settings in effect, for the site and for each space that overrides some.`,
  examples: [
    'docsctl sites customization get Docs -o yaml',
    'docsctl sites customization update Docs --set styling.theme=bold',
    'docsctl sites customization override guide --site Help --title "Hilfe"',
  ],
};

const columns = ['title', 'styling.theme', 'styling.font', 'themes.default', 'updatedAt'];

export const getSiteCustomization = operation({
  id: 'sites.customization.get',
  route: 'GET /orgs/:organizationId/sites/:siteId/customization',
  summary: 'Show the appearance of a site',
  description: 'Returns every setting. Only administrators see `ai.instructions`.',
  access: 'site.read',
  returns: ok(SiteCustomization),
  cli: { columns, examples: ['docsctl sites customization get Docs -o yaml'] },
});

export const updateSiteCustomization = operation({
  id: 'sites.customization.update',
  route: 'PATCH /orgs/:organizationId/sites/:siteId/customization',
  summary: 'Change settings of the appearance of a site',
  description:
    'Only the given settings change. `docsctl explain sites customization` lists all settings. Null restores the default of a setting, as in `title: null`. A list, such as `header.links`, is replaced as a whole. This operation is not in the official API of GitBook, which can only replace all settings.',
  access: 'site.admin',
  body: CustomizationPatch,
  returns: ok(SiteCustomization),
  cli: {
    columns,
    examples: [
      'docsctl sites customization update Docs --set styling.primaryColor.light="#0a7d5a"',
      'docsctl sites customization update Docs --set feedback.enabled=true --set styling.tint=null',
      'docsctl sites customization update Docs --title Handbook',
    ],
  },
});

export const replaceSiteCustomization = operation({
  id: 'sites.customization.replace',
  route: 'PUT /orgs/:organizationId/sites/:siteId/customization',
  summary: 'Replace the appearance of a site',
  description:
    'All settings are replaced: those that are left out get their defaults. To change some settings and keep the others, use `docsctl sites customization update`. `docsctl explain sites customization` lists all settings. Links can lead to URLs, and to spaces and pages of the organization: `{ kind: page, space: Guide, page: install/linux }` names a page by its path and the title of its space. IDs of spaces and pages also work. The condition of a header link decides which visitors see the link.',
  access: 'site.admin',
  body: CustomizationInput,
  returns: ok(SiteCustomization),
  cli: {
    columns,
    examples: [
      'docsctl sites customization replace Docs --body look.yaml',
      'docsctl sites customization replace Docs --set styling.theme=bold --set themes.default=dark',
      'docsctl sites customization replace Docs --set header.primaryLink.kind=page --set header.primaryLink.space=Guide --set header.primaryLink.page=quickstart',
    ],
  },
});

export const getSiteSpaceCustomization = operation({
  id: 'sites.customization.get-space',
  route: 'GET /orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/customization',
  summary: 'Show the appearance of a space on a site',
  description:
    'Returns every setting in effect. `hasOverrides` says whether the space overrides any setting. `overrides` contains the settings that the space overrides, and is not in the official API of GitBook.',
  access: 'site.read',
  returns: ok(SiteSpaceCustomization),
  cli: {
    columns: [...columns, 'hasOverrides'],
    examples: ['docsctl sites customization get-space guide --site Help -o yaml'],
  },
});

export const overrideSiteSpaceCustomization = operation({
  id: 'sites.customization.override',
  route: 'PATCH /orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/customization',
  summary: 'Change the appearance of a site for one of its spaces',
  description:
    'Only the given settings change. `docsctl explain sites customization` lists all settings. Null, as in `title: null`, removes an override, so that the setting of the site applies again. The fonts, `socialAccounts`, `pdf`, `ai`, `git`, `pageActions`, `advancedCustomization` and `insights` belong to the whole site and cannot be overridden.',
  access: 'site.admin',
  body: CustomizationOverride,
  returns: ok(SiteSpaceCustomization),
  cli: {
    columns: [...columns, 'hasOverrides'],
    examples: [
      'docsctl sites customization override guide --site Help --set internationalization.locale=de',
      'docsctl sites customization override guide --site Help --unset title',
      'docsctl sites customization override guide --site Help --set header.preset=null',
    ],
  },
});

export const resetSiteSpaceCustomization = operation({
  id: 'sites.customization.reset',
  route: 'DELETE /orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/customization',
  summary: 'Reset the appearance of a space to the appearance of its site',
  description: 'Exits with 5 if the space overrides no settings.',
  access: 'site.admin',
  returns: noContent(),
  cli: { examples: ['docsctl sites customization reset guide --site Help --yes'] },
});
