import { MergeRules, rulesAboutMembers, type MergeRulesValue } from '../../contract/shapes.ts';
import { closed, oneOf, Type, type TObject } from '../../contract/schema.ts';
import { defined } from '../../contract/values.ts';
import type { Body, Field } from '../kind.ts';
import { choicesOf } from '../read/schema.ts';
import { person } from './fields.ts';

const members = Type.Array(person, {
  minItems: 1,
  maxItems: 100,
  description:
    'members that the rule names, by email address or ID. The rules require_specific_reviewers, require_one_of_specific_reviewers and allow_bypass need this list; no other rule can have it',
});
const { items, maxItems } = MergeRules['anyOf'][1].properties.rules as ReturnType<typeof Type.Array<TObject>>;
const ruleNames = (choicesOf(items.properties['rule'] ?? {}) ?? []).map(String);

const ruleTexts: Readonly<Record<string, string>> = {
  require_specific_reviewers:
    'all members in this list have to approve; they are named by email address or ID',
  require_one_of_specific_reviewers:
    'at least one member in this list has to approve; they are named by email address or ID',
  allow_bypass:
    'the members in this list may merge even if the other rules are not met; they are named by email address or ID',
  require_at_least_one_review:
    'true: a member who neither created nor edited the change request has to review',
  require_at_least_one_approved_review:
    'true: a member who neither created nor edited the change request has to approve',
  require_all_reviews_approved: 'true: no reviewer may have asked for changes',
  require_agent_review:
    'true: an AI agent has to review. docsctl has no AI agents, so this rule is never met',
  require_up_to_date_change_request:
    'true: the change request has to contain the latest content of the space',
  require_change_request_subject: 'true: the change request needs a subject',
  require_change_request_description: 'true: the change request needs a description',
  require_author_to_merge: 'true: only the author may merge',
};

function ruleSchema(name: string) {
  const description = ruleTexts[name] ?? 'a merge rule';
  return Type.Optional(
    rulesAboutMembers.includes(name) ? { ...members, description } : Type.Literal(true, { description }),
  );
}

const ruleName = Type.Unsafe<string>({ ...items.properties['rule'], description: 'name of a rule' });

/** A map of rules by name, with `true` or their members; or the list of the API if a rule is used twice. */
const ruleForms = [
  closed(Object.fromEntries(ruleNames.map((name) => [name, ruleSchema(name)]))),
  Type.Array(closed({ rule: ruleName, users: Type.Optional(members) }), defined({ maxItems })),
];

/** Merge rules in a short form, with emails for members. */
export function mergeRulesField<R extends Body & { mergeRules: MergeRulesValue }>(
  initial: 'inherit' | 'none',
): Field<R> {
  return {
    schema: Type.Union([oneOf(initial === 'inherit' ? ['inherit', 'none'] : ['none']), ...ruleForms], {
      description: `what a change request needs before it can be merged: rules by name${
        initial === 'inherit' ? '; inherit: the rules of the organization' : ''
      }; none: no rules`,
    }),
    people: true,
    default: initial,
    check: (value, _, fault) => {
      if (!Array.isArray(value)) return;
      for (const [index, { rule, users }] of (value as Rule[]).entries()) {
        if (rulesAboutMembers.includes(rule) && users === undefined)
          fault(`the rule "${rule}" needs "users", a list of members`, [index]);
        if (!rulesAboutMembers.includes(rule) && users !== undefined)
          fault(`the rule "${rule}" cannot have "users"; remove it`, [index, 'users']);
      }
    },
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

/** Returns rules as a map. If a rule is used twice, it returns the list, because a map cannot contain it twice. */
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
