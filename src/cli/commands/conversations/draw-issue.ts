import type { OutputOf } from '../../../contract/operation.ts';
import { Problem } from '../../../errors/problem.ts';
import { getCluster } from '../../../resources/conversation-clusters/contract.ts';
import type { getIssue } from '../../../resources/conversation-issues/contract.ts';
import { resolveOrganization } from '../../names.ts';
import { displayText } from '../../output/cell.ts';
import type { Session } from '../../session.ts';

type Answer = OutputOf<typeof getIssue>;

/** An issue as a person reads it: how grave it is and why, what it belongs to, and what was written; nothing in it can command the terminal. */
export async function drawIssue(session: Session, { issue, conversation }: Answer): Promise<string> {
  const { terminal } = session;
  const [{ renderPage }, { createStyler }] = await Promise.all([
    import('../../output/markdown/render.ts'),
    import('../../output/style.ts'),
  ]);
  const facts = [
    issue.id,
    await impactOf(issue),
    displayText(issue.createdAt),
    ...(issue.cluster === undefined
      ? ['in no cluster']
      : [`cluster ${await labelOf(session, issue.cluster)}`]),
    `conversation ${conversation.id}${conversation.subject === undefined || conversation.subject === '' ? '' : ` "${conversation.subject}"`}`,
  ];
  const description = facts.map((fact) => fact.replace(/\s+/g, ' ')).join(' · ');
  return renderPage(
    { title: issue.title, description, nodes: issue.details.nodes },
    { columns: terminal.columns, ink: await createStyler(terminal.color) },
  );
}

/** The reasons are those that its words give; where they lead to another impact, somebody else decided and knows why. */
async function impactOf({ impact, summary }: Answer['issue']): Promise<string> {
  const { rateImpact } = await import('../../../analysis/impact.ts');
  const judged = rateImpact(summary);
  return `${impact} impact${judged.impact === impact ? ` (${judged.reasons.join(', ')})` : ''}`;
}

/** The label of a cluster with its id; of one that the next analysis took away, the id. */
async function labelOf(session: Session, clusterId: string): Promise<string> {
  const api = await session.api();
  try {
    const { label } = await api.call(
      getCluster,
      { params: { organizationId: await resolveOrganization(session), clusterId } },
      { signal: session.runtime.signal },
    );
    return `"${label}" (${clusterId})`;
  } catch (error) {
    if (error instanceof Problem && error.reason === 'not-found') return clusterId;
    throw error;
  }
}
