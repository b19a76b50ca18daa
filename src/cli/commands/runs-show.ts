import { runsFolder, wholeRunId } from '../../manifest/journal/journal-file.ts';
import { summarizeRuns } from '../../manifest/journal/summarize-runs.ts';
import type { StateOptions } from '../../manifest/state-file.ts';
import { Problem } from '../../errors/problem.ts';
import { readRun } from '../../manifest/journal/read-run.ts';
import { openStateTarget } from '../manifest/target.ts';
import { addStateSourceOptions, type StateSource } from '../manifest/options.ts';
import { runData, drawRun } from '../manifest/run-text.ts';
import { createStyler } from '../output/style.ts';
import { wantsTable, type Session } from '../session/session.ts';
import { withOwnSource } from '../manifest/source-in-hints.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';

export const help: CommandHelp = {
  description: `
Shows every change of a run, field by field, in the form of a plan. Secrets are neither recorded nor shown. Without an
argument, shows the newest run.
`,
  examples: ['docsctl runs show', 'docsctl runs show -o json'],
};

export const define: DefineCommand = (command, inSession) => {
  addStateSourceOptions(
    command.argument('[run]', 'ID of a run, or its last six characters (default: the newest run)'),
  ).action(inSession(withOwnSource(command, show)));
};

async function show(session: Session, given: string | undefined, source: StateSource): Promise<void> {
  const { stateOptions } = await openStateTarget(session, source);
  const folder = runsFolder(stateOptions.path);
  const run = readRun(folder, given === undefined ? findNewest(stateOptions) : wholeRunId(folder, given));
  if (!wantsTable(session)) return session.print(runData(run));
  for (const text of drawRun(run, await createStyler(session.isColored))) await session.paged.write(text);
  await session.paged.flush();
}

/** @throws Problem(not-found) if nothing was applied to the organization yet */
function findNewest({ path, place, organization }: StateOptions): string {
  const { runs } = summarizeRuns(runsFolder(path));
  const newest = runs.find(({ head }) => head.place === place && head.organization === organization);
  if (newest !== undefined) return newest.head.id;
  throw new Problem('not-found', 'There is no run to show.', { hint: 'Run `docsctl apply` first.' });
}
