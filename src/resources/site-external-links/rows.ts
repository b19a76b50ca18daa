import { audited } from '../../core/audit/audited.ts';
import { table } from '../../core/store.ts';
import { sectionLevelIndexes, type SectionLevelRow } from '../site-section-groups/rows.ts';

/** A link to another address among the sections and groups of a site. */
export interface SiteExternalLinkRow extends SectionLevelRow {
  readonly url: string;
  readonly description?: string;
  readonly condition?: string;
  /** Whether the link is hidden from visitors. */
  readonly draft: boolean;
}

export const siteExternalLinks = audited(
  table<SiteExternalLinkRow>()('site_external_links', sectionLevelIndexes),
  {
    type: 'site-external-link',
    label: 'title',
    fields: ['site', 'parent', 'title', 'icon', 'position', 'url', 'condition', 'draft'],
    sizes: ['description'],
  },
);
