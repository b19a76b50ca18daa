import { runsFolder, wholeRunId } from '../../manifest/journal/journal-file.ts';
import { readRun } from '../../manifest/journal/read-run.ts';
import { openLock } from '../manifest/lock-place.ts';
import { addLockOption } from '../manifest/options.ts';
import { runData, runText } from '../manifest/run-text.ts';
import { createStyler } from '../output/style.ts';
import type { Session } from '../session.ts';
import type { DefineCommand } from '../composite-command.ts';

export const define: DefineCommand = (command, inSession) => {
  addLockOption(
    command.argument('<run>', 'a run, as `docsctl runs list` shows it, or the six digits at its end'),
  )
    .addHelpText(
      'after',
      '\nShows what a run did, field by field, as a plan shows what it will do. Secrets are not in a journal.\n\nExamples:\n  docsctl runs show 20260105T090000000Z-4f2a9c\n',
    )
    .action(inSession(show));
};

async function show(session: Session, id: string, { lock }: { readonly lock?: string }): Promise<void> {
  const { lockOptions } = await openLock(session, lock);
  const folder = runsFolder(lockOptions.path);
  const run = readRun(folder, wholeRunId(folder, id));
  if (session.format !== 'table' || session.flags.query !== undefined) {
    const printer = await session.printer();
    await printer.one(runData(run));
    return printer.end();
  }
  const { stdout, color } = session.terminal;
  for (const text of runText(run, await createStyler(color && session.isInteractive)))
    await stdout.write(text);
  await stdout.flush();
}
