import { dirname } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import { readState } from '../../manifest/state-file.ts';
import { verifyPlan } from '../../manifest/verify-plan.ts';
import { carryOut } from '../manifest/carry-out.ts';
import { holdingLock, liveAt, openLive, planLive } from '../manifest/live.ts';
import { addLiveOptions, type LiveOptions } from '../manifest/options.ts';
import { planJobs } from '../manifest/plan-jobs.ts';
import { printPlan } from '../manifest/print-plan.ts';
import { readWanted } from '../manifest/read-wanted.ts';
import { keyedAs, lockPathIn, readSaved, rereadSecret } from '../manifest/saved.ts';
import { prepareJobs } from '../manifest/run-jobs.ts';
import { tableIn } from '../manifest/table.ts';
import type { Waiting } from '../../content-sync/manifest-content.ts';
import type { Session } from '../session.ts';
import type { DefineCommand } from '../composite-command.ts';

export const define: DefineCommand = (command, inSession) => {
  addLiveOptions(command.argument('[plan]', 'a plan that was saved with docsctl plan --out'))
    .option('--detailed-exitcode', 'exit 2 when content waits for approval, 0 when it does not')
    .addHelpText(
      'after',
      `
Brings the organization to what the manifest says: shows the plan, asks (-y does not), and does it. What fails takes with
it only what needs it (exit 3); what was interrupted (exit 130) goes on where it was when it is run again. A saved plan is
applied as it is, or refused when the live side has moved (exit 6); it has no jobs.

Content that the merge rules of its space let nobody merge alone is "waiting": it is sent, the change request is named, and
the first apply after the approval merges it. That is no failure: exit 0, or 2 with --detailed-exitcode.

A table tells what was done: on a terminal at the end, elsewhere row by row as each step ends.

Jobs of the manifest run when all its steps are done: what is new in their files is ingested, and the lock keeps how far
each file got. What is not taken is a failure (exit 3), and goes to the file that the job names as "rejects".

Examples:
  docsctl apply -f docsctl.yaml
  docsctl apply -f org/ --prune -y
  docsctl apply plan.json
`,
    )
    .action(
      inSession((session, plan: string | undefined) =>
        plan === undefined ? applyFiles(session, command.opts()) : applySaved(session, plan, command.opts()),
      ),
    );
};

async function applyFiles(session: Session, options: LiveOptions): Promise<void> {
  const reading = await readWanted(session, options);
  const live = await openLive(session, reading, options);
  if (session.flags.dryRun === true) {
    const lock = readState(live.lockOptions);
    const document = await planLive(session, reading, live, lock, options);
    await printPlan(
      session,
      document,
      false,
      planJobs(session, reading.jobs, live, lock).map(({ planned }) => planned),
    );
    return session.note('Dry run: nothing was sent.');
  }
  await holdingLock(live, async (held) => {
    const document = await planLive(session, reading, live, held.state, options);
    const jobs = prepareJobs(session, planJobs(session, reading.jobs, live, held.state), live, held);
    await carryOut(
      session,
      {
        document,
        live,
        held,
        jobs,
        table: reading.table,
        waiting: reading.waiting,
        secretOf: (from) => reading.desired.secrets.get(from),
        files: reading.files.map(({ name }) => name),
      },
      options,
    );
  });
}

async function applySaved(session: Session, plan: string, options: LiveOptions): Promise<void> {
  if (options.prune === true || options.maxDeletes !== undefined)
    throw new Problem(
      'usage',
      'A saved plan is applied as it is; --prune and --max-deletes belong to the plan.',
      { hint: `docsctl plan --prune --out ${plan}` },
    );
  const document = await readSaved(session, plan);
  const lockPath = lockPathIn(session, document, plan, options.lock);
  const found = await liveAt(session, document.organization, lockPath);
  const live = { ...found, lockOptions: keyedAs(document, found.lockOptions) };
  if (document.place !== live.api.place) {
    throw new Problem(
      'precondition-failed',
      `The plan was made for ${document.place}, and this is ${live.api.place}.`,
      { hint: 'Name that store or server, or make a new plan.' },
    );
  }
  const waiting: Waiting[] = [];
  const table = tableIn(session, dirname(lockPath), waiting);
  const { file, var: vars, jobs } = options;
  if (file === undefined && vars !== undefined)
    throw new Problem('usage', 'A saved plan takes no --var: its values are settled.');
  // With -f the secrets are those of the manifest; all else is settled.
  const secrets = file === undefined ? undefined : (await readWanted(session, options)).desired.secrets;
  const secretOf =
    secrets === undefined ? rereadSecret(session.runtime, lockPath) : (from: string) => secrets.get(from);
  if (session.flags.dryRun === true) {
    await verifyPlan({
      document,
      api: live.api,
      state: readState(live.lockOptions),
      concurrency: jobs,
      signal: session.runtime.signal,
      table,
    });
    await printPlan(session, document, false);
    return session.note('Dry run: nothing was sent.');
  }
  await holdingLock(live, async (held) => {
    await verifyPlan({
      document,
      api: live.api,
      state: held.state,
      concurrency: jobs,
      signal: session.runtime.signal,
      table,
    });
    await carryOut(session, { document, live, held, table, waiting, secretOf, files: [plan] }, options);
  });
}
