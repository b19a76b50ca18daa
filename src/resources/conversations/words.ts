import { plainTextDocument } from '../../analysis/plain-text-document.ts';
import type { RichDocumentValue } from '../../contract/shapes.ts';
import type { JobContext } from '../../core/jobs.ts';
import { organizations } from '../../core/rows/organizations.ts';
import { Problem } from '../../errors/problem.ts';
import type { ClusterRow, IssueRow } from '../conversation-issues/rows.ts';

export type Words = NonNullable<ClusterRow['words']>;

/** Gives a cluster a name and a summary in other words than the analysis has; undefined where there are none. */
export type Namer = (cluster: ClusterRow, sample: readonly IssueRow[]) => Promise<Words | undefined>;

/** Who names clusters: the analysis itself, or the language model that DOCSCTL_ANALYSIS asks for, unless the organization wants no AI. */
export async function namerOf(context: JobContext): Promise<Namer> {
  const chosen = context.env['DOCSCTL_ANALYSIS'] || 'embedded';
  if (chosen === 'embedded') return async () => undefined;
  if (chosen === 'openai') {
    const organization = await context.read((view) => view.get(organizations, context.job.organization));
    return organization?.ai === true
      ? (await import('./openai.ts')).openaiNamer(context)
      : async () => undefined;
  }
  throw new Problem(
    'precondition-failed',
    `DOCSCTL_ANALYSIS names nothing that docsctl knows: "${chosen.slice(0, 60)}".`,
    { hint: 'Set it to embedded or openai.' },
  );
}

/** A summary that begins with other words. */
export function withWords(summary: RichDocumentValue, words: string): RichDocumentValue {
  const said = plainTextDocument([words]).nodes.map((node) => ({ ...node, key: 'b0' }));
  return { ...summary, nodes: [...said, ...summary.nodes] };
}
