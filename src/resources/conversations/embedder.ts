import {
  findPointsWithoutSentence,
  putSentences,
  type SentenceEmbedder,
  shortenVector,
} from '../../analysis/sentence-vectors.ts';
import { truncate } from '../../analysis/title.ts';
import type { JobContext } from '../../core/jobs.ts';
import { isAiOn, modelOutgoing, usesModel } from '../../core/model-requests.ts';
import { Problem } from '../../errors/problem.ts';
import { findConversation, findIssueOfPoint } from './representative-issues.ts';
import { knownDataOf, redactTextOf } from './private-data.ts';
import type { ConversationRow } from './rows.ts';
import type { StoredAnalysisState } from './stored-state.ts';

/** Texts of one request, and characters of each: small models read a few hundred words. */
const maxSent = { texts: 32, characters: 1000 };
/** Points that get their vectors in one transaction. */
const pointsPerTransaction = 256;

interface EmbeddedIssue {
  readonly title: string;
  /** The details as plain text. */
  readonly text: string;
  readonly conversation: ConversationRow | undefined;
}

export interface IssueEmbedder extends SentenceEmbedder<EmbeddedIssue> {
  /** Why a request failed, if one did. The model is not asked again in this run. */
  readonly failure: () => string | undefined;
}

/**
 * The embedding model that DOCSCTL_EMBEDDINGS asks for; none if the organization has disabled AI, which is checked again before
 * each request.
 *
 * @throws Problem(precondition-failed) for another value.
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
      for (let start = 0; start < issues.length; start += maxSent.texts)
        vectors.push(...(await embedBatch(issues.slice(start, start + maxSent.texts))));
      return vectors;
    },
  };
}

/** Returns what the model gets of an issue, without private data. A title that the text contains is not repeated. */
function textToSend({ title, text, conversation }: EmbeddedIssue): string {
  const bare = title.replace(/…$/, '').toLowerCase();
  const whole = text.toLowerCase().includes(bare) ? text : `${title}\n${text}`;
  return truncate(redactTextOf(knownDataOf(conversation))(whole), maxSent.characters);
}

/** Asks for the vectors of all points that have none of this model. Stops when a request fails. */
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
      const rows: (EmbeddedIssue & { readonly point: string })[] = [];
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
