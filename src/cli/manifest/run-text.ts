import type { RunStep, Run } from '../../manifest/journal/read-run.ts';
import { kinds } from '../../manifest/kinds/index.ts';
import type { Action, Change } from '../../manifest/plan-document.ts';
import { mask } from '../../manifest/read/node.ts';
import { withAddresses } from '../../manifest/with-addresses.ts';
import type { Styler, Style } from '../output/style.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { changeText } from './plan-text.ts';
import { headOf, shownChanges, signs } from './shown-step.ts';

const colors: Readonly<Record<string, Style>> = {
  create: 'green',
  update: 'yellow',
  adopt: 'cyan',
  move: 'blue',
  delete: 'red',
};

/** What a run did, for a person to read, as a plan shows what it will do: step by step, since it may be long. */
export function* runText(run: Run, ink: Styler): Generator<string> {
  const addresses = new Map(
    run.steps.flatMap(({ begun, made }) =>
      made === undefined && begun.id === undefined
        ? []
        : [[`${begun.kind} ${made ?? begun.id!}`, begun.address] as const],
    ),
  );
  yield `${headText(run)}\n`;
  for (const step of run.steps) if (step.begun.action !== 'none') yield stepText(step, addresses, ink);
}

function headText({ head, end }: Run): string {
  const files = head.files.length === 0 ? '' : ` from ${head.files.join(', ')}`;
  const who = head.who === undefined ? '' : ` by ${head.who}`;
  const what = head.undoes === undefined ? `applied${files}` : `undid run ${head.undoes}`;
  return `${escapeControls(`Run ${head.id} ${what}${who} at ${head.at} on ${head.place}, organization ${head.organization}: ${end === undefined ? 'it did not come to its end' : end.how}.`)}\n`;
}

function stepText(
  { begun, made, ended }: RunStep,
  addresses: ReadonlyMap<string, string>,
  ink: Styler,
): string {
  const { key, address, kind, action, name, beside, was } = begun;
  const id = made ?? begun.id;
  const drops = Object.keys(begun.owned).filter((other) => other !== address);
  const head = headOf({
    key,
    address,
    kind,
    name,
    action: action as Action,
    changes: [],
    after: [],
    calls: 0,
    ...(id === undefined ? {} : { id }),
    ...(action === 'delete' ? { drops } : {}),
  });
  const state =
    ended === undefined
      ? '  (not ended)'
      : ended.status === 'done'
        ? ''
        : `  (${ended.status}${ended.problem === undefined ? '' : `: ${ended.problem}`})`;
  const changes =
    was === undefined
      ? begun.changes.map((change) => changeOf(change, begun.kind, addresses))
      : Object.entries(was.fields).map(([field, before]): Change => ({ field, before, after: null }));
  const lines = shownChanges({ changes, ...(action === 'create' ? {} : { id: id ?? '' }) }).map((change) =>
    changeText(change, ink),
  );
  return `${ink(signs[action as Action] ?? ' ', ['bold', colors[action] ?? 'dim'])} ${ink(`${head}${beside === undefined ? '' : ` ${escapeControls(beside)}`}`, [colors[action] ?? 'dim'])}${state}\n${lines.join('')}`;
}

function changeOf(
  { field, before, after, secret }: RunStep['begun']['changes'][number],
  kindName: string,
  addresses: ReadonlyMap<string, string>,
): Change {
  if (secret === true) return { field, after: mask };
  const definition = kinds.find(({ name }) => name === kindName)?.fields[field] ?? {};
  const named = (value: unknown): unknown =>
    withAddresses(value, definition, (known) => addresses.get(known));
  return { field, after: named(after), ...(before === undefined ? {} : { before: named(before) }) };
}

/** What a run did, as data: what it needs to be undone stays in the journal. */
export function runData({ head, steps, end }: Run): object {
  const { type: _, version, ...rest } = head;
  return {
    version,
    ...rest,
    ended: end?.how ?? 'open',
    endedAt: end?.at ?? null,
    steps: steps
      .filter(({ begun }) => begun.action !== 'none')
      .map(({ begun, made, ended, content }) => ({
        key: begun.key,
        action: begun.action,
        kind: begun.kind,
        name: begun.name,
        id: made ?? begun.id ?? null,
        status: ended?.status ?? 'open',
        changes: begun.changes,
        ...(begun.was === undefined ? {} : { was: begun.was }),
        ...(content === undefined
          ? {}
          : {
              content: {
                before: begun.revision ?? null,
                after: content.revision,
                changeRequest: content.request ?? null,
              },
            }),
      })),
  };
}
