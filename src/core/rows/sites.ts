import { table } from '../store.ts';

export interface SiteRow {
  readonly id: string;
  readonly organization: string;
  readonly type: string;
  readonly title: string;
  readonly basename?: string;
  readonly hostname?: string;
  readonly proxy: string | null;
  readonly visibility: string;
  readonly published: boolean;
  readonly createdAt: string;
  readonly adaptiveContent: boolean;
  readonly agentsContext: 'included' | 'excluded';
  /** The section or, without sections, the site space that opens at the root. */
  readonly defaultSection: string | null;
  readonly defaultSiteSpace: string | null;
  readonly siteSpaces: number;
  readonly adaptiveSchema?: { readonly jsonSchema: unknown; readonly updatedAt: string };
}
export const sites = table<SiteRow>()('sites', {
  byOrganization: { on: ['organization'] },
  byBasename: { on: ['organization', 'basename'], unique: true },
});

/** A space as it is shown in a site: at the root, or as a variant of a section. */
export interface SiteSpaceRow {
  readonly id: string;
  readonly organization: string;
  readonly site: string;
  /** Null: at the root of a site without sections. */
  readonly section: string | null;
  readonly space: string;
  readonly path: string;
  /** Absent: the title of the space. */
  readonly title?: string;
  readonly condition?: string;
  readonly hidden: boolean;
  /** Fractional place among the site spaces of its section or root. */
  readonly position: string;
  readonly createdAt: string;
}
export const siteSpaces = table<SiteSpaceRow>()('site_spaces', {
  bySpace: { on: ['space'] },
  bySite: { on: ['site'], by: ['section', 'position'] },
  bySection: { on: ['site', 'section'], by: ['position'] },
  byPath: { on: ['site', 'section', 'path'] },
  bySectionSpace: { on: ['site', 'section', 'space'] },
});

export interface SiteSectionRow {
  readonly id: string;
  readonly organization: string;
  readonly site: string;
  /** The group it is in; null at the root. */
  readonly parent: string | null;
  readonly title: string;
  readonly icon?: string;
  readonly description?: string;
  readonly path: string;
  readonly condition?: string;
  readonly defaultSiteSpace: string;
  /** Fractional place among the sections and groups of its level. */
  readonly position: string;
  readonly createdAt: string;
}
export const siteSections = table<SiteSectionRow>()('site_sections', {
  bySite: { on: ['site'], by: ['parent', 'position'] },
  byParent: { on: ['site', 'parent'], by: ['position'] },
  byPath: { on: ['site', 'path'], unique: true },
});

export interface SiteSectionGroupRow {
  readonly id: string;
  readonly organization: string;
  readonly site: string;
  readonly parent: string | null;
  readonly title: string;
  readonly icon?: string;
  readonly position: string;
  readonly createdAt: string;
}
export const siteSectionGroups = table<SiteSectionGroupRow>()('site_section_groups', {
  bySite: { on: ['site'], by: ['parent', 'position'] },
  byParent: { on: ['site', 'parent'], by: ['position'] },
});

/** What the backend of a site signs visitor tokens with. Its id is that of the site. */
export interface VisitorKeyRow {
  readonly id: string;
  /** Readable, since signatures are made with it again. */
  readonly key: string;
  readonly createdAt: string;
}
export const visitorKeys = table<VisitorKeyRow>()('visitor_keys', {});

export interface ShareLinkRow {
  readonly id: string;
  readonly organization: string;
  readonly site: string;
  readonly name: string;
  readonly active: boolean;
  /** Readable, since the link is shown again to those who administer the site. */
  readonly key: string;
  /** Keys are looked up by their hash, so that the time it takes says nothing about them. */
  readonly hash: string;
  readonly createdAt: string;
}
export const shareLinks = table<ShareLinkRow>()('share_links', {
  bySite: { on: ['site'], by: ['createdAt'] },
  byHash: { on: ['site', 'hash'], unique: true },
});
