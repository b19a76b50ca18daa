import { listOf, ok, operation } from '../../contract/operation.ts';
import { closed, DateTime, Id, nullable, oneOf, Type } from '../../contract/schema.ts';

const State = oneOf(['waiting', 'running', 'failed']);
const Kind = Type.String({ minLength: 1, maxLength: 60 });

/** A job that waits, runs or has failed. Finished jobs are removed. Not in the published API. */
export const Job = closed({
  object: Type.Literal('job'),
  id: Id,
  kind: Kind,
  subject: Type.String({ description: 'Id of what it works on' }),
  state: State,
  attempts: Type.Integer({ minimum: 0, description: 'Tries that failed' }),
  dueAt: DateTime,
  problem: nullable(closed({ reason: Type.String(), message: Type.String(), at: DateTime })),
  createdAt: DateTime,
});

const columns = ['id', 'state', 'attempts', 'dueAt', 'problem.message'];

export const listJobs = operation({
  id: 'jobs.list',
  route: 'GET /orgs/:organizationId/jobs',
  summary: 'List work that waits, runs or failed, oldest first',
  access: 'org.admin',
  query: { kind: Type.Optional(Kind), state: Type.Optional(State) },
  returns: listOf(Job),
  cli: { columns, examples: ['docsctl jobs list --state failed'] },
});

export const getJob = operation({
  id: 'jobs.get',
  route: 'GET /orgs/:organizationId/jobs/:jobId',
  summary: 'Show one piece of work',
  access: 'org.admin',
  returns: ok(Job),
  cli: { columns },
});

export const retryJob = operation({
  id: 'jobs.retry',
  route: 'POST /orgs/:organizationId/jobs/:jobId/retry',
  summary: 'Have work tried again that failed, or that waits for its next try',
  access: 'org.admin',
  returns: ok(Job),
  cli: { columns },
});
