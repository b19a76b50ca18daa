import type { Reason } from '../../errors/catalog.ts';
import { table } from '../store.ts';

/** Work outside of requests. The row is removed when the work is done. */
export interface JobRow {
  /** See jobId: of one kind there is one job for a subject. */
  readonly id: string;
  /** Names the engine that does it. */
  readonly kind: string;
  readonly organization: string;
  /** Id of the resource that it works on. */
  readonly subject: string;
  /** `failed`: all attempts failed; it runs again only when it is requested again. */
  readonly queue: 'open' | 'failed';
  /** When it may start; while it is claimed, when the claim ends. */
  readonly dueAt: string;
  /** The claim of the process that runs it. */
  readonly owner: string | null;
  /** Failed attempts. */
  readonly attempts: number;
  /** It was requested again while it was running. */
  readonly again: boolean;
  readonly payload?: unknown;
  /** How the last try failed. */
  readonly problem?: { readonly reason: Reason; readonly message: string; readonly at: string } | undefined;
  readonly createdAt: string;
}

export const jobs = table<JobRow>()('jobs', {
  byDue: { on: ['queue'], by: ['dueAt'] },
  byOrganization: { on: ['organization'], by: ['createdAt'] },
});

export function jobId(kind: string, subject: string): string {
  return `${kind}.${subject}`;
}
