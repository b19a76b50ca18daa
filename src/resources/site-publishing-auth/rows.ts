import { table } from '../../core/store.ts';

/** What the backend of a site signs visitor tokens with. Its id is that of the site. */
export interface VisitorKeyRow {
  readonly id: string;
  /** Readable, since signatures are made with it again. */
  readonly key: string;
  readonly createdAt: string;
}

export const visitorKeys = table<VisitorKeyRow>()('visitor_keys', {});
