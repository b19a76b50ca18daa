import { dirname } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import { runsFolder, wholeRunId } from '../../manifest/journal/journal-file.ts';
import { readRun } from '../../manifest/journal/read-run.ts';
import { newestToUndo, summarizeRuns } from '../../manifest/journal/summarize-runs.ts';
import { planUndo } from '../../manifest/journal/plan-undo.ts';
import type { Undo } from '../../manifest/journal/undo-context.ts';
import { readState } from '../../manifest/state-file.ts';
import type { ManifestState } from '../../manifest/manifest-state.ts';
import { carryOut } from '../manifest/carry-out.ts';
import { holdingLock, showRefused, type Live } from '../manifest/live.ts';
import { openLock } from '../manifest/lock-place.ts';
import { addJobsOption, addLockOption, addMaxDeletesOption } from '../manifest/options.ts';
import { printPlan } from '../manifest/print-plan.ts';
import { noteUndo } from '../manifest/print-undo.ts';
import { tableIn } from '../manifest/table.ts';
import type { Session } from '../session.ts';
import type { DefineCommand } from '../composite-command.ts';

interface Options {
  readonly lock?: string;
  readonly jobs: number;
  readonly force?: boolean;
  readonly maxDeletes?: number;
}

export const define: DefineCommand = (command, inSession) => {
  addMaxDeletesOption(
    addJobsOption(
      addLockOption(
        command.argument('[run]', 'a run (default: the newest that is no undo and was not undone)'),
      ),
    ),
    'the undo',
  )
    .option(
      '--force',
      'undo also what was changed since; delete what is protected, and what may have been made when the run was killed',
    )
    .addHelpText(
      'after',
      `
Brings back what was there before a run: deletes what it made, sets fields and orders back, makes anew what it deleted (a
space comes back with its content for 7 days), and makes the lock say what it said. Shows the plan, says what cannot come
back, asks (-y does not), and does it; --dry-run only shows. What is not as the run left it stays (exit 3), --force does
not care. What is protected is deleted only with --force, and no more than --max-deletes allows at once (exit 9). An undo is
a run as well: undoing it by its id does everything again. The manifest is not changed: the next apply does what it says.

Examples:
  docsctl runs undo --dry-run
  docsctl runs undo 20260105T090000000Z-4f2a9c -y
  docsctl runs undo 4f2a9c --max-deletes 21
`,
    )
    .action(inSession(undo));
};

async function undo(session: Session, given: string | undefined, options: Options): Promise<void> {
  const live = await openLock(session, options.lock);
  const folder = runsFolder(live.lockOptions.path);
  const id = given === undefined ? newest(live) : wholeRunId(folder, given);
  const { clock, signal } = session.runtime;
  const table = tableIn(session, dirname(live.lockOptions.path));
  const { force, maxDeletes } = options;
  const plan = async (lock: ManifestState): Promise<Undo> => {
    let refused: Undo | undefined;
    const onRefused = (planned: Undo): void => void (refused = planned);
    try {
      return await planUndo({
        run: readRun(folder, id),
        api: live.api,
        state: lock,
        table,
        now: clock(),
        force,
        maxDeletes,
        onRefused,
        signal,
      });
    } catch (error) {
      if (refused !== undefined) await showRefused(session, refused.document);
      throw error;
    }
  };
  if (session.flags.dryRun === true) {
    const found = await plan(readState(live.lockOptions));
    await print(session, found);
    return session.note(`Dry run of undoing ${id}: nothing was sent.`);
  }
  await holdingLock(live, async (held) => {
    const found = await plan(held.state);
    noteUndo(session, found);
    session.note(
      `Undoing ${id}. A manifest that still says what the run did brings it again with the next apply.`,
    );
    await carryOut(
      session,
      { document: found.document, live, held, table, secretOf: () => undefined, undoes: id },
      { jobs: options.jobs },
    );
    const left = found.conflicts.length + found.refused.length;
    if (left > 0)
      throw new Problem(
        'partly-failed',
        `${left === 1 ? 'One thing stays' : `${left} things stay`} as the run, or somebody since, left ${left === 1 ? 'it' : 'them'}.`,
      );
  });
}

async function print(session: Session, found: Undo): Promise<void> {
  if (session.format === 'json' || session.format === 'yaml' || session.flags.query !== undefined) {
    const printer = await session.printer();
    await printer.one({
      ...found.document,
      conflicts: found.conflicts,
      refused: found.refused,
      lost: found.lost,
      stays: found.stays,
      notes: found.notes,
    });
    return printer.end();
  }
  await printPlan(session, found.document, false);
  noteUndo(session, found);
}

function newest({ lockOptions: { path, place, organization } }: Live): string {
  const id = newestToUndo(summarizeRuns(runsFolder(path)), place, organization);
  if (id !== undefined) return id;
  throw new Problem('not-found', 'There is no run that can be undone.', {
    hint: 'An apply that changes something is one; to undo an undo, name it: docsctl runs list',
  });
}
