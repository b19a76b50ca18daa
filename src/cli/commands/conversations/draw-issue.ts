import type { OutputOf } from '../../../contract/operation.ts';
import { orUndefined } from '../../../errors/problem.ts';
import { getCluster } from '../../../resources/conversation-clusters/contract.ts';
import type { getIssue } from '../../../resources/conversation-issues/contract.ts';
import { resolveOrganization } from '../../names/names.ts';
import { displayText } from '../../output/cell.ts';
import type { Session } from '../../session/session.ts';

type Answer = OutputOf<typeof getIssue>;

/**
 * Draws an issue as a page: its impact with reasons, its cluster and conversation, and details. Control characters are escaped.
 */
export async function drawIssue(session: Session, { issue, conversation }: Answer): Promise<string> {
  const { drawPage } = await import('../../output/markdown/render.ts');
  const { id, title, cluster, createdAt, details } = issue;
  const subject = conversation.subject ? ` "${conversation.subject}"` : '';
  const facts = [
    id,
    await describeImpact(issue),
    displayText(createdAt),
    cluster === undefined ? 'in no cluster' : `cluster ${await describeCluster(session, cluster)}`,
    `conversation ${conversation.id}${subject}`,
  ];
  const description = facts.map((fact) => fact.replace(/\s+/g, ' ')).join(' · ');
  return drawPage(session.terminal, { title, description, nodes: details.nodes });
}

/** Describes the impact with its reasons, unless it was decided elsewhere for other reasons. */
async function describeImpact({ impact, summary }: Answer['issue']): Promise<string> {
  const { rateImpact } = await import('../../../analysis/impact.ts');
  const rated = rateImpact(summary);
  return `${impact} impact${rated.impact === impact ? ` (${rated.reasons.join(', ')})` : ''}`;
}

/** Returns the label and ID of a cluster; only the ID if a later analysis removed the cluster. */
async function describeCluster(session: Session, clusterId: string): Promise<string> {
  const organizationId = await resolveOrganization(session);
  const reading = session.call(getCluster, { params: { organizationId, clusterId } });
  const cluster = await orUndefined(reading, 'not-found');
  return cluster === undefined ? clusterId : `"${cluster.label}" (${clusterId})`;
}
