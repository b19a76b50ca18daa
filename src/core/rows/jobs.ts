import type { Reason } from '../../errors/catalog.ts';
import { audited } from '../audit/audited.ts';
import { table } from '../store.ts';

/** Work outside of requests. The row is removed when the work is done. */
export interface JobRow {
  /** See `jobId`. */
  readonly id: string;
  /** The kind, which names the engine. */
  readonly kind: string;
  readonly organization: string;
  /** The ID of the resource that the job works on. */
  readonly subject: string;
  /** `failed`: all attempts failed; it runs again only when it is requested again. */
  readonly queue: 'open' | 'failed';
  /** ISO time when the job may start. While a process has claimed it: when the claim ends. */
  readonly dueAt: string;
  /** The claim of the process that runs the job; null if none does. */
  readonly owner: string | null;
  /** The number of failed attempts. */
  readonly attempts: number;
  /** Whether the job was requested again while it was running. */
  readonly again: boolean;
  readonly payload?: unknown;
  /** Why the last attempt failed. */
  readonly problem?: { readonly reason: Reason; readonly message: string; readonly at: string } | undefined;
  readonly createdAt: string;
  /** ISO time since when the job found the store busy each time. */
  readonly busySince?: string | undefined;
}

const declared = table<JobRow>()('jobs', {
  byDue: { on: ['queue'], by: ['dueAt'] },
  byOrganization: { on: ['organization'], by: ['createdAt'] },
});

export const jobs = audited({ ...declared, keepsStamp: true }, 'request');

/** Returns the ID of a job. There is at most one job for a kind and subject. */
export function jobId(kind: string, subject: string): string {
  return `${kind}.${subject}`;
}
