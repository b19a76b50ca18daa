import {
  addFormatOption,
  annotateErrors,
  annotateViolations,
  type FormatOptions,
} from '../manifest/annotate.ts';
import { readState } from '../../manifest/state-file.ts';
import { isIdle, refuseUnsupported } from '../../manifest/plan-document.ts';
import { guardActions } from '../../manifest/guard-actions.ts';
import { refuseProtected } from '../manifest/protected.ts';
import { openTarget, planTarget } from '../manifest/target.ts';
import {
  addAllowOption,
  addLiveOptions,
  addSelectionOptions,
  takeMarkdownFormat,
  type LiveOptions,
} from '../manifest/options.ts';
import { planJobs, selectJobs } from '../manifest/plan-jobs.ts';
import { hasNew } from '../manifest/planned-job.ts';
import { planLinks } from '../manifest/plan-links.ts';
import { withOwnSource, withSourceInHints } from '../manifest/source-in-hints.ts';
import { noteTarget } from '../manifest/note-target.ts';
import { printPlan } from '../manifest/print-plan.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import { checkPlanFile, savePlan, withStatePath } from '../manifest/saved-plan-file.ts';
import { withStep } from '../output/progress.ts';
import type { Session } from '../session/session.ts';
import { ExitCode, type CommandHelp, type DefineCommand } from '../composite-command.ts';
import { brokenLinkViolations } from './spaces/link-place.ts';

interface Options extends LiveOptions, FormatOptions {
  readonly out?: string;
}

export const help: CommandHelp = {
  columns: ['action', 'ref', 'name', 'kind', 'id', 'fields', 'at', 'calls'],
  description: `
Compares a manifest with the organization and shows what \`docsctl apply\` would do. It changes nothing. The signs mean:
+ create, ~ update, = adopt an existing resource, → move, - delete, ! not possible on this store or server, or with your role.

With --only and --exclude, the plan is limited to some resources. If a selected resource needs a new resource that
is not selected, the command fails and names the new resource. A limited plan contains the content of the selected spaces, but not the conversations under \`imports:\`.

Below the plan, the output lists the links that the plan would break, with their page, line and reason. This includes
links from other spaces and links to published sites. Next, the output lists the redirects that would lead nowhere, for
example because the plan deletes their section, and last the redirects that old paths of published sites would need.
\`docsctl apply --redirects\` creates the redirects that are needed.

A note marks each field whose value in the organization has changed since the last apply. If the manifest imports
conversations, the plan also says how much is new in the files of these imports.

\`-o json\` prints the whole plan, and \`-o markdown\` prints a comment for a pull request. --out saves a plan that
\`docsctl apply FILE\` applies exactly as it was shown. A saved plan leaves out the conversations under \`imports:\`. With --format github,
annotations follow the plan. GitHub shows them beside the lines of the manifest and of the Markdown files.
`,
  examples: [
    'docsctl plan',
    'docsctl plan -f docsctl.yaml --detailed-exitcode',
    'docsctl plan --only "space.*" --only collection.library',
    'docsctl plan --prune --out plan.json && docsctl apply plan.json --yes',
    'docsctl plan -o markdown > comment.md',
    'docsctl plan --format github',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addFormatOption(
    addAllowOption(addSelectionOptions(addLiveOptions(command))),
    'the plan with an annotation per error, warning and broken link',
  )
    .option('--detailed-exitcode', 'exit with 2 if there are changes, and with 0 if there are none')
    .option('--out <file>', 'save the plan to a file for `docsctl apply FILE`')
    .action(() => {
      const asMarkdown = takeMarkdownFormat(command);
      const options = command.opts<Options>();
      return inSession((session) =>
        annotateErrors(
          session,
          options,
          withOwnSource(command, (own) => plan(own, options, asMarkdown)),
        ),
      )();
    });
};

async function plan(session: Session, options: Options, asMarkdown: boolean): Promise<void> {
  const out = checkPlanFile(session, options.out);
  const manifest = await loadManifest(session, options);
  const target = await openTarget(session, manifest, options);
  await noteTarget(session, target);
  const { stateOptions } = target;
  const state = readState(stateOptions);
  const planned = await withStep(session, 'Comparing the manifest with the organization', () =>
    planTarget(session, manifest, target, state, options),
  );
  const document = withStatePath(planned, stateOptions.path, session.runtime.cwd, manifest.files);
  const jobs = planJobs(session, selectJobs(manifest.jobs, options), stateOptions, state).map(
    (job) => job.planned,
  );
  const links = await withStep(session, 'Looking for links that the plan would break', () =>
    planLinks(session, manifest, target, document),
  );
  await printPlan(session, withSourceInHints(session, document, options), { asMarkdown, jobs, links });
  if (options.format === 'github')
    await annotateViolations(session, 'warning', [
      ...manifest.warnings,
      ...brokenLinkViolations(links?.brokenLinks ?? [], (space) => manifest.contents.get(space)?.root),
    ]);
  if (out !== undefined) await savePlan(session, document, out);
  if (out !== undefined && jobs.some(hasNew))
    session.note(
      'The saved plan leaves out the conversations under `imports:`. To import them, run `docsctl apply`.',
    );
  refuseUnsupported(document, options.skipUnsupported);
  guardActions(document, options.allow);
  refuseProtected(document.protected);
  // Unsupported steps do not count. They were refused above, or are left out.
  if (options.detailedExitcode === true && (!isIdle(document) || jobs.some(hasNew))) throw new ExitCode(2);
}
