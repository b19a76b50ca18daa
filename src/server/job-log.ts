import { defined } from '../contract/values.ts';
import type { WorkEvent } from '../contract/api.ts';
import type { ClaimedJob } from '../core/workers.ts';
import type { Log } from './log.ts';

/** Logs that a worker has claimed a job. */
export function logClaim(log: Log, job: ClaimedJob): void {
  log.write('info', { event: 'job', ...namesOf(job), state: 'claimed' });
}

/** Logs how a job ended, how many milliseconds it took, and why it failed. */
export function logJobEnd(log: Log, job: ClaimedJob, { end, problem, trouble }: WorkEvent): void {
  log.write(end === 'failed' ? 'error' : end === 'later' || trouble !== undefined ? 'warn' : 'info', {
    event: 'job',
    ...namesOf(job),
    state: end,
    ms: Math.round(performance.now() - job.claimedAt),
    ...(problem === undefined ? {} : { reason: problem.reason, message: problem.message }),
    ...defined({ message: trouble }),
  });
}

function namesOf({ kind, subject, organization }: ClaimedJob) {
  return { kind, subject, organization: organization === '' ? null : organization };
}
