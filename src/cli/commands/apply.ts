import { dirname } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import type { ManifestState } from '../../manifest/manifest-state.ts';
import { readState } from '../../manifest/state-file.ts';
import { verifyPlan } from '../../manifest/verify-plan.ts';
import { runPlan } from '../manifest/run-plan.ts';
import { withLockedState, targetAt, openTarget, planTarget } from '../manifest/target.ts';
import { addLiveOptions, type LiveOptions } from '../manifest/options.ts';
import { planJobs } from '../manifest/plan-jobs.ts';
import { printPlan } from '../manifest/print-plan.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import {
  withPlanKey,
  findPlanState,
  readSavedPlan,
  createSecretReader,
} from '../manifest/saved-plan-file.ts';
import { prepareJobs } from '../manifest/run-jobs.ts';
import { kindsWithContent } from '../manifest/content-kinds.ts';
import type { WaitingContent } from '../../content-sync/manifest-content.ts';
import type { Session } from '../session.ts';
import type { DefineCommand } from '../composite-command.ts';
import type { CommandHelp } from '../command-help.ts';

export const help: CommandHelp = {
  description: `
Brings the organization to what the manifest says: shows the plan, asks (-y does not), and does it. What fails takes with
it only what needs it (exit 3); what was interrupted (exit 130) goes on where it was when it is run again. A saved plan is
applied as it is, or refused when the live side has moved (exit 6); it has no jobs.

Content that the merge rules of its space let nobody merge alone is "waiting": it is sent, the change request is named, and
the first apply after the approval merges it. That is no failure: exit 0, or 2 with --detailed-exitcode.

A table tells what was done: on a terminal at the end, elsewhere row by row as each step ends.

Jobs of the manifest run when all its steps are done: what is new in their files is ingested, and the lock keeps how far
each file got. What is not taken is a failure (exit 3), and goes to the file that the job names as "rejects".
`,
  examples: ['docsctl apply -f docsctl.yaml', 'docsctl apply -f org/ --prune -y', 'docsctl apply plan.json'],
};

export const define: DefineCommand = (command, inSession) => {
  addLiveOptions(command.argument('[plan]', 'a plan that was saved with docsctl plan --out'))
    .option('--detailed-exitcode', 'exit 2 when content waits for approval, 0 when it does not')
    .action(
      inSession((session, plan: string | undefined) =>
        plan === undefined ? applyFiles(session, command.opts()) : applySaved(session, plan, command.opts()),
      ),
    );
};

async function applyFiles(session: Session, options: LiveOptions): Promise<void> {
  const manifest = await loadManifest(session, options);
  const target = await openTarget(session, manifest, options);
  const { stateOptions } = target;
  const plan = async (state: ManifestState) => ({
    document: await planTarget(session, manifest, target, state, options),
    found: planJobs(session, manifest.jobs, stateOptions, state),
  });
  if (session.flags.dryRun === true) {
    const { document, found } = await plan(readState(stateOptions));
    const planned = found.map((job) => job.planned);
    await printPlan(session, document, false, planned);
    return session.note('Dry run: nothing was sent.');
  }
  await withLockedState(target, async (handle) => {
    const { document, found } = await plan(handle.state);
    const { table, waiting, desired, files } = manifest;
    await runPlan(
      session,
      {
        document,
        target,
        handle,
        jobs: prepareJobs(session, found, target, handle),
        table,
        waiting,
        secretOf: (from) => desired.secrets.get(from),
        files: files.map(({ name }) => name),
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
  const document = await readSavedPlan(session, plan);
  const statePath = findPlanState(session, document, plan, options.lock);
  const found = await targetAt(session, document.organization, statePath);
  const { api } = found;
  const stateOptions = withPlanKey(document, found.stateOptions);
  if (document.place !== api.place)
    throw new Problem(
      'precondition-failed',
      `The plan was made for ${document.place}, and this is ${api.place}.`,
      { hint: 'Name that store or server, or make a new plan.' },
    );
  const waiting: WaitingContent[] = [];
  const table = kindsWithContent(session, dirname(statePath), waiting);
  const { file, var: vars, jobs } = options;
  if (file === undefined && vars !== undefined)
    throw new Problem('usage', 'A saved plan takes no --var: its values are settled.');
  // With -f the secrets are read from the manifest; everything else is settled by the plan.
  const secrets = file === undefined ? undefined : (await loadManifest(session, options)).desired.secrets;
  const secretOf =
    secrets === undefined
      ? createSecretReader(session.runtime, statePath)
      : (from: string) => secrets.get(from);
  const { signal } = session.runtime;
  const verify = (state: ManifestState): Promise<unknown> =>
    verifyPlan({ document, api, state, concurrency: jobs, signal, table });
  if (session.flags.dryRun === true) {
    await verify(readState(stateOptions));
    await printPlan(session, document, false);
    return session.note('Dry run: nothing was sent.');
  }
  const target = { ...found, stateOptions };
  await withLockedState(target, async (handle) => {
    await verify(handle.state);
    await runPlan(session, { document, target, handle, table, waiting, secretOf, files: [plan] }, options);
  });
}
