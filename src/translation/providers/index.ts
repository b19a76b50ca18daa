import { isHttpUrl } from '../../contract/open-address.ts';
import type { Outgoing } from '../../core/outgoing.ts';
import { Problem } from '../../errors/problem.ts';
import type { Provider } from '../provider.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Checks the settings of the service in DOCSCTL_TRANSLATION, without a request.
 *
 * @throws the Problems of `openProvider`, and Problem(invalid-input) for an address that is not a URL
 */
export async function checkProvider(env: Env): Promise<void> {
  await openProvider(() => Promise.reject(new Error('The check of the settings sends no request.')), env);
  const variable = `DOCSCTL_${env['DOCSCTL_TRANSLATION']?.toUpperCase()}_URL`;
  if (env[variable] && !isHttpUrl(env[variable]))
    throw new Problem('invalid-input', `${variable} is not an http or https URL.`, {
      hint: `Set ${variable} to the URL of the service.`,
    });
}

/**
 * Opens the service in DOCSCTL_TRANSLATION.
 *
 * @throws Problem(precondition-failed) if the variable is not set; Problem(invalid-input) if the service does not exist, or one of
 * its settings is missing
 */
export async function openProvider(outgoing: Outgoing, env: Env): Promise<Provider> {
  const name = env['DOCSCTL_TRANSLATION'] || '';
  switch (name) {
    case '':
      throw new Problem(
        'precondition-failed',
        'No translation service is configured: DOCSCTL_TRANSLATION is not set.',
        {
          hint: 'Set DOCSCTL_TRANSLATION to openai, deepl or libretranslate. If you use a server, set it in the environment of the server. For a trial without a service, set it to pseudo, which only marks what would be translated.',
        },
      );
    case 'pseudo':
      return (await import('./pseudo.ts')).pseudo();
    case 'openai':
      return (await import('./openai.ts')).openai(outgoing, env);
    case 'deepl':
      return (await import('./deepl.ts')).deepl(outgoing, env);
    case 'libretranslate':
      return (await import('./libretranslate.ts')).libretranslate(outgoing, env);
    default:
      throw new Problem(
        'invalid-input',
        `DOCSCTL_TRANSLATION names an unknown service: "${name.slice(0, 60)}".`,
        {
          hint: 'Set DOCSCTL_TRANSLATION to pseudo, openai, deepl or libretranslate.',
        },
      );
  }
}
