import { Problem } from '../errors/problem.ts';
import { parsePath, type FieldPath } from './field-path.ts';
import { withSuggestion } from './suggestion.ts';

/** The fields of a conversation that can be mapped, besides `attributes.NAME`. */
export const mappingTargets = [
  'id',
  'subject',
  'createdAt',
  'url',
  'source',
  'parts',
  'body',
  'role',
] as const;
export type MappingTarget = (typeof mappingTargets)[number];

export const messageRoles = ['user', 'assistant', 'team-member'] as const;
export type MessageRole = (typeof messageRoles)[number];

/** How records are converted to conversations. */
export interface Mapping {
  readonly paths: ReadonlyMap<MappingTarget, FieldPath>;
  readonly attributes: ReadonlyMap<string, FieldPath>;
  /** The default value of the attribute `source`. */
  readonly source: string | undefined;
  /** The role for each name of an author's role, in lower case. "*" is the role for all other names. */
  readonly roles: ReadonlyMap<string, MessageRole>;
  /** Whether each record is a message, and the records with the same ID are one conversation. */
  readonly isGrouped?: boolean;
}

const knownRoleNames: readonly (readonly [MessageRole, string])[] = [
  ['user', 'user customer end-user end_user enduser requester visitor client contact lead'],
  ['assistant', 'assistant bot ai chatbot'],
  ['team-member', 'team-member team_member teammate agent admin staff support operator employee'],
];

/**
 * Parses the options `--map TARGET=PATH`, `--role NAME=ROLE` and `--group-by PATH`. Returns undefined if there are none and no
 * source.
 *
 * @throws Problem(invalid-input)
 */
export function readMapping(
  maps: readonly string[],
  words: readonly string[],
  source: string | undefined,
  groupBy?: string,
): Mapping | undefined {
  if (maps.length === 0 && words.length === 0 && source === undefined && groupBy === undefined)
    return undefined;
  return buildMapping(
    maps.map((text) => splitPair(text, '--map', 'id=.ticket')),
    words.map((text) => splitPair(text, '--role', 'agent=team-member')),
    source,
    (message, hint) => {
      throw new Problem('invalid-input', message, { hint });
    },
    groupBy,
  );
}

/**
 * Creates a mapping from pairs of target and path, and of name and role. With `groupBy`, each record is a message, and `groupBy`
 * is the path of the ID of its conversation. `fault` receives each error, and the invalid target or name.
 */
export function buildMapping(
  maps: readonly (readonly [string, string])[],
  words: readonly (readonly [string, string])[],
  source: string | undefined,
  fault: (message: string, hint: string | undefined, about: string) => void,
  groupBy?: string,
): Mapping {
  const paths = new Map<MappingTarget, FieldPath>();
  const attributes = new Map<string, FieldPath>();
  // An ID that is mapped to the same field twice is no fault.
  const allMaps =
    groupBy === undefined
      ? maps
      : [...maps.filter(([target, text]) => target !== 'id' || text !== groupBy), ['id', groupBy] as const];
  for (const [target, text] of allMaps) {
    const path = parsePath(text);
    const attribute = /^attributes\.(.+)$/s.exec(target)?.[1];
    const field = mappingTargets.find((one) => one === target);
    if (field === undefined && attribute === undefined)
      fault(
        unknownTarget(target),
        'Targets: id, subject, createdAt, url, source, parts, body, role and attributes.NAME.',
        target,
      );
    else if (path === undefined)
      fault(
        `"${text.slice(0, 100)}" is not a path.`,
        'Write a path like .field, .outer.inner, .list[0] or ."odd name", or give the name of a column.',
        target,
      );
    else if (field === undefined ? attributes.has(attribute ?? '') : paths.has(field))
      fault(
        `The target "${target}" is given twice.`,
        target === 'id' && groupBy !== undefined ? 'With --group-by, remove --map id.' : undefined,
        target,
      );
    else if (field !== undefined) paths.set(field, path);
    else if (attribute !== undefined) attributes.set(attribute, path);
  }
  const roles = new Map(
    knownRoleNames.flatMap(([role, names]) => names.split(' ').map((name) => [name, role] as const)),
  );
  for (const [word, role] of words) {
    const knownRole = messageRoles.find((one) => one === role);
    if (knownRole === undefined)
      fault(`"${role.slice(0, 60)}" is not a role.`, `Roles: ${messageRoles.join(', ')}.`, word);
    else roles.set(word.toLowerCase(), knownRole);
  }
  return { paths, attributes, source, roles, isGrouped: groupBy !== undefined };
}

function unknownTarget(target: string): string {
  return withSuggestion(
    `"${target.slice(0, 100)}" is not a field of a conversation`,
    target.replace(/^(metadata|parts)\./, ''),
    [...mappingTargets, 'attributes.NAME'],
  );
}

function splitPair(text: string, flag: string, example: string): [string, string] {
  const equals = text.indexOf('=');
  if (equals < 1)
    throw new Problem('invalid-input', `${flag} takes NAME=VALUE, not "${text.slice(0, 60)}".`, {
      hint: `For example: ${flag} ${example}`,
    });
  return [text.slice(0, equals), text.slice(equals + 1)];
}
