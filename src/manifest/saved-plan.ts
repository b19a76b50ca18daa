import { violationsOf } from '../contract/check.ts';
import { parseJson } from '../contract/limits.ts';
import { optional, Type, closed, custom, oneOf, type TSchema } from '../contract/schema.ts';
import { isRecord } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { fitsSchema } from './fits-schema.ts';
import { callOf, canLieIn, findField, type Kind } from './kind.ts';
import { kinds } from './kinds/index.ts';
import {
  actions,
  countSteps,
  mainSteps,
  type Change,
  type PlanDocument,
  type Step,
} from './plan-document.ts';
import { topologicalSort } from './topological-sort.ts';
import { canonical } from './value.ts';

const Value = custom<unknown>('PlanValue', {}, () => true);
const Values = Type.Record(Type.String(), Value);
const Text = Type.String();
const Texts = Type.Array(Text);
const Count = Type.Integer({ minimum: 0 });
const True = Type.Literal(true);

const ChangeSchema = closed({
  field: Text,
  before: Type.Optional(Value),
  after: Value,
  says: Type.Optional(Text),
  moved: Type.Optional(oneOf(['file', 'live', 'both'])),
} satisfies Record<keyof Change, TSchema>);

/** A plan without `restores` and `lock`: only an undo has them, and an undo is not saved. */
const StepSchema = closed({
  key: Text,
  address: Text,
  kind: Text,
  action: oneOf(actions),
  name: Text,
  ...optional({
    at: Text,
    id: Type.String({ minLength: 1 }),
    parent: Text,
    gone: Text,
  }),
  changes: Type.Array(ChangeSchema),
  after: Texts,
  calls: Count,
  ...optional({
    reason: Text,
    forbidden: True,
    hint: Text,
    states: Values,
    protect: Type.Boolean(),
    protectWas: Type.Boolean(),
    atCreation: Values,
    late: True,
    beside: Type.Union([closed({ before: Text }), closed({ after: Text })]),
    drops: Texts,
    saw: Text,
  }),
} satisfies Record<Exclude<keyof Step, 'restores' | 'lock'>, TSchema>);

const SavedPlanSchema = closed({
  version: Type.Literal(1),
  place: Text,
  organization: Type.String({ minLength: 1 }),
  people: Type.Boolean(),
  lock: closed({
    serial: Count,
    path: Type.Optional(Type.String({ minLength: 1 })),
    manifest: Type.Optional(Type.Record(Text, Text)),
  }),
  steps: Type.Array(StepSchema),
  counts: closed(Object.fromEntries(actions.map((action) => [action, Count]))),
  calls: Count,
  left: Type.Array(closed({ address: Text, kind: Text, id: Text })),
  ...optional({
    unstated: Type.Array(closed({ address: Text, field: Text })),
    unmanaged: Type.Array(
      closed({
        address: Text,
        kind: Text,
        id: Text,
        parent: Type.Optional(Text),
        field: Text,
        empty: Type.Union([Type.Literal('{}'), Type.Literal('[]')]),
      }),
    ),
    protected: Type.Array(closed({ address: Text, kind: Text, id: Text })),
    pending: Type.Array(Text),
    leftOut: Type.Array(Text),
  }),
} satisfies Record<keyof PlanDocument, TSchema>);

/** A plan with the path of the state file that it was made with, or else hashes of the files of its manifest. */
export type SavedPlan = PlanDocument & {
  readonly lock: { readonly path?: string; readonly manifest?: Readonly<Record<string, string>> };
};

/** Writes a plan as the text of a file. */
export function writePlan(document: PlanDocument): string {
  return `${JSON.stringify(document, null, 1)}\n`;
}

/**
 * Parses a saved plan. Anybody may have edited it, so it must show everything that it does. `name` is used in messages.
 * @throws Problem(invalid-input) if `makePlan` cannot have made it
 */
export function readPlan(text: string, name: string, table: readonly Kind[] = kinds): SavedPlan {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw unreadable(name, 'is not valid JSON');
  }
  if (!isRecord(value) || value['version'] !== 1)
    throw unreadable(name, 'was not made by this version of docsctl');
  const [wrong] = violationsOf(SavedPlanSchema, value, '');
  if (wrong !== undefined) throw unreadable(name, 'is damaged', `${wrong.path} ${wrong.message}. `);
  const document = value as unknown as SavedPlan;
  const fault = findFaultInSteps(document.steps, table);
  if (fault !== undefined) throw unreadable(name, 'is damaged', `It ${fault}. `);
  return { ...document, ...countSteps(document.steps) };
}

function unreadable(name: string, what: string, why = ''): Problem {
  return new Problem('invalid-input', `The plan ${name} ${what}.`, {
    hint: `${why}Make a new plan with \`docsctl plan -f FILE --out plan.json\`.`,
  });
}

/** Returns half a sentence about a fault in the steps of a plan; undefined if `makePlan` can have made them. */
function findFaultInSteps(steps: readonly Step[], table: readonly Kind[]): string | undefined {
  if (new Set(steps.map(({ key }) => key)).size < steps.length) return 'has two steps with the same name';
  const main = mainSteps(steps);
  const owners = new Set<string>();
  for (const step of steps) {
    const { key, address, kind, id } = step;
    if (!isSound(step, main, table)) return `has an invalid step: ${JSON.stringify(key.slice(0, 200))}`;
    if (id === undefined || key !== address) continue;
    if (owners.has(`${kind} ${id}`))
      return `has two steps for one resource: ${JSON.stringify(id.slice(0, 200))}`;
    owners.add(`${kind} ${id}`);
  }
  const { cycle } = topologicalSort(
    steps,
    ({ key }) => key,
    ({ after }) => after,
  );
  return cycle.length === 0 ? undefined : 'has steps that depend on each other';
}

/** The main steps of a plan by address. */
type MainSteps = ReadonlyMap<string, Step>;

function isSound(step: Step, main: MainSteps, table: readonly Kind[]): boolean {
  const { address, action, changes, states = {}, calls } = step;
  const kind = table.find(({ name }) => name === step.kind);
  return (
    kind !== undefined &&
    address.startsWith(`${kind.name}.`) &&
    (isForgetting(step) || isPlaced(step, kind, main)) &&
    changes.every((change) => isChange(change, kind)) &&
    new Set(changes.map(({ field }) => field)).size === changes.length &&
    Object.keys(states).every((name) => findField(kind, name) !== undefined) &&
    fitsAction(step, kind, main) &&
    (action === 'unsupported' ? calls === 0 : isCounted(step, kind))
  );
}

/**
 * Whether the parent of a step can contain its kind, and a step for a part of a resource belongs to the main step of the same
 * resource.
 */
function isPlaced(
  { key, address, kind: name, id, parent, saw }: Step,
  kind: Kind,
  mains: MainSteps,
): boolean {
  const above = parent === undefined ? undefined : mains.get(parent);
  if (!canLieIn(kind, above?.kind) || (parent !== undefined && above === undefined)) return false;
  // A resource that does not exist yet contains nothing.
  if (id !== undefined && above !== undefined && above.id === undefined) return false;
  if (key === address) return (id === undefined) === (saw === undefined);
  const main = mains.get(address);
  return (
    key.startsWith(`${address} (`) &&
    main?.kind === name &&
    main.id === id &&
    main.parent === parent &&
    main.action !== 'delete'
  );
}

/** Checks that a step has everything that its action needs, and nothing that the action would do without showing it. */
function fitsAction(step: Step, kind: Kind, main: MainSteps): boolean {
  const { key, address, action, id, changes, states, drops = [] } = step;
  const { late, beside, atCreation, protect, protectWas } = step;
  if (atCreation !== undefined && action !== 'create') return false;
  if (beside !== undefined && (action !== 'move' || changes.length > 0)) return false;
  const changesProtection =
    protect !== undefined && protectWas !== protect && states !== undefined && action !== 'none';
  if (protectWas !== undefined && !changesProtection) return false;
  if (key !== address)
    return states === undefined && drops.length === 0 && protect === undefined && isPart(step, kind, main);
  if (late !== undefined || beside !== undefined) return false;
  switch (action) {
    case 'create':
      return (
        id === undefined &&
        kind.create !== undefined &&
        states !== undefined &&
        drops.length === 0 &&
        impliesCreationFields(step, kind, main)
      );
    case 'delete':
      return (
        id !== undefined &&
        kind.remove !== undefined &&
        changes.length === 0 &&
        states === undefined &&
        protect === undefined
      );
    case 'none':
      return changes.length === 0 && (id !== undefined || isForgetting(step));
    case 'unsupported':
      return true;
    default:
      return id !== undefined;
  }
}

function isPart({ action, late, beside, parent, address }: Step, kind: Kind, main: MainSteps): boolean {
  if (action === 'unsupported') return late === undefined && beside === undefined;
  if (late === true) return action === 'update' && beside === undefined;
  if (beside === undefined || kind.ordered === undefined || parent === undefined) return false;
  const neighbor = 'before' in beside ? beside.before : beside.after;
  return neighbor !== address && main.get(neighbor)?.parent === parent;
}

/** Checks that the values that only a create needs, which a plan does not show, follow from the values that it shows. */
function impliesCreationFields(
  { address, atCreation = {}, states = {} }: Step,
  kind: Kind,
  main: MainSteps,
): boolean {
  const inside = [...main.values()].flatMap(({ parent, kind: name, states: fields = {} }) =>
    parent === address ? [{ kind: name, fields }] : [],
  );
  const isStated = (field: string) => Object.hasOwn(states, field);
  const implied = Object.entries(kind.atCreation?.(inside, () => {}, isStated) ?? {});
  const expected = Object.fromEntries(implied.filter(([name]) => !isStated(name)));
  return canonical(expected) === canonical(atCreation);
}

/** Returns whether a step only removes an entry from the state file. */
function isForgetting({ key, address, action, id, parent, changes, states, drops = [] }: Step): boolean {
  return (
    key === address &&
    action === 'none' &&
    id === undefined &&
    parent === undefined &&
    changes.length === 0 &&
    states === undefined &&
    drops.join() === address
  );
}

function isChange({ field: name, after, says }: Change, kind: Kind): boolean {
  const field = findField(kind, name);
  return (
    field !== undefined &&
    fitsSchema(after, field.schema) &&
    // `says` is shown instead of the values.
    (says === undefined || (field.describe ?? field.followsOrderOf ?? field.followsDeletesOf) !== undefined)
  );
}

function isCounted({ action, beside, changes, calls }: Step, kind: Kind): boolean {
  const maxCalls = new Set(changes.map(({ field }) => callOf(kind, field))).size;
  if (action === 'create') return calls >= 1 && calls <= 1 + maxCalls;
  return calls === (action === 'delete' || beside !== undefined ? 1 : maxCalls);
}
