import { Problem } from '../../errors/problem.ts';
import { readKey } from './post-json.ts';

/** The address of a service with OpenAI's protocols, and the request headers that it requires. */
interface OpenaiService {
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads DOCSCTL_OPENAI_URL and DOCSCTL_OPENAI_KEY. @throws Problem(invalid-input) if neither a key nor an address is set */
export function readOpenaiService(env: Readonly<Record<string, string | undefined>>): OpenaiService {
  const base = env['DOCSCTL_OPENAI_URL'] || 'https://api.openai.com/v1';
  const key = readKey(env, 'DOCSCTL_OPENAI_KEY');
  if (key === '' && !env['DOCSCTL_OPENAI_URL']) {
    throw new Problem('invalid-input', 'DOCSCTL_OPENAI_KEY is not set.', {
      hint: 'Set it to your API key, or set DOCSCTL_OPENAI_URL to a server with the same API.',
    });
  }
  return { base, headers: key === '' ? {} : { authorization: `Bearer ${key}` } };
}
