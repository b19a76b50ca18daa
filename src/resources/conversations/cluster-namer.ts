import { plainTextDocument } from '../../analysis/plain-text-document.ts';
import type { RichDocumentValue } from '../../contract/shapes.ts';
import type { JobContext } from '../../core/jobs.ts';
import { isAiOn, modelOutgoing, usesModel } from '../../core/model-requests.ts';
import type { ClusterRow, IssueRow } from '../conversation-issues/rows.ts';

export type ClusterWords = NonNullable<ClusterRow['words']>;

/** Returns a label and a summary that replace those of the analysis; undefined to keep those of the analysis. */
export type ClusterNamer = (
  cluster: ClusterRow,
  sample: readonly IssueRow[],
) => Promise<ClusterWords | undefined>;

/**
 * Creates the namer that DOCSCTL_ANALYSIS selects: a language model, or a namer that always returns undefined. The model is not
 * used if the organization has disabled AI, which is checked again before each request.
 *
 * @throws Problem(invalid-input) for another value
 */
export async function createNamer(context: JobContext): Promise<ClusterNamer> {
  if (!usesModel(context.env, 'DOCSCTL_ANALYSIS', 'embedded')) return async () => undefined;
  if (!(await isAiOn(context))) {
    context.progress('names clusters without the language model: AI features are off in this organization');
    return async () => undefined;
  }
  return (await import('./openai-namer.ts')).createOpenaiNamer({
    ...context,
    outgoing: modelOutgoing(context),
  });
}

/** Adds a paragraph at the start of a summary. */
export function prependParagraph(summary: RichDocumentValue, text: string): RichDocumentValue {
  const nodes = plainTextDocument([text]).nodes.map((node) => ({ ...node, key: 'b0' }));
  return { ...summary, nodes: [...nodes, ...summary.nodes] };
}
