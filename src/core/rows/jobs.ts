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
  /** The lane of a job that is due and not claimed. Absent until a claim finds that its time has come. */
  readonly ready?: Lane | undefined;
  /** The lane of a job that a process has claimed. */
  readonly running?: Lane | undefined;
  /** The claim of the process that runs the job; null if none does. */
  readonly owner: string | null;
  /** For how many milliseconds other processes have watched a claim that ends at `until`. Void once the claim is extended. */
  readonly watched?: { readonly until: string; readonly time: number } | undefined;
  /** The number of failed attempts. */
  readonly attempts: number;
  /** Whether the job was requested again while it was running. */
  readonly again: boolean;
  readonly payload?: unknown;
  /** Why the last attempt failed. */
  readonly problem?: { readonly reason: Reason; readonly message: string; readonly at: string } | undefined;
  readonly createdAt: string;
  /** ISO time since which each run has found the store busy. */
  readonly busySince?: string | undefined;
}

const declared = table<JobRow>()('jobs', {
  byDue: { on: ['queue'], by: ['dueAt'], small: true },
  // With `ready` null: jobs that are not due yet, and claimed jobs.
  byReadiness: { on: ['queue', 'ready'], by: ['dueAt'], small: true },
  byTurn: { on: ['ready'], by: ['organization', 'dueAt'], small: true },
  byRunning: { on: ['running'], by: ['organization'], small: true },
  byOrganization: { on: ['organization'], by: ['createdAt'], small: true },
});

export const jobs = audited({ ...declared, keepsStamp: true }, 'request');

/** Jobs that wait for other services have a separate lane, so that they do not delay other jobs. */
export type Lane = 'work' | 'network';
export const lanes = ['work', 'network'] as const;

/** The kinds of jobs that mostly wait for other services. */
const networkKinds: ReadonlySet<string> = new Set([
  'custom-hostname',
  'email-domain',
  'events',
  'git-sync',
  'openapi',
  'translation',
]);

/** Returns the lane of a kind of jobs. */
export function laneOf(kind: string): Lane {
  return networkKinds.has(kind) ? 'network' : 'work';
}

/** Returns the fields of an unclaimed job that may start at a time. */
export function unclaimed(
  kind: string,
  dueAt: string,
  now: string,
): Pick<JobRow, 'owner' | 'dueAt' | 'ready' | 'running'> {
  return { owner: null, dueAt, ready: dueAt <= now ? laneOf(kind) : undefined, running: undefined };
}

/** Returns the ID of a job. There is at most one job for a kind and subject. */
export function jobId(kind: string, subject: string): string {
  return `${kind}.${subject}`;
}
