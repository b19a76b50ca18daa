import { audited } from '../../core/audit/audited.ts';
import { table } from '../../core/store.ts';
import { sectionLevelIndexes, type SectionLevelRow } from '../site-section-groups/rows.ts';

export interface SiteSectionRow extends SectionLevelRow {
  readonly description?: string;
  readonly path: string;
  readonly condition?: string;
  readonly defaultSiteSpace: string;
}

export const siteSections = audited(
  table<SiteSectionRow>()('site_sections', {
    ...sectionLevelIndexes,
    byPath: { on: ['site', 'path'], unique: true },
  }),
  {
    type: 'site-section',
    label: 'title',
    fields: ['site', 'parent', 'title', 'icon', 'position', 'path', 'condition', 'defaultSiteSpace'],
    sizes: ['description'],
  },
);
