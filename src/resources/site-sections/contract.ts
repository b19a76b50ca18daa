import { makeRedirectsField, movedRedirects } from '../site-redirects/schemas.ts';
import { created, listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, Id, nonBlank, nullable, optional, Type } from '../../contract/schema.ts';
import { Icon } from '../../contract/shapes.ts';
import {
  conditionOf,
  moveBody,
  moveFlags,
  PublishedUrls,
  ShareKey,
  NewSitePath,
  SitePath,
  SiteSpace,
} from '../site-spaces/contract.ts';

const SectionTitle = nonBlank({ minLength: 2, maxLength: 128, description: 'title of the section' });
const Condition = conditionOf('section');
const Description = Type.String({
  maxLength: 256,
  description: 'short text that describes the section in menus',
});

/** A tab of a site, with one or more spaces as its variants. */
export const SiteSection = closed({
  object: Type.Literal('site-section'),
  id: Id,
  title: SectionTitle,
  description: Type.Optional(Description),
  default: Type.Boolean(),
  path: SitePath,
  ...optional({
    condition: Condition,
    sectionGroup: Id,
    icon: Icon,
  }),
  siteSpaces: Type.Array(SiteSpace),
  urls: PublishedUrls,
});

export const nounHelp: NounHelp = {
  description: `
A section is a tab of a site. It shows one or more spaces; several spaces in one section are variants of the same content, such as languages or versions.

At its top level, a site has either sections or spaces. To change the order of sections, use \`docsctl sites sort\`.`,
  examples: [
    'docsctl sites sections add "Old guide" --site Docs --title Archive',
    'docsctl sites sections list Docs',
  ],
};

const columns = ['title', 'path', 'default', 'sectionGroup', 'id'];

export const listSiteSections = operation({
  id: 'sites.sections.list',
  route: 'GET /orgs/:organizationId/sites/:siteId/sections',
  summary: 'List the sections of a site',
  description: 'Sections outside of groups come first, then the sections of each group.',
  access: 'site.read',
  query: { shareKey: ShareKey },
  returns: listOf(SiteSection),
  cli: { columns, examples: ['docsctl sites sections list Docs'] },
});

export const addSection = operation({
  id: 'sites.sections.add',
  route: 'POST /orgs/:organizationId/sites/:siteId/sections',
  summary: 'Add a section with a space to a site',
  description:
    'The first section of a site becomes the default section. If the site already shows spaces without sections, these spaces first move into a section of their own, with the title of the default space. This section is then the default.\n\nIf the section gets the path of a space in the default section, the addresses of this space change, and the result lists the redirects that its old paths need. With `redirects`, docsctl creates these redirects.\n\nAdd further spaces to the section with `docsctl sites site-spaces add`. You also need the admin role on each space that you add.',
  access: 'site.admin',
  body: closed({
    spaceId: Type.String({ ...Id, description: 'space that the section shows' }),
    ...optional({
      title: nullable(
        Type.String({
          ...SectionTitle,
          description: 'title of the section (default: the title of the space)',
        }),
      ),
      icon: nullable(Icon),
      siteSectionGroupId: Type.String({ ...Id, description: 'group that will hold the section' }),
    }),
    ...makeRedirectsField,
  }),
  returns: created(closed({ ...SiteSection.properties, ...movedRedirects })),
  cli: {
    columns,
    positional: ['spaceId'],
    examples: [
      'docsctl sites sections add "Old guide" --site Docs --title Archive',
      'docsctl sites sections add Template --site Docs --group Products --icon box',
      'docsctl sites sections add Template "Old guide" --site Docs',
    ],
  },
});

export const deleteSection = operation({
  id: 'sites.sections.delete',
  route: 'DELETE /orgs/:organizationId/sites/:siteId/sections/:siteSectionId',
  summary: 'Delete a section of a site',
  description:
    'The spaces that the section shows are kept, but the site no longer shows them there. If the section was the default, the first remaining section becomes the default. With `redirects`, a published site redirects the old paths of pages that it still shows elsewhere; `docsctl sites redirects list` shows these redirects.',
  access: 'site.admin',
  query: makeRedirectsField,
  returns: noContent(),
  cli: {
    examples: [
      'docsctl sites sections delete Reference --site Docs --yes',
      'docsctl sites sections delete Reference --site Docs --redirects --yes',
    ],
  },
});

export const updateSection = operation({
  id: 'sites.sections.update',
  route: 'PATCH /orgs/:organizationId/sites/:siteId/sections/:siteSectionId',
  summary: 'Change the title, path, condition or group of a section',
  description:
    'Only the given fields change. `condition: null` shows the section to everyone again, and `siteSectionGroupId: null` moves the section to the end of the top level. If pages of a published site move, the result lists the redirects that their old paths need. With `redirects`, docsctl creates these redirects.',
  access: 'site.admin',
  body: closed({
    ...optional({
      title: SectionTitle,
      path: NewSitePath,
      defaultSiteSpace: Type.String({
        ...Id,
        description: 'site space (a space on the site) that opens first in the section',
      }),
      condition: nullable(Condition),
      icon: nullable(Icon),
      description: nullable(Description),
      siteSectionGroupId: nullable(Type.String({ ...Id, description: 'group that will hold the section' })),
    }),
    ...makeRedirectsField,
  }),
  returns: ok(closed({ ...SiteSection.properties, ...movedRedirects })),
  cli: {
    columns,
    examples: [
      'docsctl sites sections update Guides --site Docs --path handbook --redirects',
      `docsctl sites sections update Reference --site Docs --condition 'visitor.claims.plan == "pro"'`,
    ],
  },
});

const Neighbor = closed({ type: Type.Literal('site-section'), siteSection: Id });

export const moveSection = operation({
  id: 'sites.sections.move',
  route: 'POST /orgs/:organizationId/sites/:siteId/sections/:siteSectionId/move',
  summary: 'Move a section before or after another one',
  description:
    'This command is deprecated: use `docsctl sites sort`. Both sections must be in the same group, or both at the top level. `position: {}` moves the section to the end.',
  access: 'site.admin',
  deprecated: true,
  body: moveBody(Neighbor),
  returns: ok(SiteSection),
  cli: {
    columns,
    flags: moveFlags('section', { type: 'site-section', siteSection: '$' }),
    examples: ['docsctl sites sections move Reference --site Docs --before Guides'],
  },
});
