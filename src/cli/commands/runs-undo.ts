import { dirname } from 'node:path';
import { plural } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import type { DeleteLimit } from '../../manifest/guard-deletes.ts';
import { runsFolder, wholeRunId } from '../../manifest/journal/journal-file.ts';
import { readRun } from '../../manifest/journal/read-run.ts';
import { newestToUndo, summarizeRuns } from '../../manifest/journal/summarize-runs.ts';
import { isIdle } from '../../manifest/plan-document.ts';
import { planUndo } from '../../manifest/journal/plan-undo.ts';
import type { Conflict, Undo } from '../../manifest/journal/undo-context.ts';
import { readState } from '../../manifest/state-file.ts';
import type { ManifestState } from '../../manifest/manifest-state.ts';
import { runPlan } from '../manifest/run-plan.ts';
import { showPlan } from '../manifest/show-plan.ts';
import { openStateTarget, withLockedState, type Target } from '../manifest/target.ts';
import { valueText } from '../manifest/value-text.ts';
import {
  addConcurrencyOption,
  addMaxDeletesOption,
  addStateSourceOptions,
  type StateSource,
} from '../manifest/options.ts';
import { printPlan } from '../manifest/print-plan.ts';
import { noteTarget } from '../manifest/note-target.ts';
import { kindsWithContent } from '../manifest/content-kinds.ts';
import { wantsDocument, type Session } from '../session/session.ts';
import { withOwnSource } from '../manifest/source-in-hints.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';

interface Options extends StateSource {
  readonly concurrency: number;
  readonly force?: boolean;
  readonly maxDeletes?: DeleteLimit;
}

export const help: CommandHelp = {
  description: `
Reverses a run: deletes the resources that the run created, restores the fields and orders that it changed, and
recreates the resources that it deleted. A space comes back with its content if it was deleted less than 7 days ago.
The state file is restored too. The command shows the plan, lists what cannot be restored, and asks for confirmation.

Resources that have changed since the run are skipped (exit 3) unless you use --force. If the undo would delete
protected resources (\`protect: true\`) without --force, or more resources than --max-deletes allows, it changes nothing (exit 9).

An undo is a run itself, so you can undo it by its ID. The manifest is not changed, so the next apply makes the
changes again unless you edit the manifest.
`,
  examples: ['docsctl runs undo --dry-run', 'docsctl runs undo --max-deletes 20 --yes'],
};

export const define: DefineCommand = (command, inSession) => {
  addMaxDeletesOption(
    addConcurrencyOption(
      addStateSourceOptions(
        command.argument(
          '[run]',
          'ID of a run, or its last six characters (default: the newest run that can be undone)',
        ),
      ),
    ),
    'the undo',
  )
    .option(
      '--force',
      'also undo fields and resources that have changed since the run, and delete protected resources',
    )
    .action(inSession(withOwnSource(command, undo)));
};

async function undo(session: Session, given: string | undefined, options: Options): Promise<void> {
  const target = await openStateTarget(session, options);
  await noteTarget(session, target);
  const { api, stateOptions } = target;
  const folder = runsFolder(stateOptions.path);
  const id = given === undefined ? findNewest(target) : wholeRunId(folder, given);
  const { clock, signal } = session.runtime;
  const table = kindsWithContent(session, dirname(stateOptions.path));
  const { force, maxDeletes } = options;
  const plan = async (state: ManifestState): Promise<Undo> => {
    let refused: Undo | undefined;
    const onRefused = (planned: Undo) => void (refused = planned);
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
    if (isNothingLeft(found)) session.note(describeNothingLeft(target, id));
    return session.note(`Dry run: nothing was sent. Run ${id} was not undone.`);
  }
  await withLockedState(target, async (handle) => {
    const found = await plan(handle.state);
    noteUndo(session, found);
    session.note(
      isNothingLeft(found)
        ? describeNothingLeft(target, id)
        : `Undoing run ${id}. The manifest is not changed, so the next apply may make the same changes again.`,
    );
    await runPlan(
      session,
      { document: found.document, target, handle, table, undoes: id },
      { concurrency: options.concurrency },
    );
    const left = found.conflicts.length + found.refused.length;
    if (left > 0)
      throw new Problem('partly-failed', `${plural(left, 'change was', 'changes were')} not undone.`);
  });
}

async function print(session: Session, found: Undo): Promise<void> {
  const { document, conflicts, refused, lost, stays, notes } = found;
  if (wantsDocument(session)) return session.print({ ...document, conflicts, refused, lost, stays, notes });
  await printPlan(session, document);
  noteUndo(session, found);
}

/** @throws Problem(not-found) if there is no run to undo */
function findNewest({ stateOptions: { path, place, organization } }: Target): string {
  const id = newestToUndo(summarizeRuns(runsFolder(path)), place, organization);
  if (id !== undefined) return id;
  throw new Problem('not-found', 'There is no run to undo.', {
    hint: 'Only runs that changed something can be undone. To undo an undo, give its ID, which `docsctl runs list` shows.',
  });
}

function isNothingLeft({ document, conflicts, refused, lost }: Undo): boolean {
  return isIdle(document) && conflicts.length + refused.length + lost.length === 0;
}

/** Returns why there is nothing to undo in a run, and which run can be undone instead. */
function describeNothingLeft({ stateOptions: { path, place, organization } }: Target, id: string): string {
  const found = summarizeRuns(runsFolder(path));
  const { runs } = found;
  const undos = runs.filter(({ head }) => head.undoes === id).map(({ head }) => head.id);
  const redo = runs.find(({ head, undoneBy }) => undos.includes(head.undoes ?? '') && undoneBy === undefined);
  if (redo !== undefined)
    return `Nothing is left to undo: run ${redo.head.undoes} undid run ${id}, and run ${redo.head.id} made its changes again. To undo them, run \`docsctl runs undo ${redo.head.id}\`.`;
  const undoneBy = runs.find(({ head }) => head.id === id)?.undoneBy;
  if (undoneBy !== undefined)
    return `Nothing is left to undo: run ${undoneBy} undid run ${id}. To make its changes again, run \`docsctl runs undo ${undoneBy}\`.`;
  const older = { ...found, runs: runs.slice(runs.findIndex(({ head }) => head.id === id) + 1) };
  const before = newestToUndo(older, place, organization);
  const hint = before === undefined ? '' : ` To undo the run before it, run \`docsctl runs undo ${before}\`.`;
  return `Nothing is left to undo: all changes of run ${id} have since been reversed, or their resources deleted.${hint}`;
}

function noteUndo({ note }: Session, { conflicts, lost, stays, refused, notes }: Undo): void {
  const noteList = (title: string, lines: readonly string[]): void => {
    if (lines.length > 0) for (const line of [`${title}:`, ...lines.map((each) => `  ${each}`)]) note(line);
  };
  noteList(
    'warning: the journal has entries that no run of this state file made. They are ignored',
    refused.slice(0, 50).map(describeConflict),
  );
  noteList(
    'Skipped, because it has changed since the run (use --force to undo it anyway)',
    conflicts.map(describeConflict),
  );
  noteList('Cannot be restored, or not completely', lost);
  noteList('Kept, because the run caused it only indirectly', stays);
  for (const sentence of notes) note(sentence);
}

/** Describes a conflict: `space.guide title was changed since: it is "C" now, and was "A"`. */
function describeConflict({ address, field, why, now, was }: Conflict): string {
  const subject = field === undefined ? address : `${address} ${field}`;
  const values =
    field === undefined || now === undefined
      ? ''
      : `: it is now ${valueText(now)}, and was ${valueText(was)} before the run`;
  return `${subject} ${why}${values}`;
}
