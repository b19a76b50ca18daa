import { Option } from 'commander';
import { plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { jobKinds } from '../../../resources/jobs/contract.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { resolveOrganization } from '../../names/names.ts';
import { wantsTable, type Session } from '../../session/session.ts';
import { refuseIds } from '../../output/id.ts';
import { runJobs } from '../../session/wait.ts';

interface Options {
  readonly kind?: string;
  readonly allOrgs?: boolean;
}

export const help: CommandHelp = {
  description: `
Runs the jobs of an embedded store that are due, one after another, and exits. A server runs its jobs automatically,
so use this command only for a store without a server.

If another process has claimed a job, the command watches the claim. If the process was killed, it does not renew its claim, and
the command takes over the job after at most a minute.

If a job fails because of another service, for example a timeout, it is queued again for later. \`docsctl jobs list --help\`
explains the kinds of jobs.

\`--kind removal\` removes deleted data for good: spaces that were deleted more than 7 days ago, content that nothing
refers to, and the traces of both in the files of the store. This job runs even if it is not due yet, and rewrites the
whole file of a SQLite store. Other processes cannot write while it runs.

With \`-o json\`, the command prints how many jobs are \`done\`, \`failed\`, \`retried\` (queued again) and \`held\` (by another
process). It also prints the \`errors\`: mistakes in specifications, failed synchronizations with git, and events that docsctl
stopped trying to deliver to integrations.
`,
  examples: [
    'docsctl jobs run',
    'docsctl jobs run -o json',
    'docsctl jobs run --kind openapi',
    'docsctl jobs run --kind removal',
    'docsctl jobs run --all-orgs',
  ],
  exitCodes: {
    3: 'Some jobs failed, or found errors in what they processed, such as a specification.',
    69: 'Some jobs are running in another process and are not done yet, or the store is not available.',
  },
  noDryRun: 'To see the queued jobs, run `docsctl jobs list`.',
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addOption(
      new Option('--kind <kind>', 'run only jobs of this kind (default: all kinds)').choices(jobKinds),
    )
    .option(
      '--all-orgs',
      'run the jobs of every organization in the store (default: only those of one organization)',
    )
    .action(inSession(runDueJobs));
};

async function runDueJobs(session: Session, { kind, allOrgs }: Options): Promise<void> {
  refuseIds(session);
  const api = await session.api();
  if (api.work === undefined)
    throw new Problem('usage', `The server ${api.place} runs its jobs automatically.`, {
      hint: 'To see the jobs that are waiting, run `docsctl jobs list`.',
    });
  const organization = allOrgs === true ? undefined : await resolveOrganization(session);
  const { done, failed, later, troubles, held } = await runJobs(session, {
    kind,
    organization,
    isRequested: kind === 'removal',
  });
  if (!wantsTable(session))
    await session.print({ done, failed, retried: later, held, errors: troubles }, { noun: 'jobs' });
  troubles.forEach(session.note);
  const counts = `${done} done, ${failed} failed, ${later} queued again for later.`;
  const verdict = held === 0 ? counts : `${counts} ${describeHeld(held)}`;
  if (failed > 0)
    throw new Problem('partly-failed', `${plural(failed, 'job')} failed. ${verdict}`, {
      hint: 'To see why, run `docsctl jobs list --state failed`.',
    });
  if (troubles.length > 0)
    throw new Problem('partly-failed', `${plural(troubles.length, 'job')} ended with errors. ${verdict}`, {
      hint: 'Fix the errors named above. `docsctl openapi list` shows those of specifications, `docsctl spaces git runs SPACE` those of synchronizations, and `docsctl integrations events list NAME` those of events.',
    });
  // Nothing failed, but not everything is done, like after a --wait that timed out.
  if (held > 0)
    throw new Problem('timed-out', verdict, {
      hint: 'To see them, run `docsctl jobs list --state running`.',
    });
  session.note(verdict);
}

function describeHeld(held: number): string {
  return held === 1
    ? '1 job is running in another process; run this command again later.'
    : `${held} jobs are running in other processes; run this command again later.`;
}
