import { readState } from '../../manifest/state-file.ts';
import { isIdle, refuseUnsupported } from '../../manifest/plan-document.ts';
import { openTarget, planTarget } from '../manifest/target.ts';
import { addLiveOptions, takeMarkdownFormat, type LiveOptions } from '../manifest/options.ts';
import { planJobs } from '../manifest/plan-jobs.ts';
import { hasNew } from '../manifest/planned-job.ts';
import { printPlan } from '../manifest/print-plan.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import { checkPlanFile, savePlan, withStatePath } from '../manifest/saved-plan-file.ts';
import type { Session } from '../session.ts';
import { type DefineCommand, ExitCode } from '../composite-command.ts';
import type { CommandHelp } from '../command-help.ts';

interface Options extends LiveOptions {
  readonly out?: string;
}

export const help: CommandHelp = {
  description: `
Shows what \`docsctl apply\` would do, and changes nothing: + create, ~ update, = adopt, → move, - delete, ! cannot be
done here. Behind a field stands who moved since the last apply: the file, the live side, or both. -o json is the whole
plan; -o markdown is for a comment on a pull request. Jobs stand below, with what is new in their files; they count as
changes where something is new, and are no part of a saved plan.
`,
  examples: [
    'docsctl plan -f docsctl.yaml --detailed-exitcode',
    'docsctl plan -f org/ --prune --out plan.json && docsctl apply plan.json',
    'docsctl plan -o markdown > comment.md',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addLiveOptions(command)
    .option('--detailed-exitcode', 'exit 2 when there are changes, 0 when there are none')
    .option('--out <file>', 'save the plan there, for docsctl apply FILE')
    .action(() => {
      const asMarkdown = takeMarkdownFormat(command);
      return inSession((session) => plan(session, command.opts(), asMarkdown))();
    });
};

async function plan(session: Session, options: Options, asMarkdown: boolean): Promise<void> {
  const out = checkPlanFile(session, options.out);
  const manifest = await loadManifest(session, options);
  const target = await openTarget(session, manifest, options);
  const { stateOptions } = target;
  const state = readState(stateOptions);
  const planned = await planTarget(session, manifest, target, state, options);
  const document = withStatePath(planned, state, stateOptions.path, session.runtime.cwd);
  const jobs = planJobs(session, manifest.jobs, stateOptions, state).map((job) => job.planned);
  await printPlan(session, document, asMarkdown, jobs);
  if (out !== undefined) await savePlan(session, document, out);
  if (out !== undefined && jobs.some(hasNew))
    session.note('The jobs are no part of a saved plan: docsctl apply -f runs them.');
  refuseUnsupported(document, options.skipUnsupported);
  // Unsupported steps do not count: they were refused above, or are left out.
  if (options.detailedExitcode === true && (!isIdle(document) || jobs.some(hasNew))) throw new ExitCode(2);
}
