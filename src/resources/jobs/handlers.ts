import type { OutputOf } from '../../contract/operation.ts';
import { Problem } from '../../errors/problem.ts';
import { Deferred, type DeferringHandler, type Handler } from '../../core/handler.ts';
import { dequeue, enqueue } from '../../core/jobs.ts';
import { listPage } from '../../core/listing.ts';
import { jobs, type JobRow } from '../../core/rows/jobs.ts';
import type { ReadTransaction } from '../../core/store.ts';
import type * as contract from './contract.ts';

type Job = OutputOf<typeof contract.getJob>;

export const listJobs: Handler<typeof contract.listJobs> = ({ tx, organization, now }, { query }) => {
  const { kind, state } = query;
  // The removal of old audit events waits for months. It is listed only if it is due, or if the query asks for it.
  const keep = (job: JobRow) =>
    kind === undefined && state === undefined
      ? job.kind !== 'audit' || job.dueAt <= now || stateOf(job) !== 'waiting'
      : job.kind === (kind ?? job.kind) && stateOf(job) === (state ?? stateOf(job));
  return listPage(
    tx,
    { table: jobs, index: 'byOrganization', equals: [organization.id], filter: keep },
    query,
    shapeJob,
  );
};

export const getJob: Handler<typeof contract.getJob> = async ({ tx, organization }, { params }) =>
  shapeJob(await findJob(tx, organization.id, params.jobId));

export const retryJob: Handler<typeof contract.retryJob> = async ({ tx, organization, now }, { params }) => {
  const job = await findJob(tx, organization.id, params.jobId);
  if (job.owner !== null)
    throw new Problem('conflict', `The job ${job.id} is running.`, {
      hint: 'Wait until it ends, then try again.',
    });
  await enqueue(tx, now, { ...job, dueAt: now });
  return shapeJob(await findJob(tx, organization.id, params.jobId));
};

export const cancelJob: Handler<typeof contract.cancelJob> = async (
  { tx, organization, now },
  { params },
) => {
  const job = await findJob(tx, organization.id, params.jobId);
  const { cancelableKinds, cancelWork } = await import('./cancel-job.ts');
  if (!cancelableKinds.includes(job.kind))
    throw new Problem('conflict', `A job of the kind ${job.kind} cannot be canceled.`, {
      hint: `Only jobs of these kinds can be canceled: ${cancelableKinds.join(', ')}.`,
    });
  const state = stateOf(job);
  if (state !== 'waiting')
    throw new Problem('conflict', `The job ${job.id} ${state === 'failed' ? 'has failed' : 'is running'}.`, {
      hint:
        state === 'failed'
          ? `It does not run again unless you run \`docsctl jobs retry ${job.id}\`.`
          : 'A running job cannot be canceled. Wait until it ends.',
    });
  await cancelWork(tx, job, now);
  await dequeue(tx, job.kind, job.subject);
};

export const measureRemoval: DeferringHandler<typeof contract.measureRemoval> = async ({
  caller: { operator },
  organization,
}) => {
  const scope = operator ? 'store' : 'organization';
  return new Deferred(async ({ read, signal }) => {
    const { measureWaiting } = await import('../removal/measure-waiting.ts');
    const options = { organization: scope === 'store' ? undefined : organization.id, signal };
    return { object: 'removal', scope, bytes: await measureWaiting(read, options) };
  });
};

async function findJob(view: ReadTransaction, organization: string, id: string): Promise<JobRow> {
  const job = await view.get(jobs, id);
  if (job?.organization !== organization)
    throw new Problem('not-found', `There is no job "${id}".`, {
      hint: 'Finished jobs are removed. To see the others, run `docsctl jobs list`.',
    });
  return job;
}

function stateOf({ queue, owner }: JobRow): Job['state'] {
  return queue === 'failed' ? 'failed' : owner === null ? 'waiting' : 'running';
}

function shapeJob(job: JobRow): Job {
  const { id, kind, subject, attempts, dueAt, problem = null, createdAt } = job;
  return { object: 'job', id, kind, subject, state: stateOf(job), attempts, dueAt, problem, createdAt };
}
