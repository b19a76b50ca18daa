import { defined } from '../../contract/values.ts';
import type { Run, RunStep } from '../../manifest/journal/read-run.ts';
import { kinds } from '../../manifest/kinds/index.ts';
import type { Action, Change } from '../../manifest/plan-document.ts';
import { withAddresses } from '../../manifest/with-addresses.ts';
import type { Styler } from '../output/style.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { diffFields, signs, stepTitle } from './describe-step.ts';
import { drawField, drawTitle } from './plan-text.ts';

/** Draws the steps of a run in the form of a plan. Yields step by step, because a run may be long. */
export function* drawRun(run: Run, style: Styler): Generator<string> {
  const addresses = new Map(
    run.steps.flatMap(({ begun: { kind, id, address }, made = id }) =>
      made === undefined ? [] : [[`${kind} ${made}`, address] as const],
    ),
  );
  yield `${drawHeader(run)}\n`;
  for (const step of run.steps) if (step.begun.action !== 'none') yield drawStep(step, addresses, style);
}

function drawHeader({ head, end }: Run): string {
  const { id, at, place, organization, who, files, undoes } = head;
  const from = files.length === 0 ? '' : ` from ${files.join(', ')}`;
  const what = undoes === undefined ? `was applied${from}` : `undid run ${undoes}`;
  const by = who === undefined ? '' : ` by ${who}`;
  const outcome = end === undefined ? 'not finished' : end.how;
  return `${escapeControls(`Run ${id} ${what}${by} at ${at} on ${place}, organization ${organization}: ${outcome}.`)}\n`;
}

function drawStep(
  { begun, made, ended }: RunStep,
  addresses: ReadonlyMap<string, string>,
  style: Styler,
): string {
  const { key, address, kind, name, beside, was } = begun;
  // A newer docsctl may have written an unknown action.
  const action = Object.hasOwn(signs, begun.action) ? (begun.action as Action) : 'none';
  const id = made ?? begun.id;
  const others = Object.keys(begun.owned).filter((other) => other !== address);
  const drops = action === 'delete' ? others : [];
  const title = stepTitle({ key, address, name, action, drops, ...defined({ id }) });
  const neighbor = beside === undefined ? '' : ` ${escapeControls(beside)}`;
  const changes =
    was === undefined
      ? begun.changes.map((change) => changeOf(change, kind, addresses))
      : Object.entries(was.fields).map(([field, before]): Change => ({ field, before, after: null }));
  const fields = diffFields({ changes, ...(action === 'create' ? {} : { id: id ?? '' }) });
  const lines = fields.map((diff) => drawField(diff, style));
  return `${drawTitle(action, title + neighbor, style)}${describeEnd(ended)}\n${lines.join('')}`;
}

function describeEnd(ended: RunStep['ended']): string {
  if (ended === undefined) return '  (not finished)';
  const { status, problem } = ended;
  if (status === 'done') return '';
  return `  (${status}${problem === undefined ? '' : `: ${problem}`})`;
}

function changeOf(
  { field, before, after }: RunStep['begun']['changes'][number],
  kindName: string,
  addresses: ReadonlyMap<string, string>,
): Change {
  const definition = kinds.find(({ name }) => name === kindName)?.fields[field] ?? {};
  const named = (value: unknown): unknown =>
    withAddresses(value, definition, (known) => addresses.get(known));
  return { field, after: named(after), ...(before === undefined ? {} : { before: named(before) }) };
}

/** Returns a run as data, without the parts that only an undo needs. */
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
        ...defined({ was: begun.was }),
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
