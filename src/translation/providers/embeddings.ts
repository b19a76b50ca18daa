import type { Outgoing } from '../../core/outgoing.ts';
import { Problem } from '../../errors/problem.ts';
import { readOpenaiService } from './openai-service.ts';
import { joinUrl, postJson, readField } from './post-json.ts';

/** Maximum length of a vector. */
const maxNumbers = 16_384;

/** A model that turns texts into vectors. */
interface EmbeddingService {
  readonly model: string;
  /** Returns a vector for each text. @throws the Problems of `postJson`, and Problem(unreachable) for an invalid answer */
  embed(texts: readonly string[], signal: AbortSignal | undefined): Promise<readonly (readonly number[])[]>;
}

/**
 * Opens an embedding model with OpenAI's protocol from DOCSCTL_OPENAI_URL, _EMBEDDING_MODEL and _KEY.
 *
 * @throws Problem(invalid-input) if neither a key nor an address is set
 */
export function openEmbeddings(
  outgoing: Outgoing,
  env: Readonly<Record<string, string | undefined>>,
): EmbeddingService {
  const { base, headers } = readOpenaiService(env);
  const model = env['DOCSCTL_OPENAI_EMBEDDING_MODEL'] || 'text-embedding-3-small';
  return {
    model,
    async embed(input, signal) {
      const answer = await postJson(outgoing, {
        service: 'The embedding model',
        setting: 'OPENAI',
        url: joinUrl(base, '/embeddings'),
        headers,
        body: { model, input },
        signal,
      });
      const vectors = readVectors(readField(answer, 'data'), input.length);
      if (vectors === undefined)
        throw new Problem('unreachable', 'The embedding model did not answer with a vector for each text.', {
          hint: 'Check DOCSCTL_OPENAI_URL and DOCSCTL_OPENAI_EMBEDDING_MODEL.',
        });
      return vectors;
    },
  };
}

/** Returns one vector for each text, all of the same length; undefined if the answer has another form. */
function readVectors(data: unknown, count: number): (readonly number[])[] | undefined {
  if (!Array.isArray(data) || data.length !== count) return undefined;
  const vectors: (readonly number[])[] = [];
  for (const [at, item] of data.entries()) {
    const index = readField(item, 'index') ?? at;
    const vector = readField(item, 'embedding');
    if (!isVector(vector) || typeof index !== 'number' || !(index in data)) return undefined;
    vectors[index] = vector;
  }
  const length = vectors[0]?.length;
  return data.every((_, at) => vectors[at]?.length === length) ? vectors : undefined;
}

function isVector(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= maxNumbers &&
    value.every((each) => Number.isFinite(each))
  );
}
