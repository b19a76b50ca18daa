import { audited } from '../../core/audit/audited.ts';
import { table } from '../../core/store.ts';

/**
 * The common fields of sections and section groups. Both are ordered together on one level: in a group, or at the root of a site.
 */
export interface SectionLevelRow {
  readonly id: string;
  readonly organization: string;
  readonly site: string;
  /** The group that contains the item; null at the root. */
  readonly parent: string | null;
  readonly title: string;
  readonly icon?: string;
  /** The fractional position on its level. */
  readonly position: string;
  readonly createdAt: string;
}

export const sectionLevelIndexes = {
  bySite: { on: ['site'], by: ['parent', 'position'] },
  byParent: { on: ['site', 'parent'], by: ['position'] },
} as const;

export type SiteSectionGroupRow = SectionLevelRow;

export const siteSectionGroups = audited(
  table<SiteSectionGroupRow>()('site_section_groups', sectionLevelIndexes),
  { type: 'site-section-group', label: 'title', fields: ['site', 'parent', 'title', 'icon', 'position'] },
);
