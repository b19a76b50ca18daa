import { violationsOf } from '../contract/check.ts';
import { checkDepth } from '../contract/limits.ts';
import { closed, custom, oneOf, Type, type TSchema } from '../contract/schema.ts';
import { isRecord } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { findFaultInSteps } from './check-steps.ts';
import type { Kind } from './kind.ts';
import { kinds } from './kinds/index.ts';
import { actions, countSteps, type Change, type PlanDocument, type Step } from './plan-document.ts';

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

/** Only an undo has `restores` and `lock`, and an undo is not saved. */
const StepSchema = closed({
  key: Text,
  address: Text,
  kind: Text,
  action: oneOf(actions),
  name: Text,
  at: Type.Optional(Text),
  id: Type.Optional(Type.String({ minLength: 1 })),
  parent: Type.Optional(Text),
  gone: Type.Optional(Text),
  changes: Type.Array(ChangeSchema),
  after: Texts,
  calls: Count,
  reason: Type.Optional(Text),
  forbidden: Type.Optional(True),
  hint: Type.Optional(Text),
  states: Type.Optional(Values),
  protect: Type.Optional(Type.Boolean()),
  protectWas: Type.Optional(Type.Boolean()),
  atCreation: Type.Optional(Values),
  late: Type.Optional(True),
  beside: Type.Optional(Type.Union([closed({ before: Text }), closed({ after: Text })])),
  drops: Type.Optional(Texts),
  saw: Type.Optional(Text),
} satisfies Record<Exclude<keyof Step, 'restores' | 'lock'>, TSchema>);

const SavedPlanSchema = closed({
  version: Type.Literal(1),
  place: Text,
  organization: Type.String({ minLength: 1 }),
  people: Type.Boolean(),
  lock: closed({
    serial: Count,
    path: Type.Optional(Type.String({ minLength: 1 })),
    key: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  }),
  steps: Type.Array(StepSchema),
  counts: closed(Object.fromEntries(actions.map((action) => [action, Count]))),
  calls: Count,
  left: Type.Array(closed({ address: Text, kind: Text, id: Text })),
  unstated: Type.Optional(Type.Array(closed({ address: Text, field: Text }))),
} satisfies Record<keyof PlanDocument, TSchema>);

/** A plan with the path of the state file that it was made with, and the key of a state that is not written yet. */
export type SavedPlan = PlanDocument & { readonly lock: { readonly path?: string; readonly key?: string } };

/** Writes a plan as the text of a file. */
export function writePlan(document: PlanDocument): string {
  return `${JSON.stringify(document, null, 1)}\n`;
}

/**
 * Reads a saved plan, which anybody may have edited: it shows everything that it does. `name` is for messages.
 *
 * @throws Problem(invalid-input) if `makePlan` cannot have made it
 */
export function readPlan(text: string, name: string, table: readonly Kind[] = kinds): SavedPlan {
  let value: unknown;
  try {
    checkDepth(text);
    value = JSON.parse(text);
  } catch {
    throw unreadable(name, 'is not valid JSON');
  }
  if (!isRecord(value) || value['version'] !== 1)
    throw unreadable(name, 'is no plan of this version of docsctl');
  const [wrong] = violationsOf(SavedPlanSchema, value, '');
  if (wrong !== undefined) throw unreadable(name, 'is damaged', `${wrong.path} ${wrong.message}. `);
  const document = value as unknown as SavedPlan;
  const fault = findFaultInSteps(document.steps, table);
  if (fault !== undefined) throw unreadable(name, 'is damaged', `It ${fault}. `);
  return { ...document, ...countSteps(document.steps) };
}

function unreadable(name: string, what: string, why = ''): Problem {
  return new Problem('invalid-input', `The plan ${name} ${what}.`, {
    hint: `${why}Make it anew: docsctl plan -f FILE --out plan.json.`,
  });
}
