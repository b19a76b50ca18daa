import { dirname } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import { runsFolder, wholeRunId } from '../../manifest/journal/journal-file.ts';
import { readRun } from '../../manifest/journal/read-run.ts';
import { newestToUndo, summarizeRuns } from '../../manifest/journal/summarize-runs.ts';
import { planUndo } from '../../manifest/journal/plan-undo.ts';
import type { Conflict, Undo } from '../../manifest/journal/undo-context.ts';
import { readState } from '../../manifest/state-file.ts';
import type { ManifestState } from '../../manifest/manifest-state.ts';
import { runPlan } from '../manifest/run-plan.ts';
import { showPlan } from '../manifest/show-plan.ts';
import { openStateTarget, withLockedState, type Target } from '../manifest/target.ts';
import { valueText } from '../manifest/value-text.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { addJobsOption, addLockOption, addMaxDeletesOption } from '../manifest/options.ts';
import { printPlan } from '../manifest/print-plan.ts';
import { kindsWithContent } from '../manifest/content-kinds.ts';
import { wantsDocument, type Session } from '../session.ts';
import type { DefineCommand } from '../composite-command.ts';
import type { CommandHelp } from '../command-help.ts';

interface Options {
  readonly lock?: string;
  readonly jobs: number;
  readonly force?: boolean;
  readonly maxDeletes?: number;
}

export const help: CommandHelp = {
  description: `
Brings back what was there before a run: deletes what it made, sets fields and orders back, makes anew what it deleted (a
space comes back with its content for 7 days), and makes the lock say what it said. Shows the plan, says what cannot come
back, asks (-y does not), and does it; --dry-run only shows. What is not as the run left it stays (exit 3), --force does
not care. What is protected is deleted only with --force, and no more than --max-deletes allows at once (exit 9). An undo is
a run as well: undoing it by its id does everything again. The manifest is not changed: the next apply does what it says.
`,
  examples: [
    'docsctl runs undo --dry-run',
    'docsctl runs undo 20260105T090000000Z-4f2a9c -y',
    'docsctl runs undo 4f2a9c --max-deletes 21',
  ],
};

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
    .action(inSession(undo));
};

async function undo(session: Session, given: string | undefined, options: Options): Promise<void> {
  const target = await openStateTarget(session, options.lock);
  const { api, stateOptions } = target;
  const folder = runsFolder(stateOptions.path);
  const id = given === undefined ? findNewest(target) : wholeRunId(folder, given);
  const { clock, signal } = session.runtime;
  const table = kindsWithContent(session, dirname(stateOptions.path));
  const { force, maxDeletes } = options;
  const plan = async (state: ManifestState): Promise<Undo> => {
    let refused: Undo | undefined;
    const onRefused = (planned: Undo): void => void (refused = planned);
    const run = readRun(folder, id);
    try {
      return await planUndo({ run, api, state, table, now: clock(), force, maxDeletes, onRefused, signal });
    } catch (error) {
      if (refused !== undefined) await showPlan(session, refused.document);
      throw error;
    }
  };
  if (session.flags.dryRun === true) {
    const found = await plan(readState(stateOptions));
    await print(session, found);
    return session.note(`Dry run of undoing ${id}: nothing was sent.`);
  }
  await withLockedState(target, async (handle) => {
    const found = await plan(handle.state);
    noteUndo(session, found);
    session.note(
      `Undoing ${id}. A manifest that still says what the run did brings it again with the next apply.`,
    );
    await runPlan(
      session,
      { document: found.document, target, handle, table, secretOf: () => undefined, undoes: id },
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
  const { document, conflicts, refused, lost, stays, notes } = found;
  if (wantsDocument(session)) return session.print({ ...document, conflicts, refused, lost, stays, notes });
  await printPlan(session, document, false);
  noteUndo(session, found);
}

/** @throws Problem(not-found) if there is no run to undo */
function findNewest({ stateOptions: { path, place, organization } }: Target): string {
  const id = newestToUndo(summarizeRuns(runsFolder(path)), place, organization);
  if (id !== undefined) return id;
  throw new Problem('not-found', 'There is no run that can be undone.', {
    hint: 'An apply that changes something is one; to undo an undo, name it: docsctl runs list',
  });
}

/** Notes conflicts, losses and remains of an undo. */
function noteUndo({ note }: Session, { conflicts, lost, stays, refused, notes }: Undo): void {
  const noteList = (title: string, lines: readonly string[]): void => {
    if (lines.length > 0) note(`${title}:\n${lines.map((line) => `  ${escapeControls(line)}`).join('\n')}`);
  };
  noteList(
    'warning: the journal says what no run of this lock did; it is left out',
    refused.slice(0, 50).map(describeConflict),
  );
  noteList(
    'Left as it is, because it is not as the run left it (--force undoes it nevertheless)',
    conflicts.map(describeConflict),
  );
  noteList('Cannot come back, or not as it was', lost);
  noteList('Stays, because a run only caused it', stays);
  for (const sentence of notes) note(escapeControls(sentence));
}

/** Describes a conflict: `space.guide title was changed since: it is "C" now, and was "A"`. */
function describeConflict({ address, field, why, now, was }: Conflict): string {
  const subject = field === undefined ? address : `${address} ${field}`;
  const values =
    field === undefined || now === undefined
      ? ''
      : `: it is ${valueText(now)} now, and was ${valueText(was)}`;
  return `${subject} ${why}${values}`;
}
