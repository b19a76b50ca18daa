import { dirname } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import type { ManifestState } from '../../manifest/manifest-state.ts';
import { readState } from '../../manifest/state-file.ts';
import type { Survey } from '../../manifest/survey.ts';
import { verifyPlan } from '../../manifest/verify-plan.ts';
import { MovedCollector } from '../manifest/collect-moved.ts';
import { runPlan } from '../manifest/run-plan.ts';
import {
  openTarget,
  planTarget,
  refuseOtherOrganization,
  targetAt,
  withLockedState,
} from '../manifest/target.ts';
import {
  addAllowOption,
  addLiveOptions,
  addSelectionOptions,
  type LiveOptions,
} from '../manifest/options.ts';
import { planJobs, selectJobs } from '../manifest/plan-jobs.ts';
import { noteTarget } from '../manifest/note-target.ts';
import { planLinks } from '../manifest/plan-links.ts';
import { withOwnSource, withSourceInHints } from '../manifest/source-in-hints.ts';
import { printPlan } from '../manifest/print-plan.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import { findPlanState, readSavedPlan } from '../manifest/saved-plan-file.ts';
import { prepareJobs } from '../manifest/run-jobs.ts';
import { kindsWithContent } from '../manifest/content-kinds.ts';
import type { WaitingContent } from '../../content-sync/manifest-content.ts';
import { withStep } from '../output/progress.ts';
import type { Session } from '../session/session.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';

export const help: CommandHelp = {
  description: `
Shows the plan, asks for confirmation (unless you give --yes), and changes the organization to match the manifest. If
a step fails, only the steps that depend on it are skipped (exit 3). After an interruption (exit 130), run the command
again to continue. A saved plan is applied exactly as it was shown, or refused if a resource of the manifest, or a
folder that the plan imports, has changed since (exit 6). The options -f, --var, --prune, --max-deletes, --only and
--exclude are part of a saved plan, and cannot be given with it.

If merge rules require an approval, the content becomes a change request, and the step gets the status "waiting". This
is not a failure. The first apply after the approval merges the change request.

On a terminal, a table of the results is printed at the end. Otherwise, each row is printed when its step ends.

Protected resources (\`protect: true\`) are never deleted. With --prune, they are skipped and listed at the end (exit 9).
All other steps run.

If sections, spaces or pages of published sites move, the output lists the redirects that their old paths need. With
--redirects, these redirects are created after the last step, except on sites that have \`redirects:\` in the
manifest. For these sites, add the redirects to the manifest.

Imports of conversations run after all other steps, and send only what is new in the files. Records that are not
accepted are failures (exit 3). They are written to the file that the field \`rejects\`
of the import names.
`,
  examples: [
    'docsctl apply -f docsctl.yaml --yes',
    'docsctl apply --prune --yes',
    'docsctl apply --allow create,update --fail-fast --yes',
    'docsctl plan --out plan.json && docsctl apply plan.json --yes',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  const described = command.argument(
    '[plan]',
    'file that `docsctl plan --out` has saved; without it, the manifest is applied',
  );
  addAllowOption(addSelectionOptions(addLiveOptions(described)))
    .option('--fail-fast', 'after the first failure, start no other step')
    .option('--redirects', 'on published sites, redirect old paths to the new ones')
    .option(
      '--detailed-exitcode',
      'exit with 2 if merge rules make content wait for an approval, and with 0 if not',
    )
    .action(
      inSession(
        withOwnSource(command, (session, plan: string | undefined) =>
          plan === undefined
            ? applyFiles(session, command.opts())
            : applySaved(session, plan, command.opts()),
        ),
      ),
    );
};

async function applyFiles(plainSession: Session, options: LiveOptions): Promise<void> {
  const moved = new MovedCollector(plainSession, options.redirects === true);
  const session = moved.watch();
  const manifest = await loadManifest(session, options);
  const target = await openTarget(session, manifest, options);
  await noteTarget(session, target);
  const { stateOptions } = target;
  let live: Survey['live'] | undefined;
  const plan = async (state: ManifestState) => ({
    document: await withStep(session, 'Comparing the manifest with the organization', () =>
      planTarget(session, manifest, target, state, options, (survey) => (live = survey.live)),
    ),
    found: planJobs(session, selectJobs(manifest.jobs, options), stateOptions, state),
  });
  if (session.flags.dryRun === true) {
    const { document, found } = await plan(readState(stateOptions));
    const planned = found.map((job) => job.planned);
    const links = await withStep(session, 'Looking for links that the apply would break', () =>
      planLinks(session, manifest, target, document),
    );
    await printPlan(session, withSourceInHints(session, document, options), { jobs: planned, links });
    return session.note('Dry run: nothing was sent.');
  }
  await withLockedState(target, async (handle) => {
    const { document, found } = await plan(handle.state);
    const { table, waiting, files } = manifest;
    await runPlan(
      session,
      {
        document: withSourceInHints(session, document, options),
        target,
        handle,
        live,
        jobs: prepareJobs(session, found, target, handle),
        table,
        waiting,
        files: files.map(({ name }) => name),
        moved,
      },
      options,
    );
  });
}

async function applySaved(plainSession: Session, plan: string, options: LiveOptions): Promise<void> {
  const moved = new MovedCollector(plainSession, options.redirects === true);
  const session = moved.watch();
  const { prune, maxDeletes, only, exclude, file, var: vars } = options;
  if (prune === true || [maxDeletes, only, exclude, file, vars].some((value) => value !== undefined))
    throw new Problem(
      'usage',
      'A saved plan cannot be combined with --file, --var, --prune, --max-deletes, --only or --exclude.',
      {
        hint: `Use them when you make the plan: \`docsctl plan --prune --out ${plan}\`.`,
      },
    );
  const document = await readSavedPlan(session, plan);
  await refuseOtherOrganization(session, document.organization, `The plan ${plan}`, {
    hint: 'Omit --org, or make a plan for that organization with `docsctl plan --out FILE`.',
  });
  const statePath = findPlanState(session, document, plan, options.state);
  const found = await targetAt(session, document.organization, statePath);
  const { api, stateOptions } = found;
  if (document.place !== api.place)
    throw new Problem('precondition-failed', `The plan is for ${document.place}, not for ${api.place}.`, {
      hint: 'Choose that store or server, or make a new plan.',
    });
  await noteTarget(session, found);
  const waiting: WaitingContent[] = [];
  const table = kindsWithContent(session, dirname(statePath), waiting);
  const { concurrency } = options;
  const { signal } = session.runtime;
  const verify = (state: ManifestState) => verifyPlan({ document, api, state, concurrency, signal, table });
  if (session.flags.dryRun === true) {
    await verify(readState(stateOptions));
    await printPlan(session, document);
    return session.note('Dry run: nothing was sent.');
  }
  await withLockedState(found, async (handle) => {
    const live = await verify(handle.state);
    await runPlan(
      session,
      { document, target: found, handle, live, table, waiting, files: [plan], moved },
      options,
    );
  });
}
