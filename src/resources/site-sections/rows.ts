import { table } from '../../core/store.ts';

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
