import { plainTextDocument } from '../../analysis/plain-text-document.ts';
import type { RichDocumentValue } from '../../contract/shapes.ts';
import type { JobContext } from '../../core/jobs.ts';
import { isAiOn, modelOutgoing } from '../../core/model-requests.ts';
import { Problem } from '../../errors/problem.ts';
import type { ClusterRow, IssueRow } from '../conversation-issues/rows.ts';

export type ClusterWords = NonNullable<ClusterRow['words']>;

/** Gives a cluster a label and a summary in place of those of the analysis; undefined to keep those. */
export type ClusterNamer = (
  cluster: ClusterRow,
  sample: readonly IssueRow[],
) => Promise<ClusterWords | undefined>;

/**
 * The namer that DOCSCTL_ANALYSIS asks for: none, or a language model unless the organization has disabled AI,
 * which is checked again before each request.
 *
 * @throws Problem(precondition-failed) for another value.
 */
export async function createNamer(context: JobContext): Promise<ClusterNamer> {
  const chosen = context.env['DOCSCTL_ANALYSIS'] || 'embedded';
  if (chosen === 'embedded') return async () => undefined;
  if (chosen === 'openai') {
    if (!(await isAiOn(context))) {
      context.progress('names clusters without the language model: AI features are off in this organization');
      return async () => undefined;
    }
    return (await import('./openai-namer.ts')).createOpenaiNamer({
      ...context,
      outgoing: modelOutgoing(context),
    });
  }
  throw new Problem(
    'precondition-failed',
    `DOCSCTL_ANALYSIS has an unknown value: "${chosen.slice(0, 60)}".`,
    { hint: 'Set it to embedded or openai.' },
  );
}

/** Adds a paragraph at the start of a summary. */
export function prependParagraph(summary: RichDocumentValue, text: string): RichDocumentValue {
  const nodes = plainTextDocument([text]).nodes.map((node) => ({ ...node, key: 'b0' }));
  return { ...summary, nodes: [...nodes, ...summary.nodes] };
}
