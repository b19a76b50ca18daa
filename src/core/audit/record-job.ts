import type { JobRow } from '../rows/jobs.ts';
import type { WriteTransaction } from '../store.ts';
import { actionOfJob } from './actions.ts';
import { recordChanges, type AuditContext } from './record-changes.ts';

/** Runs a write of a job, and records what it changes as an event. */
export function recordJob<T>(
  tx: WriteTransaction,
  { id, kind, organization, subject, owner }: JobRow,
  now: () => string,
  work: (tx: WriteTransaction) => Promise<T>,
  onRequest: () => void,
): Promise<T> {
  const describe = (): AuditContext => ({
    action: actionOfJob(kind),
    actor: { type: 'system', id: 'docsctl', label: 'docsctl' },
    source: 'workflow',
    origin: { kind: 'job', job: id },
    execution: owner ?? undefined,
    correlation: owner ?? undefined,
    now: now(),
    organization,
    targetIds: [subject],
  });
  return recordChanges(tx, work, describe, { isJob: true, onRequest });
}
