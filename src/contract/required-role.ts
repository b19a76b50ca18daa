import type { Level, Operation } from './operation.ts';

/** Returns the action of an operation for the middle of a sentence: `create a space`. */
export function actionOf({ summary }: Pick<Operation, 'summary'>): string {
  const action = summary.replace(/\. .*$|, \w+ first$/s, '');
  return action.charAt(0).toLowerCase() + action.slice(1);
}

/**
 * Returns half a sentence that says which role an action requires, and where, such as `on the space`: `To create a space, you
 * need the create role in the organization`.
 */
export function requiredRole(action: string, level: Level, place = 'in the organization'): string {
  return `To ${action}, you need the ${level} role ${place}`;
}

interface RequiredRole {
  readonly action: string;
  readonly level: string;
  /** The end of the error, starting with the role. */
  readonly rest: string;
}

/** Parses an error that starts with the text of `requiredRole`; undefined for other errors. */
export function readRequiredRole(message: string): RequiredRole | undefined {
  const [, action, rest, level] = /^To (.+?), you need (the (\w+) role .*)$/s.exec(message) ?? [];
  return action === undefined || rest === undefined || level === undefined
    ? undefined
    : { action, level, rest };
}

/** Returns an error about a missing role for another operation. */
export function withAction({ rest }: RequiredRole, operation: Pick<Operation, 'summary'>): string {
  return `To ${actionOf(operation)}, you need ${rest}`;
}
