import { join } from 'node:path';
import { isProblem, Problem } from '../../errors/problem.ts';
import type { Session } from '../session/session.ts';
import { settingsFolder } from '../settings/settings.ts';

/**
 * Returns the error. If it is about a missing resource in a setting that is not an option, the location of the setting is added.
 */
export function withSource(
  { settings, runtime }: Session,
  name: 'org' | 'space' | 'site',
  value: string,
  error: unknown,
): unknown {
  const { value: known, from = '' } = settings[name] ?? {};
  if (!isProblem(error, 'not-found') || known !== value || from.startsWith('--')) return error;
  // Before the name is looked up, the user of --as may be missing.
  if (!error.message.includes(`"${value}"`)) return error;
  const file = from.startsWith('profile ') ? ` in ${join(settingsFolder(runtime), 'config.json')}` : '';
  return error.withHint(
    `The name comes from ${from}${file}. Change it there, or add --${name}. ${error.hint ?? ''}`.trimEnd(),
  );
}

/** Returns the Problem for a caller who can see no organization. */
export function notAMember(): Problem {
  return new Problem(
    'forbidden',
    'You are not a member of any organization here, or your membership is disabled.',
    {
      hint: 'Ask an administrator to add you with `docsctl members invite EMAIL`, or to enable you with `docsctl members update MEMBER --no-disabled`. To create an organization, run `docsctl orgs create`.',
    },
  );
}
