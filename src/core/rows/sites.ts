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
