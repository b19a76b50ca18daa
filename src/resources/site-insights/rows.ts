import { table } from '../../core/store.ts';
import type { EventType } from './declarations.ts';

/** An action of a visitor on a site, with the stored data about the visitor. Absent fields are unknown. */
export interface SiteEventRow {
  readonly id: string;
  readonly site: string;
  readonly at: string;
  readonly type: EventType;
  /** Digests of the IDs of the visitor and the session. They differ between sites. */
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
  /** The claims that the adaptive schema declares. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly isAuthenticated: boolean;
  /** The fields that depend on the type of the event. */
  readonly detail?: EventDetail;
}

/** The fields of an event that only some types have. Private data in texts is replaced by its kind. */
export interface EventDetail {
  readonly query?: string;
  readonly record?: string;
  readonly feedback?: string;
  readonly comment?: string;
  readonly rating?: number;
  /** The ID of the rated answer. */
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

/** Not audited, because events are actions of visitors, not changes of the organization. */
export const siteEvents = {
  ...table<SiteEventRow>()('site_events', { bySite: { on: ['site'], by: ['at'] } }),
  keepsStamp: true,
};
