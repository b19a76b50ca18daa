import { MergeRules, type MergeRulesValue } from '../../contract/shapes.ts';
import type { TSchema } from '../../contract/schema.ts';
import type { Body, Field } from '../kind.ts';
import { fromSchema } from '../read/from-schema.ts';
import type { ListShape, MapShape, OneOfShape, ScalarShape, Shape } from '../read/shape.ts';

const member: Shape = { kind: 'scalar', types: ['string'], minLength: 1, maxLength: 255 };
const members: Shape = { kind: 'list', item: member, minItems: 1, maxItems: 100 };

const long = fromSchema(MergeRules as unknown as TSchema) as OneOfShape;
const ruleNames = ((rulesOf(long).item as MapShape).fields['rule'] as ScalarShape).enum!.map(String);

/** `inherit`, `none`, `{ rule: true, rule: [member, …] }`, or a list of rules as the API has it, where one stands twice. */
const shape: Shape = {
  kind: 'oneOf',
  shapes: [
    { kind: 'scalar', types: ['string'], enum: ['inherit', 'none'] },
    { kind: 'map', fields: Object.fromEntries(ruleNames.map((name) => [name, ruleShape()])) },
    withEmails(rulesOf(long)),
  ],
};

/** Merge rules in their short form, with emails for members. */
export function mergeRulesField<R extends Body & { readonly mergeRules: MergeRulesValue }>(
  initial: 'inherit' | 'none',
): Field<R> {
  return {
    shape,
    people: true,
    default: initial,
    read: ({ mergeRules }, people) =>
      mergeRules.type === 'rules'
        ? shorten(mergeRules.rules.map((rule) => withUsers(rule, (id) => people.emailOf(id))))
        : mergeRules.type,
    normalize: (value, people, fault) =>
      typeof value === 'string'
        ? value
        : shorten(rulesIn(value).map((rule) => withUsers(rule, (user) => people.normal(user, fault)))),
    write: (value, people): MergeRulesValue =>
      typeof value === 'string'
        ? { type: value as 'inherit' | 'none' }
        : {
            type: 'rules',
            rules: rulesIn(value).map((rule) => withUsers(rule, (email) => people.idOf(email))),
          },
  };
}

interface Rule {
  rule: string;
  users?: string[];
}

function withUsers({ rule, users }: Rule, name: (user: string) => string): Rule {
  return users === undefined ? { rule } : { rule, users: [...new Set(users.map(name))].sort() };
}

/** Rules as a map, or as they are where one stands twice, which a map cannot say. */
function shorten(rules: Rule[]): unknown {
  const sorted = [...rules].sort((a, b) => (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0));
  if (new Set(sorted.map(({ rule }) => rule)).size < sorted.length) return sorted;
  return Object.fromEntries(sorted.map(({ rule, users }) => [rule, users ?? true]));
}

function rulesIn(value: unknown): Rule[] {
  if (Array.isArray(value)) return value as Rule[];
  return Object.entries(value as Record<string, true | string[]>).map(([rule, users]) =>
    users === true ? { rule } : { rule, users },
  );
}

function rulesOf({ shapes }: OneOfShape): ListShape {
  return (shapes[1] as MapShape).fields['rules'] as ListShape;
}

function ruleShape(): Shape {
  return { kind: 'oneOf', shapes: [{ kind: 'scalar', types: ['boolean'], enum: [true] }, members] };
}

/** In a manifest a member is an email or an id, where the API takes ids alone. */
function withEmails(list: ListShape): ListShape {
  const item = list.item as MapShape;
  return { ...list, item: { ...item, fields: { ...item.fields, users: members } } };
}
