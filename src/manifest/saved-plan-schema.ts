import { closed, custom, oneOf, Type, type TSchema } from '../contract/schema.ts';
import type { Action, Change, PlanDocument, Step } from './plan-document.ts';

const Value = custom<unknown>('PlanValue', {}, () => true);
const Values = Type.Record(Type.String(), Value);
const Text = Type.String();
const Texts = Type.Array(Text);
const Count = Type.Integer({ minimum: 0 });
const True = Type.Literal(true);

const actions = [
  'create',
  'update',
  'adopt',
  'move',
  'delete',
  'none',
  'unsupported',
] as const satisfies readonly Action[];

const ChangeSchema = closed({
  field: Text,
  before: Type.Optional(Value),
  after: Value,
  says: Type.Optional(Text),
  moved: Type.Optional(oneOf(['file', 'live', 'both'])),
} satisfies Record<keyof Change, TSchema>);

/** Only an undo brings back and writes the lock as it was, and it is not saved: a plan that does so is none of ours. */
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

/** What a saved plan looks like. */
export const SavedPlanSchema = closed({
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
