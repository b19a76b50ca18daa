import {
  findPointsWithoutSentence,
  putSentences,
  type SentenceEmbedder,
  shortenVector,
} from '../../analysis/sentence-vectors.ts';
import { shorten } from '../../analysis/title.ts';
import { chunk } from '../../contract/values.ts';
import type { JobContext } from '../../core/jobs.ts';
import { isAiOn, modelOutgoing, usesModel } from '../../core/model-requests.ts';
import { Problem } from '../../errors/problem.ts';
import { findConversation, findIssueOfPoint } from './representative-issues.ts';
import { knownDataOf, redactTextOf } from './private-data.ts';
import type { ConversationRow } from './rows.ts';
import type { StoredAnalysisState } from './stored-state.ts';

/** Maximum number of texts in one request, and of characters of each text: small models read only a few hundred words. */
const maxSent = { texts: 32, characters: 1000 };
/** Number of points whose vectors are stored in one transaction. */
const pointsPerTransaction = 256;

interface EmbeddedIssue {
  readonly title: string;
  /** The details as plain text. */
  readonly text: string;
  readonly conversation: ConversationRow | undefined;
}

export interface IssueEmbedder extends SentenceEmbedder<EmbeddedIssue> {
  /** The error of the failed request, if one failed. The model is then not called again in this run. */
  readonly failure: () => string | undefined;
}

/**
 * Creates the embedder for the model that DOCSCTL_EMBEDDINGS selects. Returns undefined if it selects none, or if the
 * organization has disabled AI, which is checked again before each request.
 *
 * @throws Problem(invalid-input) for another value
 */
export async function createEmbedder(context: JobContext): Promise<IssueEmbedder | undefined> {
  if (!usesModel(context.env, 'DOCSCTL_EMBEDDINGS', 'none')) return undefined;
  if (await isAiOn(context)) return openEmbedder(context);
  context.progress(
    'groups conversations without the embedding model: AI features are off in this organization',
  );
  return undefined;
}

async function openEmbedder(context: JobContext): Promise<IssueEmbedder> {
  const { env, signal } = context;
  const { openEmbeddings } = await import('../../translation/providers/embeddings.ts');
  const service = openEmbeddings(modelOutgoing(context), env);
  let failure: string | undefined;
  const embedBatch = async (batch: readonly EmbeddedIssue[]): Promise<(Float32Array | undefined)[]> => {
    if (failure !== undefined) return batch.map(() => undefined);
    try {
      return (await service.embed(batch.map(textToSend), signal)).map(shortenVector);
    } catch (error) {
      if (!(error instanceof Problem) || error.reason === 'interrupted') throw error;
      failure = error.message;
      return batch.map(() => undefined);
    }
  };
  return {
    model: service.model,
    failure: () => failure,
    async embed(issues) {
      const vectors: (Float32Array | undefined)[] = [];
      for (const some of chunk(issues, maxSent.texts)) vectors.push(...(await embedBatch(some)));
      return vectors;
    },
  };
}

/** Returns the text of an issue for the model, without private data. Leaves out a title that the text contains. */
function textToSend({ title, text, conversation }: EmbeddedIssue): string {
  const bare = title.replace(/…$/, '').toLowerCase();
  const whole = text.toLowerCase().includes(bare) ? text : `${title}\n${text}`;
  return shorten(redactTextOf(knownDataOf(conversation))(whole), maxSent.characters);
}

/** Requests the vectors of all points that have none for this model. Stops when a request fails. */
export async function embedPoints(
  context: JobContext,
  state: StoredAnalysisState,
  embedder: IssueEmbedder,
): Promise<void> {
  const { job, read, progress } = context;
  const missing = await findPointsWithoutSentence(state, embedder.model);
  for (
    let start = 0;
    start < missing.length && embedder.failure() === undefined;
    start += pointsPerTransaction
  ) {
    await state.pause();
    if (start > 0)
      progress(`${(missing.length - start).toLocaleString('en')} texts to go to the embedding model`);
    const points = missing.slice(start, start + pointsPerTransaction);
    const found = await read(async (view) => {
      const rows: (EmbeddedIssue & { point: string })[] = [];
      for (const point of points) {
        const issue = await findIssueOfPoint(view, job.organization, point);
        if (issue === undefined) continue;
        const conversation = await findConversation(view, issue);
        rows.push({ title: issue.title, text: issue.text, conversation, point });
      }
      return rows;
    });
    const embedded = await embedder.embed(found);
    const vectors = new Map<string, Float32Array>();
    for (const [at, { point }] of found.entries()) {
      const vector = embedded[at];
      if (vector !== undefined) vectors.set(point, vector);
    }
    const { writes, baseVersion } = await putSentences(state, embedder.model, vectors);
    await state.write(baseVersion, writes);
  }
}
