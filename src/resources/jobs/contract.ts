import { listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, nullable, oneOf, optional, Type } from '../../contract/schema.ts';

export const nounHelp: NounHelp = {
  description:
    'Work that takes longer than one command is queued as a job. Jobs process specifications, translate spaces, analyze conversations, deliver events to integrations, synchronize spaces with git, index large imports, and remove deleted data for good. A server runs jobs automatically. On an embedded store, jobs wait until you run `docsctl jobs run`, or a command with --wait that needs them. Commands that change an embedded store also remove deleted data.\n\nIf a job fails, docsctl tries it again later. After several attempts, the job stays in the list with the state failed. Finished jobs are not listed.',
  examples: ['docsctl jobs list', 'docsctl jobs run', 'docsctl jobs list --state failed'],
};

/** The kinds of jobs. */
export const jobKinds = [
  'audit',
  'conversations',
  'custom-hostname',
  'email-domain',
  'events',
  'git-sync',
  'index',
  'openapi',
  'removal',
  'site-events',
  'translation',
] as const;

const State = oneOf(['waiting', 'running', 'failed'], { description: 'state of the job' });
const Kind = Type.String({
  minLength: 1,
  maxLength: 60,
  description: 'kind of work, such as openapi or translation',
});

/** A waiting, running or failed job. Finished jobs are removed. Not in the published API. */
export const Job = closed({
  object: Type.Literal('job'),
  id: Type.String({ description: 'kind and subject, such as openapi.spec_1' }),
  kind: Kind,
  subject: Type.String({ description: 'ID of the resource that the job works on' }),
  state: State,
  attempts: Type.Integer({ minimum: 0, description: 'number of failed attempts' }),
  dueAt: DateTime,
  problem: nullable(closed({ reason: Type.String(), message: Type.String(), at: DateTime })),
  createdAt: DateTime,
});

const columns = ['id', 'state', 'attempts', 'dueAt', 'problem.message'];

export const listJobs = operation({
  id: 'jobs.list',
  route: 'GET /orgs/:organizationId/jobs',
  summary: 'List the jobs of an organization that are waiting, running or failed',
  description:
    'The oldest jobs come first. Finished jobs are not listed. Jobs of the kind audit are left out until they are due, unless you give `kind` or `state`.\n\nThe names of most kinds say what their jobs work on. audit and site-events delete expired events, custom-hostname and email-domain check DNS records, index updates the search after a large change, and removal removes deleted data for good.',
  access: 'org.admin',
  query: optional({
    kind: oneOf(jobKinds, { description: 'list only jobs of this kind' }),
    state: { ...State, description: 'list only jobs in this state' },
  }),
  returns: listOf(Job),
  cli: {
    columns,
    examples: ['docsctl jobs list', 'docsctl jobs list --state failed', 'docsctl jobs list --kind openapi'],
  },
});

export const getJob = operation({
  id: 'jobs.get',
  route: 'GET /orgs/:organizationId/jobs/:jobId',
  summary: 'Show a job',
  description: 'Finished jobs are removed and can no longer be shown.',
  access: 'org.admin',
  returns: ok(Job),
  cli: {
    columns,
    examples: ['docsctl openapi replace billing --text @billing.yaml && docsctl jobs get openapi.spec_1'],
  },
});

export const retryJob = operation({
  id: 'jobs.retry',
  route: 'POST /orgs/:organizationId/jobs/:jobId/retry',
  summary: 'Queue a failed job again, or run a waiting one sooner',
  description:
    'The job is due immediately. A server starts it automatically. On an embedded store, run `docsctl jobs run` afterwards.',
  access: 'org.admin',
  returns: ok(Job),
  cli: {
    columns,
    examples: ['docsctl openapi replace billing --text @billing.yaml && docsctl jobs retry openapi.spec_1'],
  },
});

export const cancelJob = operation({
  id: 'jobs.cancel',
  route: 'POST /orgs/:organizationId/jobs/:jobId/cancel',
  summary: 'Cancel a waiting job',
  description:
    'Only jobs of the kinds conversations, git-sync and translation can be canceled. A running job cannot be canceled. If you cancel a git-sync job, the waiting synchronizations of the space end with an error. If you cancel a translation job, the translation waits until its source changes or you run `docsctl translations run`. If you cancel a conversations job, the conversations are analyzed together with the next ones that are ingested.',
  access: 'org.admin',
  returns: noContent(),
  cli: {
    examples: [
      'docsctl spaces git import Guide https://git.example.com/acme/docs.git --ref main && docsctl jobs cancel git-sync.spc_1',
    ],
  },
});

export const measureRemoval = operation({
  id: 'jobs.removal',
  route: 'GET /orgs/:organizationId/removal',
  summary: 'Show how much deleted data is not yet removed for good',
  description:
    'Counts the bytes of deleted spaces, and of content that is no longer used. On an embedded store, and for the person who operates a server, the number is for the whole store. Administrators of an organization see the number for its deleted spaces. Indexes, free space in the files of the store, and texts that other content still uses are not counted.',
  access: 'org.admin',
  returns: ok(
    closed({
      object: Type.Literal('removal'),
      scope: oneOf(['store', 'organization'], { description: 'what was measured' }),
      bytes: Type.Integer({ minimum: 0 }),
    }),
  ),
  cli: { columns: ['scope', 'bytes'], examples: ['docsctl jobs removal', 'docsctl jobs removal -o json'] },
});
