import type { Outgoing } from '../../core/outgoing.ts';
import { Problem } from '../../errors/problem.ts';
import type { Provider } from '../provider.ts';
import { joinUrl, postJson, readField, readKey, readTexts } from './post-json.ts';

/** The language codes that differ for DeepL, as sources and as targets. */
const sources: Readonly<Record<string, string>> = { 'pt-br': 'PT', 'zh-tw': 'ZH', yue: 'ZH', no: 'NB' };
const targets: Readonly<Record<string, string>> = {
  en: 'EN-US',
  pt: 'PT-PT',
  'pt-br': 'PT-BR',
  zh: 'ZH-HANS',
  'zh-tw': 'ZH-HANT',
  yue: 'ZH-HANT',
  no: 'NB',
};

/**
 * Translates with DeepL, or a service with its protocol: DOCSCTL_DEEPL_KEY and DOCSCTL_DEEPL_URL.
 *
 * @throws Problem(invalid-input) if no key is set
 */
export function deepl(outgoing: Outgoing, env: Readonly<Record<string, string | undefined>>): Provider {
  const key = readKey(env, 'DOCSCTL_DEEPL_KEY');
  const base =
    env['DOCSCTL_DEEPL_URL'] ||
    (key.endsWith(':fx') ? 'https://api-free.deepl.com' : 'https://api.deepl.com');
  if (key === '')
    throw new Problem('invalid-input', 'DOCSCTL_DEEPL_KEY is not set.', {
      hint: 'Set DOCSCTL_DEEPL_KEY to your DeepL API key.',
    });
  return {
    name: 'deepl',
    followsInstructions: false,
    limits: { segments: 50, characters: 40_000, parallel: 2 },
    async translate(segments, { from, to, signal }) {
      const answer = await postJson(outgoing, {
        service: 'DeepL',
        setting: 'DEEPL',
        url: joinUrl(base, '/v2/translate'),
        headers: { authorization: `DeepL-Auth-Key ${key}` },
        body: {
          text: segments,
          source_lang: sources[from] ?? from.toUpperCase(),
          target_lang: targets[to] ?? to.toUpperCase(),
          tag_handling: 'xml',
          outline_detection: false,
          split_sentences: 'nonewlines',
          preserve_formatting: true,
        },
        signal,
      });
      const translations = readField(answer, 'translations');
      return readTexts(
        Array.isArray(translations) ? translations.map((each) => readField(each, 'text')) : undefined,
        segments.length,
      );
    },
  };
}
