import type { Level } from '../contract/operation.ts';
import { shellWord } from '../contract/shell-word.ts';
import { requiredRole } from '../contract/required-role.ts';
import { notFound, Problem } from '../errors/problem.ts';
import { can, contentRole, type ContentRow, type EffectiveRole, type Subject } from './permissions.ts';
import type { ReadTransaction } from './store.ts';

interface OwnRole {
  /** The role of the person without the limit of the token; undefined if they are no active member with this token. */
  readonly memberRole: EffectiveRole | undefined;
  readonly maxRole: EffectiveRole;
}

interface MissingRole {
  /** The action that requires the role, such as `create a space`. */
  readonly action: string;
  readonly level: Level;
  /** Where the role is required (default: in the organization). */
  readonly place?: string | undefined;
  /** The email of the person, for the command that creates another token (default: a command for one's own token). */
  readonly email?: string;
}

/** The hint for a person who does not have a role. */
export const askForRole =
  'Ask an administrator of the organization for the role, or use a token that has it.';

/** Returns a sentence about a token that limits a person to a role. Null is the role of a guest. */
export function describeLimit(role: string | null): string {
  return `this token allows only ${role === null ? 'what guests may do' : `the ${role} role`}`;
}

/**
 * Returns Problem(forbidden) for a role that a caller lacks. It says whether the token or the role of the person is the reason.
 * `hint` is for a person without the role.
 */
export function missingRole(
  { memberRole: ownRole, maxRole }: OwnRole,
  { action, level, place, email }: MissingRole,
  hint: string = askForRole,
): Problem {
  const required = requiredRole(action, level, place);
  const user = email === undefined ? '' : ` --user ${shellWord(email)}`;
  if (can(ownRole ?? null, level) && !can(maxRole, level))
    return new Problem(
      'forbidden',
      `${required}. You have the ${ownRole} role, but ${describeLimit(maxRole)}.`,
      {
        hint: `Use a token with a higher role. An administrator creates one with \`docsctl tokens create --role ${level}${user}\`, and \`docsctl login\` saves it.`,
      },
    );
  const own =
    ownRole === undefined
      ? 'you have no role there'
      : ownRole === null
        ? 'you are a guest, without a role'
        : `you have the ${ownRole} role`;
  return new Problem('forbidden', `${required}; ${own}.`, { hint });
}

/**
 * Checks the role of a person on a space, collection or site that is not the scope of the operation.
 * @throws Problem(not-found) if the person has no role there; Problem(forbidden) if the role is too low
 */
export async function requireRoleOn(
  tx: ReadTransaction,
  subject: Subject,
  noun: 'space' | 'collection' | 'site',
  row: ContentRow,
  needed: Pick<MissingRole, 'action' | 'level'>,
  hint: string,
): Promise<void> {
  const role = await contentRole(tx, subject, row);
  if (role === null) throw notFound(noun, row.id);
  if (can(role, needed.level)) return;
  const memberRole = await contentRole(tx, { ...subject, maxRole: 'admin' }, row);
  throw missingRole(
    { memberRole, maxRole: subject.maxRole },
    { ...needed, place: `on the ${noun} "${row.title}"` },
    hint,
  );
}
