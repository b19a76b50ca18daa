import type { Command } from 'commander';
import { runsFolder, wholeRunId } from '../../manifest/journal/journal-file.ts';
import { readRun } from '../../manifest/journal/read-run.ts';
import { openLock } from '../manifest/lock-place.ts';
import { addLockOption } from '../manifest/options.ts';
import { runData, runText } from '../manifest/run-text.ts';
import { createStyler } from '../output/style.ts';
import type { Session } from '../session.ts';
import type { RunInSession } from '../composite-command.ts';

export function define(command: Command, run: RunInSession): void {
  addLockOption(
    command.argument('<run>', 'a run, as `docsctl runs list` shows it, or the six digits at its end'),
  )
    .addHelpText(
      'after',
      '\nShows what a run did, field by field, as a plan shows what it will do. Secrets are not in a journal.\n\nExamples:\n  docsctl runs show 20260105T090000000Z-4f2a9c\n',
    )
    .action((id: string, options: { lock?: string }) => run((session) => show(session, id, options.lock)));
}

async function show(session: Session, id: string, named: string | undefined): Promise<void> {
  const { lockOptions } = await openLock(session, named);
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
