import { created, listOf, noContent, ok, operation } from '../../contract/operation.ts';
import { closed, Id, nullable, Type, type Static, type TSchema } from '../../contract/schema.ts';
import { Icon } from '../../contract/shapes.ts';
import { SiteSection } from '../site-sections/contract.ts';

/** Groups may lie inside each other this deep. */
export const maxGroupDepth = 3;

const GroupTitle = Type.String({ minLength: 1, maxLength: 100 });

interface SiteSectionGroupValue {
  object: 'site-section-group';
  id: string;
  title: string;
  sectionGroup?: string;
  icon?: string;
  /** The sections among the children. */
  sections: Static<typeof SiteSection>[];
  children: (Static<typeof SiteSection> | SiteSectionGroupValue)[];
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
    children: Type.Array(depth === 1 ? SiteSection : Type.Union([SiteSection, groupOf(depth - 1)])),
  });
}

const columns = ['title', 'sectionGroup', 'id'];

export const listSectionGroups = operation({
  id: 'sites.section-groups.list',
  route: 'GET /orgs/:organizationId/sites/:siteId/section-groups',
  summary: 'List the section groups of a site: those at its root, then group by group',
  access: 'site.read',
  returns: listOf(SiteSectionGroup),
  cli: { columns, examples: ['docsctl sites section-groups list Docs'] },
});

export const addSectionGroup = operation({
  id: 'sites.section-groups.add',
  route: 'POST /orgs/:organizationId/sites/:siteId/section-groups',
  summary: 'Add a section group to a site, and move sections into it',
  description: `Groups can lie ${maxGroupDepth} deep. Asks for the role admin, as all that changes a site.`,
  access: 'site.admin',
  body: closed({
    title: GroupTitle,
    icon: Type.Optional(nullable(Icon)),
    sections: Type.Optional(Type.Array(Id, { maxItems: 1000 })),
    parent: Type.Optional(Id),
  }),
  returns: created(SiteSectionGroup),
  cli: {
    columns,
    positional: ['title'],
    examples: ['docsctl sites section-groups add Products --site Docs'],
  },
});

export const deleteSectionGroup = operation({
  id: 'sites.section-groups.delete',
  route: 'DELETE /orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId',
  summary: 'Delete a section group; what it holds moves up to its place',
  access: 'site.admin',
  returns: noContent(),
});

export const updateSectionGroup = operation({
  id: 'sites.section-groups.update',
  route: 'PATCH /orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId',
  summary: 'Change the title or icon of a section group, or move it into another one',
  access: 'site.admin',
  body: closed({
    title: Type.Optional(GroupTitle),
    icon: Type.Optional(nullable(Icon)),
    parentSectionGroupId: Type.Optional(nullable(Id)),
  }),
  returns: ok(SiteSectionGroup),
  cli: { columns, examples: ['docsctl sites section-groups update Products --site Docs --icon box'] },
});

export const addSectionToGroup = operation({
  id: 'sites.section-groups.add-section',
  route: 'POST /orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId/sections',
  summary: 'Move a section to the end of a section group',
  access: 'site.admin',
  body: closed({ sectionId: Id }),
  returns: created(SiteSectionGroup),
  cli: {
    columns,
    positional: ['siteSectionGroupId', 'sectionId'],
    examples: ['docsctl sites section-groups add-section Products Guides --site Docs'],
  },
});
