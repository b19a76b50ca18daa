import { MergeRules, rulesAboutMembers, type MergeRulesValue } from '../../contract/shapes.ts';
import { closed, oneOf, Type, type TObject, type TSchema } from '../../contract/schema.ts';
import { defined } from '../../contract/values.ts';
import type { Body, Field } from '../kind.ts';
import { choicesOf } from '../read/schema.ts';
import { person } from './fields.ts';

const members = Type.Array(person, {
  minItems: 1,
  maxItems: 100,
  description: 'the members that the rule is about',
});
const { items, maxItems } = MergeRules['anyOf'][1].properties.rules as ReturnType<typeof Type.Array<TObject>>;
const ruleNames = (choicesOf(items.properties['rule'] ?? {}) ?? []).map(String);

const ruleTexts: Readonly<Record<string, string>> = {
  require_specific_reviewers: 'each of these members has to approve',
  require_one_of_specific_reviewers: 'one of these members has to approve',
  allow_bypass: 'these members may merge even if the other rules are not met',
  require_at_least_one_review: 'a member other than the author has to review',
  require_at_least_one_approved_review: 'a member other than the author has to approve',
  require_all_reviews_approved: 'no reviewer may have asked for changes',
  require_agent_review: 'an AI agent has to review; docsctl serve has no such agents',
  require_up_to_date_change_request: 'the change request has to contain the latest content of the space',
  require_change_request_subject: 'the change request needs a subject',
  require_change_request_description: 'the change request needs a description',
  require_author_to_merge: 'only the author may merge',
};

function ruleSchema(name: string) {
  const description = ruleTexts[name] ?? 'a merge rule';
  return Type.Optional(
    isAboutMembers(name) ? { ...members, description } : Type.Literal(true, { description }),
  );
}

function isAboutMembers(rule: string): boolean {
  return rulesAboutMembers.includes(rule);
}

const [memberRules, otherRules] = [true, false].map((about) =>
  oneOf(
    ruleNames.filter((name) => isAboutMembers(name) === about),
    { description: about ? 'name of a rule about members' : 'name of a rule' },
  ),
) as [TSchema, TSchema];

/** `inherit`, `none`, `{ rule: true, rule about members: [member, …] }`, or the list of the API if a rule is used twice. */
const branches = [
  oneOf(['inherit', 'none']),
  closed(Object.fromEntries(ruleNames.map((name) => [name, ruleSchema(name)]))),
  Type.Array(
    Type.Union([closed({ rule: memberRules, users: members }), closed({ rule: otherRules })]),
    defined({ maxItems }),
  ),
];

/** Merge rules in their short form, with emails for members. */
export function mergeRulesField<R extends Body & { readonly mergeRules: MergeRulesValue }>(
  initial: 'inherit' | 'none',
): Field<R> {
  return {
    schema: Type.Union(branches, {
      description: `what a change request needs before it can be merged: rules by name, or ${
        initial === 'inherit' ? 'inherit for those of the organization, or none' : 'none'
      }`,
    }),
    people: true,
    default: initial,
    read: ({ mergeRules }, people) =>
      mergeRules.type === 'rules'
        ? shorten(mergeRules.rules.map((rule) => withUsers(rule, (id) => people.emailOf(id))))
        : mergeRules.type,
    normalize: (value, people, fault) =>
      typeof value === 'string'
        ? value
        : shorten(rulesIn(value).map((rule) => withUsers(rule, (user) => people.normalize(user, fault)))),
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
