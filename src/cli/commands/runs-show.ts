import { runsFolder, wholeRunId } from '../../manifest/journal/journal-file.ts';
import { readRun } from '../../manifest/journal/read-run.ts';
import { openStateTarget } from '../manifest/target.ts';
import { addLockOption } from '../manifest/options.ts';
import { runData, drawRun } from '../manifest/run-text.ts';
import { createOutputStyler } from '../manifest/print-report.ts';
import { wantsTable, type Session } from '../session.ts';
import type { DefineCommand } from '../composite-command.ts';
import type { CommandHelp } from '../command-help.ts';

export const help: CommandHelp = {
  description: `
Shows what a run did, field by field, as a plan shows what it will do. Secrets are not in a journal.
`,
  examples: ['docsctl runs show 20260105T090000000Z-4f2a9c'],
};

export const define: DefineCommand = (command, inSession) => {
  addLockOption(
    command.argument('<run>', 'a run, as `docsctl runs list` shows it, or the six digits at its end'),
  ).action(inSession(show));
};

async function show(session: Session, id: string, { lock }: { readonly lock?: string }): Promise<void> {
  const { stateOptions } = await openStateTarget(session, lock);
  const folder = runsFolder(stateOptions.path);
  const run = readRun(folder, wholeRunId(folder, id));
  if (!wantsTable(session)) return session.print(runData(run));
  const { stdout } = session.terminal;
  for (const text of drawRun(run, await createOutputStyler(session))) await stdout.write(text);
  await stdout.flush();
}
