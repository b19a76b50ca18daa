import type { Level } from '../contract/operation.ts';
import { Problem } from '../errors/problem.ts';
import { can, type EffectiveRole } from './permissions.ts';

/** What a caller lacks. */
export interface MissingRole {
  /** Half a sentence: what requires which role. */
  readonly required: string;
  readonly level: Level;
  /** The role of the person, whatever the token allows. */
  readonly ownRole: EffectiveRole;
  /** The highest role that the token allows. */
  readonly maxRole: EffectiveRole;
  /** The email of the person, for the command that creates another token (default: the command is for oneself). */
  readonly email?: string;
}

/** The hint for a person who does not have a role. */
export const askForRole =
  'Ask an administrator of the organization for the role, or use a token that has it.';

/** Says that a token limits a person to a role; null is that of a guest. */
export function describeLimit(role: string | null): string {
  return `this token allows only ${role === null ? 'what guests may do' : `the ${role} role`}`;
}

/**
 * Returns Problem(forbidden) for a role that a caller lacks: it says whether the token limits the person, or the person
 * does not have the role. `hint` is for a person without the role.
 */
export function missingRole(
  { required, level, ownRole, maxRole, email }: MissingRole,
  hint: string = askForRole,
): Problem {
  const user = email === undefined ? '' : ` --user ${email}`;
  if (can(ownRole, level) && !can(maxRole, level))
    return new Problem(
      'forbidden',
      `${required}. You have the ${ownRole} role, but ${describeLimit(maxRole)}.`,
      {
        hint: `Use a token with a higher role. An administrator creates one with \`docsctl tokens create --role ${level}${user}\`, and \`docsctl login\` saves it.`,
      },
    );
  return new Problem(
    'forbidden',
    `${required}; ${ownRole === null ? 'you are a guest, without a role' : `you have the ${ownRole} role`}.`,
    { hint },
  );
}
