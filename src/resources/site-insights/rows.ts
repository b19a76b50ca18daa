import { table } from '../../core/store.ts';
import type { EventType } from './declarations.ts';

/** What a visitor did on a site, with what is kept about the visitor. Absent fields are unknown. */
export interface SiteEventRow {
  readonly id: string;
  readonly site: string;
  readonly at: string;
  readonly type: EventType;
  /** Digests of the IDs of the visitor and the session, which differ between sites. */
  readonly visitor: string;
  readonly session: string;
  /** Without query and fragment. The key of a share link is replaced by the ID of the link. */
  readonly url: string;
  readonly section?: string;
  readonly siteSpace?: string;
  readonly shareLink?: string;
  readonly space?: string;
  readonly page?: string;
  readonly context: string;
  readonly browser: string;
  readonly device: string;
  readonly os: string;
  readonly bot?: string;
  readonly language?: string;
  readonly referrer?: string;
  readonly utm?: Readonly<Record<string, string>>;
  /** Those that the adaptive schema declares. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly isAuthenticated: boolean;
  /** What is special to the type of the event. */
  readonly detail?: EventDetail;
}

/** The fields of an event that only some types have. Private data in texts is replaced by its kind. */
export interface EventDetail {
  readonly query?: string;
  readonly record?: string;
  readonly feedback?: string;
  readonly comment?: string;
  readonly rating?: number;
  /** The ID of the answer that was rated. */
  readonly response?: string;
  readonly target?: Readonly<Record<string, string>>;
  readonly position?: string;
  readonly path?: string;
  readonly method?: string;
  readonly adDomain?: string;
  readonly adPlacement?: string;
  readonly trademark?: string;
  readonly llms?: string;
  readonly markdown?: string;
}

/** No audit event shows them: they are what visitors do, not changes of the organization. */
export const siteEvents = {
  ...table<SiteEventRow>()('site_events', { bySite: { on: ['site'], by: ['at'] } }),
  keepsStamp: true,
};
