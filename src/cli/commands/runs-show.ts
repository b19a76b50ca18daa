import { runsFolder, wholeRunId } from '../../manifest/journal/journal-file.ts';
import { summarizeRuns } from '../../manifest/journal/summarize-runs.ts';
import type { StateOptions } from '../../manifest/state-file.ts';
import { Problem } from '../../errors/problem.ts';
import { readRun } from '../../manifest/journal/read-run.ts';
import { openStateTarget } from '../manifest/target.ts';
import { addStateSourceOptions, type StateSource } from '../manifest/options.ts';
import { runData, drawRun } from '../manifest/run-text.ts';
import { readArguments } from '../input/files.ts';
import { areSeveral, severalNotes } from '../input/positionals.ts';
import { printResults } from '../results/print-results.ts';
import { doEach } from '../session/do-each.ts';
import { createStyler } from '../output/style.ts';
import { wantsTable, type Session } from '../session/session.ts';
import { withOwnSource } from '../manifest/source-in-hints.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';

export const help: CommandHelp = {
  description: `
Shows every change of each run, field by field, in the form of a plan. Secrets are neither recorded nor shown. Without an
argument, shows the newest run.
`,
  examples: [
    'docsctl runs show',
    'docsctl runs show -o json',
    'docsctl runs list -o id | docsctl runs show -',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addStateSourceOptions(
    command.argument(
      '[run...]',
      `IDs of runs, or their last six characters${severalNotes.items} (default: the newest run)`,
    ),
  ).action(inSession(withOwnSource(command, show)));
};

async function show(session: Session, given: readonly string[], source: StateSource): Promise<void> {
  const { stateOptions } = await openStateTarget(session, source);
  const folder = runsFolder(stateOptions.path);
  const names = given.length === 0 ? [findNewest(stateOptions)] : await readArguments(session, given);
  const { results, failed } = await doEach(
    session,
    names.map((name) => ({ name })),
    async ({ name }) => readRun(folder, wholeRunId(folder, name)),
  );
  if (results.length > 0 && !wantsTable(session))
    await printResults(session, results.map(runData), { noun: 'runs' }, areSeveral(given));
  else {
    const styler = await createStyler(session.isColored);
    for (const [index, run] of results.entries()) {
      if (index > 0) await session.paged.write('\n');
      for (const text of drawRun(run, styler)) await session.paged.write(text);
    }
    await session.paged.flush();
  }
  if (failed !== undefined) throw failed;
}

/** @throws Problem(not-found) if nothing was applied to the organization yet */
function findNewest({ path, place, organization }: StateOptions): string {
  const { runs } = summarizeRuns(runsFolder(path));
  const newest = runs.find(({ head }) => head.place === place && head.organization === organization);
  if (newest !== undefined) return newest.head.id;
  throw new Problem('not-found', 'There is no run to show.', { hint: 'Run `docsctl apply` first.' });
}
