import { audited } from '../audit/audited.ts';
import { table } from '../store.ts';

/** A space in a site: at the root, or as a variant of a section. */
export interface SiteSpaceRow {
  readonly id: string;
  readonly organization: string;
  readonly site: string;
  /** Null at the root of a site without sections. */
  readonly section: string | null;
  readonly space: string;
  readonly path: string;
  /** Absent if the title of the space is used. */
  readonly title?: string;
  readonly condition?: string;
  readonly hidden: boolean;
  /** The settings of its appearance that differ from those of the site. */
  readonly customization?: {
    readonly settings: Readonly<Record<string, unknown>>;
    readonly updatedAt: string;
  };
  /** The fractional position among the site spaces of its section or root. */
  readonly position: string;
  readonly createdAt: string;
}

export const siteSpaces = audited(
  table<SiteSpaceRow>()('site_spaces', {
    bySpace: { on: ['space'] },
    bySite: { on: ['site'], by: ['section', 'position'] },
    bySection: { on: ['site', 'section'], by: ['position'] },
    byPath: { on: ['site', 'section', 'path'] },
    bySectionSpace: { on: ['site', 'section', 'space'] },
  }),
  {
    type: 'site-space',
    label: 'path',
    fields: ['site', 'section', 'space', 'path', 'title', 'condition', 'hidden', 'position'],
    sizes: ['customization'],
  },
);
