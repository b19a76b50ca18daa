import { audited } from '../../core/audit/audited.ts';
import { table } from '../../core/store.ts';

export type RedirectDestination =
  | { readonly kind: 'site-section'; readonly siteSectionId: string }
  | { readonly kind: 'site-space'; readonly siteSpaceId: string }
  | { readonly kind: 'site-page'; readonly siteSpaceId: string; readonly pageId: string }
  | { readonly kind: 'external'; readonly url: string };

export interface SiteRedirectRow {
  readonly id: string;
  readonly organization: string;
  readonly site: string;
  /** Only live redirects apply to visitors. */
  readonly state: 'live' | 'draft';
  /** The source as written in the request. */
  readonly source: string;
  /** The source in normalized form, in which paths are compared. For a wildcard, it includes the star. */
  readonly key: string;
  /** The key of a wildcard without its star; absent for other redirects. */
  readonly prefix?: string;
  readonly captureWildcard: boolean;
  readonly permanent: boolean;
  readonly destination: RedirectDestination;
  readonly createdAt: string;
  readonly updatedAt?: string;
  /** `updatedAt`, or else `createdAt`. */
  readonly changedAt: string;
}

export const siteRedirects = audited(
  table<SiteRedirectRow>()('site_redirects', {
    bySite: { on: ['site'] },
    byKey: { on: ['site', 'state', 'key'], unique: true },
    byPrefix: { on: ['site', 'state'], by: ['prefix'] },
    byCreated: { on: ['site', 'state'], by: ['createdAt'] },
    byChanged: { on: ['site', 'state'], by: ['changedAt'] },
    bySource: { on: ['site', 'state'], by: ['source'] },
  }),
  {
    type: 'site-redirect',
    label: 'source',
    fields: ['site', 'state', 'source', 'captureWildcard', 'permanent', 'destination'],
  },
);
