import type { Reason } from '../../errors/catalog.ts';
import { table } from '../store.ts';

/** Work that is done outside the transaction that asked for it; gone when it is done. */
export interface JobRow {
  /** See jobId: of one kind there is one job for a subject. */
  readonly id: string;
  /** Names the engine that does it. */
  readonly kind: string;
  readonly organization: string;
  /** Id of the resource that it works on. */
  readonly subject: string;
  /** `failed`: it was tried in vain, and waits for somebody to ask for it again. */
  readonly queue: 'open' | 'failed';
  /** When it may begin; while somebody works on it, when that claim ends. */
  readonly dueAt: string;
  /** Who works on it. */
  readonly owner: string | null;
  /** Tries that failed. */
  readonly attempts: number;
  /** It was asked for anew while somebody worked on it. */
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
