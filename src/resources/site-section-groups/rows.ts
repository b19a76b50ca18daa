import { table } from '../../core/store.ts';

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
