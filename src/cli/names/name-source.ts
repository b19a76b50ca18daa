import { join } from 'node:path';
import { isProblem, Problem } from '../../errors/problem.ts';
import type { Session } from '../session/session.ts';
import { settingsFolder } from '../settings/settings.ts';

/** The error itself; if a setting names something that does not exist, with the place of this setting, unless it is an option. */
export function withSource(
  { settings, runtime }: Session,
  name: 'org' | 'space' | 'site',
  value: string,
  error: unknown,
): unknown {
  const { value: known, from = '' } = settings[name] ?? {};
  if (!isProblem(error, 'not-found') || known !== value || from.startsWith('--')) return error;
  const file = from.startsWith('profile ') ? ` in ${join(settingsFolder(runtime), 'config.json')}` : '';
  const { message, hint, requestId } = error;
  return new Problem('not-found', message, {
    hint: `The name comes from ${from}${file}. Change it there, or add --${name}. ${hint ?? ''}`.trimEnd(),
    requestId,
    cause: error,
  });
}
