import { audited } from '../../core/audit/audited.ts';
import { sites } from '../../core/rows/sites.ts';
import { table } from '../../core/store.ts';

/** The key with which the backend of a site signs visitor tokens. Its id is the id of the site. */
export interface VisitorKeyRow {
  readonly id: string;
  /** Stored as plain text, because it is also needed to verify signatures. */
  readonly key: string;
  readonly createdAt: string;
  /** The URL to which visitors without a valid token are redirected. */
  readonly fallbackURL?: string;
  /** The URL at which visitors sign out. */
  readonly logoutURL?: string;
}

export const visitorKeys = audited(table<VisitorKeyRow>()('visitor_keys', {}), {
  type: 'publishing-auth',
  fields: ['fallbackURL', 'logoutURL'],
  secrets: ['key'],
  describe: ({ id }) => ['visitor authentication of site ', { table: sites, id }],
  secondary: true,
});
