import { created, listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import {
  closed,
  Id,
  nonBlank,
  nullable,
  oneOf,
  optional,
  Type,
  type Static,
  type TSchema,
} from '../../contract/schema.ts';
import { Icon } from '../../contract/shapes.ts';
import { SiteExternalLink } from '../site-external-links/contract.ts';
import { SiteSection } from '../site-sections/contract.ts';
import { moveBody } from '../site-spaces/contract.ts';

/** Maximum depth of nested groups. */
export const maxGroupDepth = 3;

const GroupTitle = nonBlank({ maxLength: 100, description: 'title of the group' });

interface SiteSectionGroupValue {
  object: 'site-section-group';
  id: string;
  title: string;
  sectionGroup?: string;
  icon?: string;
  sections: Static<typeof SiteSection>[];
  children: (Static<typeof SiteSection> | Static<typeof SiteExternalLink> | SiteSectionGroupValue)[];
}

/** A drop-down of a site that holds sections and groups. */
export const SiteSectionGroup = Type.Unsafe<SiteSectionGroupValue>(groupOf(maxGroupDepth));

function groupOf(depth: number): TSchema {
  return closed({
    object: Type.Literal('site-section-group'),
    id: Id,
    title: GroupTitle,
    sectionGroup: Type.Optional(Id),
    icon: Type.Optional(Icon),
    sections: Type.Array(SiteSection, { deprecated: true }),
    children: Type.Array(
      Type.Union([SiteSection, SiteExternalLink, ...(depth === 1 ? [] : [groupOf(depth - 1)])]),
    ),
  });
}

export const nounHelp: NounHelp = {
  description: `
A section group is a menu in the navigation of a site. It holds sections, external links and other groups, up to ${maxGroupDepth} levels deep.`,
  examples: [
    'docsctl sites section-groups add "For developers" --site Docs',
    'docsctl sites section-groups add-section Products Reference --site Docs',
  ],
};

const columns = ['title', 'sectionGroup', 'id'];

export const listSectionGroups = operation({
  id: 'sites.section-groups.list',
  route: 'GET /orgs/:organizationId/sites/:siteId/section-groups',
  summary: 'List the section groups of a site',
  description:
    'The groups at the top level come first, in their order. Then come the groups inside other groups, sorted by parent.',
  access: 'site.read',
  returns: listOf(SiteSectionGroup),
  cli: { columns, examples: ['docsctl sites section-groups list Docs'] },
});

export const addSectionGroup = operation({
  id: 'sites.section-groups.add',
  route: 'POST /orgs/:organizationId/sites/:siteId/section-groups',
  summary: 'Add a section group to a site',
  description: `The sections given with \`sections\` move into the new group. Groups can be nested ${maxGroupDepth} levels deep.`,
  access: 'site.admin',
  body: closed({
    title: GroupTitle,
    ...optional({
      icon: nullable(Icon),
      sections: Type.Array(Id, { maxItems: 1000, description: 'sections that move into the group' }),
      parent: Type.String({ ...Id, description: 'group that will hold the new group' }),
    }),
  }),
  returns: created(SiteSectionGroup),
  cli: {
    columns,
    positional: ['title'],
    examples: [
      'docsctl sites section-groups add "For developers" --site Docs',
      'docsctl sites section-groups add APIs --site Docs --sections Reference --parent Products',
    ],
  },
});

export const deleteSectionGroup = operation({
  id: 'sites.section-groups.delete',
  route: 'DELETE /orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId',
  summary: 'Delete a section group',
  description: 'The sections, groups and links in it are kept. They move up to where the group was.',
  access: 'site.admin',
  returns: noContent(),
  cli: { examples: ['docsctl sites section-groups delete Products --site Docs --yes'] },
});

export const updateSectionGroup = operation({
  id: 'sites.section-groups.update',
  route: 'PATCH /orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId',
  summary: 'Rename a section group, change its icon or move it into another group',
  description:
    '`parentSectionGroupId` moves the group to the end of the given group, and `parentSectionGroupId: null` to the end of the top level.',
  access: 'site.admin',
  body: closed(
    optional({
      title: GroupTitle,
      icon: nullable(Icon),
      parentSectionGroupId: nullable(
        Type.String({ ...Id, description: 'other group that will hold this group' }),
      ),
    }),
  ),
  returns: ok(SiteSectionGroup),
  cli: {
    columns,
    examples: ['docsctl sites section-groups update Products --site Docs --title APIs --icon box'],
  },
});

const Neighbor = closed({
  type: oneOf(['site-section', 'site-section-group']),
  id: Id,
});
const neighborFlags = (['before', 'after'] as const).flatMap((side) => [
  {
    name: side,
    value: 'group',
    summary: `move it ${side} this group, by title or ID`,
    template: { position: { [side]: { type: 'site-section-group', id: '$' } } },
  },
  {
    name: `${side}-section`,
    value: 'section',
    summary: `move it ${side} this section, by path, title or ID`,
    template: { position: { [side]: { type: 'site-section', id: '$' } } },
  },
]);

export const moveSectionGroup = operation({
  id: 'sites.section-groups.move',
  route: 'POST /orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId/move',
  summary: 'Move a section group before or after a section or group',
  description:
    'This command is deprecated: use `docsctl sites sort`. The group and its new neighbor must be in the same group, or both at the top level. `position: {}` moves the group to the end.',
  access: 'site.admin',
  deprecated: true,
  body: moveBody(Neighbor),
  returns: ok(SiteSectionGroup),
  cli: {
    columns,
    flags: neighborFlags,
    examples: ['docsctl sites section-groups move Products --site Docs --before-section Guides'],
  },
});

export const removeSectionFromGroup = operation({
  id: 'sites.section-groups.remove-section',
  route:
    'DELETE /orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId/sections/:siteSectionId',
  summary: 'Move a section out of a section group',
  description:
    'The section moves to the end of the level that contains the group. The section and its spaces are kept.',
  access: 'site.admin',
  returns: noContent(),
  cli: {
    positional: ['siteSectionGroupId', 'siteSectionId'],
    destructive: false,
    examples: [
      'docsctl sites section-groups add-section Products Guides --site Docs && docsctl sites section-groups remove-section Products Guides --site Docs',
    ],
  },
});

export const addSectionToGroup = operation({
  id: 'sites.section-groups.add-section',
  route: 'POST /orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId/sections',
  summary: 'Move a section to the end of a section group',
  description: 'If the section is already in the group, nothing changes.',
  access: 'site.admin',
  body: closed({ sectionId: Type.String({ ...Id, description: 'section to move' }) }),
  returns: created(SiteSectionGroup),
  cli: {
    columns,
    positional: ['siteSectionGroupId', 'sectionId'],
    examples: ['docsctl sites section-groups add-section Products Guides --site Docs'],
  },
});
