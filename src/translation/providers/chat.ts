import type { Outgoing } from '../../core/outgoing.ts';
import { readOpenaiService } from './openai-service.ts';
import { joinUrl, postJson, readField } from './post-json.ts';

/** A language model that answers JSON with JSON. */
interface Chat {
  readonly model: string;
  /** Sends a question and returns the object in the answer; undefined if the answer contains none or is too large. */
  ask(system: string, user: unknown, signal: AbortSignal | undefined): Promise<unknown>;
}

/**
 * Opens a language model with OpenAI's chat protocol from DOCSCTL_OPENAI_URL, _MODEL and _KEY.
 *
 * @throws Problem(invalid-input) if neither a key nor an address is set
 */
export function openChat(outgoing: Outgoing, env: Readonly<Record<string, string | undefined>>): Chat {
  const { base, headers } = readOpenaiService(env);
  const model = env['DOCSCTL_OPENAI_MODEL'] || 'gpt-4o-mini';
  return {
    model,
    async ask(system, user, signal) {
      const answer = await postJson(outgoing, {
        service: 'The language model',
        setting: 'OPENAI',
        url: joinUrl(base, '/chat/completions'),
        headers,
        body: {
          model,
          response_format: { type: 'json_object' },
          messages: [
            { role: 'system', content: system },
            { role: 'user', content: JSON.stringify(user) },
          ],
        },
        signal,
      });
      const content = readField(answer, 'choices', 0, 'message', 'content');
      return typeof content === 'string' ? readObject(content) : undefined;
    },
  };
}

/** Parses the JSON object in an answer, which may have a code fence or words around it. */
function readObject(content: string): unknown {
  const [start, end] = [content.indexOf('{'), content.lastIndexOf('}')];
  if (start === -1 || end < start) return undefined;
  try {
    return JSON.parse(content.slice(start, end + 1)) as unknown;
  } catch {
    return undefined;
  }
}
