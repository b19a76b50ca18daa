import type { Outgoing } from '../../core/outgoing.ts';
import { Problem } from '../../errors/problem.ts';
import type { Provider } from '../provider.ts';
import { joinUrl, postJson, readField, readKey, readTexts } from './post-json.ts';

/** The language codes that differ for LibreTranslate. */
const codes: Readonly<Record<string, string>> = { 'pt-br': 'pb', 'zh-tw': 'zt', no: 'nb' };

/**
 * Translates with LibreTranslate: DOCSCTL_LIBRETRANSLATE_URL, and DOCSCTL_LIBRETRANSLATE_KEY if the server requires one.
 *
 * @throws Problem(invalid-input) if no address is set
 */
export function libretranslate(
  outgoing: Outgoing,
  env: Readonly<Record<string, string | undefined>>,
): Provider {
  const base = env['DOCSCTL_LIBRETRANSLATE_URL'] ?? '';
  const key = readKey(env, 'DOCSCTL_LIBRETRANSLATE_KEY');
  if (base === '')
    throw new Problem('invalid-input', 'DOCSCTL_LIBRETRANSLATE_URL is not set.', {
      hint: 'Set DOCSCTL_LIBRETRANSLATE_URL to the address of LibreTranslate, such as http://localhost:5000.',
    });
  return {
    name: 'libretranslate',
    followsInstructions: false,
    limits: { segments: 25, characters: 4000, parallel: 1 },
    async translate(segments, { from, to, signal }) {
      const answer = await postJson(outgoing, {
        service: 'LibreTranslate',
        setting: 'LIBRETRANSLATE',
        url: joinUrl(base, '/translate'),
        body: {
          q: segments,
          source: codes[from] ?? from,
          target: codes[to] ?? to,
          format: 'html',
          ...(key === '' ? {} : { api_key: key }),
        },
        signal,
      });
      return readTexts(readField(answer, 'translatedText'), segments.length);
    },
  };
}
