import { audited } from '../../core/audit/audited.ts';
import { sites } from '../../core/rows/sites.ts';
import { table } from '../../core/store.ts';

/** The key that the backend of a site signs visitor tokens with. Its id is the id of the site. */
export interface VisitorKeyRow {
  readonly id: string;
  /** Readable, because it also checks signatures. */
  readonly key: string;
  readonly createdAt: string;
  /** Where visitors without a valid token are sent. */
  readonly fallbackURL?: string;
  /** Where visitors sign out. */
  readonly logoutURL?: string;
}

export const visitorKeys = audited(table<VisitorKeyRow>()('visitor_keys', {}), {
  type: 'publishing-auth',
  fields: ['fallbackURL', 'logoutURL'],
  secrets: ['key'],
  describe: ({ id }) => ['of site ', { table: sites, id }],
  secondary: true,
});
