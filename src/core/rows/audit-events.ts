import type { ShownFields } from '../audit/show-values.ts';
import { table } from '../store.ts';

export interface AuditActor {
  readonly type: 'user' | 'integration' | 'installation' | 'system';
  readonly id: string;
  readonly label?: string;
}

export interface AuditTarget {
  readonly type: string;
  readonly id: string;
  readonly label?: string;
}

/** Where a change came from: a request over HTTP, a command on this machine, or a job. */
export type AuditOrigin =
  | {
      readonly kind: 'remote';
      readonly address: string;
      readonly userAgent?: string;
      /** The ID of the token. */
      readonly token?: string;
    }
  | { readonly kind: 'local'; readonly user?: string }
  | { readonly kind: 'job'; readonly job: string };

/** What happened to a resource, with the fields that differ. */
export interface AuditedChange {
  readonly change: 'created' | 'updated' | 'deleted';
  readonly before?: ShownFields;
  readonly after?: ShownFields;
}

export interface AuditPayload {
  /** What happened to the target; absent if the request only requested jobs. */
  readonly change?: AuditedChange['change'];
  readonly before?: ShownFields;
  readonly after?: ShownFields;
  /** Other resources that changed with it, the first 20. */
  readonly related?: readonly (AuditedChange & AuditTarget)[];
  /** The number of other resources that changed, if there are more than 20. */
  readonly relatedCount?: number;
  /** The numbers of rows that were added and removed, by type. */
  readonly counts?: Readonly<Record<string, { readonly added: number; readonly removed: number }>>;
  /** The number of requests, and the time of the last, if a series of requests is one event. */
  readonly requests?: number;
  readonly until?: string;
  readonly origin: AuditOrigin;
}

export interface AuditEventRow {
  /** A UUID. */
  readonly id: string;
  readonly organization: string;
  /** 1 for the first event of the organization, and one more for each. */
  readonly number: number;
  readonly occurredAt: string;
  readonly action: string;
  /** The ID of the actor. `who` has the other fields. */
  readonly actor: string;
  readonly who: AuditActor;
  /** The ID of the target. `what` has the other fields. */
  readonly target: string;
  readonly what: AuditTarget;
  readonly source: 'ui' | 'api' | 'integration' | 'workflow' | 'script';
  /** The ID of the request or of the run of a job. */
  readonly execution?: string;
  /** Shared by the events of one request or one command. A client over HTTP names it itself. */
  readonly correlation?: string;
  readonly payload: AuditPayload;
  /** The hash of the event before it; null for the first. */
  readonly previous: string | null;
  /** SHA-256 of `previous` and of everything above. */
  readonly hash: string;
}

const by = ['occurredAt', 'number'] as const;

export const auditEvents = table<AuditEventRow>()('audit_events', {
  byTime: { on: ['organization'], by },
  byAction: { on: ['organization', 'action'], by },
  byActor: { on: ['organization', 'actor'], by },
  byTarget: { on: ['organization', 'target'], by, small: true },
  byCorrelation: { on: ['organization', 'correlation'], by, small: true },
  byExecution: { on: ['organization', 'execution'], by, small: true },
});

/** The last event of an organization. The row stays when old events are removed, so that their numbers continue. */
export interface AuditHeadRow {
  /** The ID of the organization. */
  readonly id: string;
  readonly number: number;
  readonly hash: string;
  /** The ID of the last event. */
  readonly event: string;
  /** Whether a job will remove the events when they are old enough. */
  readonly scheduled: boolean;
}

export const auditHeads = table<AuditHeadRow>()('audit_heads', {});
