import { keptRuns, runsFolder } from '../../manifest/journal/journal-file.ts';
import { summarizeRuns } from '../../manifest/journal/summarize-runs.ts';
import { openStateTarget } from '../manifest/target.ts';
import { addStateSourceOptions, type StateSource } from '../manifest/options.ts';
import { addLimitOption, printLimited } from '../input/limit-rows.ts';
import { listSome, plural } from '../../contract/values.ts';
import type { Session } from '../session/session.ts';
import { withOwnSource } from '../manifest/source-in-hints.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';

const columns = ['id', 'at', 'ended', 'changes', 'undo'];
const fields = [
  ...columns,
  'who',
  'created',
  'updated',
  'moved',
  'adopted',
  'deleted',
  'failed',
  'waiting',
  'files',
  'undoes',
  'undoneBy',
];

export const help: CommandHelp = {
  description: `
Every apply that changes something writes a journal into the folder docsctl.runs beside the state file. The newest
${keptRuns} journals are kept. The column "ended" shows "open" for a run that was killed or is not finished.

The column "changes" counts the changes by kind: + created, ~ updated, = adopted, → moved, - deleted, ! failed, and
? waiting for approval.
If a run undoes another run, or was undone by one, the column "undo" shows the last six characters of the ID of that other run.
\`docsctl runs show\` and \`docsctl runs undo\` also accept these characters.
`,
  columns: fields,
  examples: ['docsctl runs list', 'docsctl runs list -f docsctl.yaml', 'docsctl runs list --limit 1 -o id'],
};

export const define: DefineCommand = (command, inSession) => {
  addLimitOption(addStateSourceOptions(command), 'runs').action(inSession(withOwnSource(command, list)));
};

interface Options extends StateSource {
  readonly limit?: number;
}

async function list(session: Session, source: Options): Promise<void> {
  const { stateOptions } = await openStateTarget(session, source);
  const { runs, unreadable } = summarizeRuns(runsFolder(stateOptions.path));
  const own = runs.filter(
    ({ head }) => head.place === stateOptions.place && head.organization === stateOptions.organization,
  );
  const others = runs.filter((run) => !own.includes(run));
  const items = own.map(({ head, ended, did, failed, waiting, undoneBy }) => ({
    id: head.id,
    at: head.at,
    ended,
    changes: formatChanges({ ...did, failed, waiting }),
    undo: describeUndo(head.undoes, undoneBy),
    created: did['create'] ?? 0,
    updated: did['update'] ?? 0,
    moved: did['move'] ?? 0,
    adopted: did['adopt'] ?? 0,
    deleted: did['delete'] ?? 0,
    failed,
    waiting,
    who: head.who ?? null,
    files: head.files,
    undoes: head.undoes ?? null,
    undoneBy: undoneBy ?? null,
  }));
  await printLimited(session, items, source.limit, { columns, noun: 'runs', fields });
  if (others.length > 0) {
    const places = new Set(
      others.map(({ head: { place, organization } }) => `${place}, organization ${organization}`),
    );
    session.note(`Not listed: ${plural(others.length, 'run')} on ${listSome([...places], 2)}.`);
  }
  for (const why of unreadable.values()) session.note(`warning: ${why}`);
}

const signs: readonly (readonly [string, string])[] = [
  ['create', '+'],
  ['update', '~'],
  ['adopt', '='],
  ['move', '→'],
  ['delete', '-'],
  ['failed', '!'],
  ['waiting', '?'],
];

/** Writes the counts that are not zero: `+21 ~3`. */
function formatChanges(counts: Readonly<Record<string, number>>): string {
  return signs.flatMap(([name, sign]) => (counts[name] ? [`${sign}${counts[name]}`] : [])).join(' ');
}

/** Returns `undoes 4f2a9c` or `undone by 4f2a9c`. Whole IDs would take too much space in a table. */
function describeUndo(undoes: string | undefined, undoneBy: string | undefined): string | null {
  const words = [
    ...(undoes === undefined ? [] : [`undoes ${undoes.slice(-6)}`]),
    ...(undoneBy === undefined ? [] : [`undone by ${undoneBy.slice(-6)}`]),
  ];
  return words.length === 0 ? null : words.join(', ');
}
