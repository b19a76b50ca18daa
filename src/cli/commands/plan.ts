import { readState } from '../../manifest/state-file.ts';
import { isIdle } from '../../manifest/plan-document.ts';
import { openLive, planLive } from '../manifest/live.ts';
import { addLiveOptions, takeMarkdown, type LiveOptions } from '../manifest/options.ts';
import { hasNew, planJobs } from '../manifest/plan-jobs.ts';
import { printPlan, refuseUnsupported } from '../manifest/print-plan.ts';
import { readWanted } from '../manifest/read-wanted.ts';
import { checkOut, savePlan, withLock } from '../manifest/saved.ts';
import type { Session } from '../session.ts';
import { type DefineCommand, ExitCode } from '../composite-command.ts';

interface Options extends LiveOptions {
  readonly out?: string;
}

export const define: DefineCommand = (command, inSession) => {
  addLiveOptions(command)
    .option('--detailed-exitcode', 'exit 2 when there are changes, 0 when there are none')
    .option('--out <file>', 'save the plan there, for docsctl apply FILE')
    .addHelpText(
      'after',
      `
Shows what \`docsctl apply\` would do, and changes nothing: + create, ~ update, = adopt, → move, - delete, ! cannot be
done here. Behind a field stands who moved since the last apply: the file, the live side, or both. -o json is the whole
plan; -o markdown is for a comment on a pull request. Jobs stand below, with what is new in their files; they count as
changes where something is new, and are no part of a saved plan.

Examples:
  docsctl plan -f docsctl.yaml --detailed-exitcode
  docsctl plan -f org/ --prune --out plan.json && docsctl apply plan.json
  docsctl plan -o markdown > comment.md
`,
    )
    .action(() => {
      const asMarkdown = takeMarkdown(command);
      return inSession((session) => plan(session, command.opts(), asMarkdown))();
    });
};

async function plan(session: Session, options: Options, asMarkdown: boolean): Promise<void> {
  const out = checkOut(session, options.out);
  const reading = await readWanted(session, options);
  const live = await openLive(session, reading, options);
  const lock = readState(live.lockOptions);
  const document = withLock(
    await planLive(session, reading, live, lock, options),
    lock,
    live.lockOptions.path,
    session.runtime.cwd,
  );
  const jobs = planJobs(session, reading.jobs, live, lock).map(({ planned }) => planned);
  await printPlan(session, document, asMarkdown, jobs);
  if (out !== undefined) await savePlan(session, document, out);
  if (out !== undefined && jobs.some(hasNew))
    session.note('The jobs are no part of a saved plan: docsctl apply -f runs them.');
  refuseUnsupported(document, options.skipUnsupported);
  // What cannot be done here is no change that waits: it was refused above, or is left out.
  if (options.detailedExitcode === true && (!isIdle(document) || jobs.some(hasNew))) throw new ExitCode(2);
}
