import type { siteVisibilities } from '../../contract/shapes.ts';
import { audited } from '../audit/audited.ts';
import { table } from '../store.ts';

export interface SiteRow {
  readonly id: string;
  readonly organization: string;
  readonly type: string;
  readonly title: string;
  readonly basename?: string;
  readonly hostname?: string | undefined;
  /** No DNS check has found yet that the hostname leads to this server. */
  readonly isHostnamePending?: boolean;
  readonly proxy: string | null;
  readonly visibility: (typeof siteVisibilities)[number];
  readonly published: boolean;
  readonly createdAt: string;
  readonly adaptiveContent: boolean;
  readonly agentsContext: 'included' | 'excluded';
  /**
   * The section that opens at the root of the site, or the site space in `defaultSiteSpace` if there are no sections.
   */
  readonly defaultSection: string | null;
  readonly defaultSiteSpace: string | null;
  readonly siteSpaces: number;
  /** The settings of its appearance that differ from the defaults. */
  readonly customization?: { readonly settings: unknown; readonly updatedAt: string };
  readonly adaptiveSchema?: { readonly jsonSchema: unknown; readonly updatedAt: string };
}
export const sites = audited(
  table<SiteRow>()('sites', {
    byOrganization: { on: ['organization'] },
    byBasename: { on: ['organization', 'basename'], unique: true },
  }),
  {
    type: 'site',
    label: 'title',
    fields: [
      'organization',
      'type',
      'title',
      'basename',
      'hostname',
      'proxy',
      'visibility',
      'published',
      'adaptiveContent',
      'agentsContext',
      'defaultSection',
      'defaultSiteSpace',
    ],
    sizes: ['adaptiveSchema', 'customization'],
  },
);
