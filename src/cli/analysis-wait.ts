import { Problem } from '../errors/problem.ts';
import { listClusters } from '../resources/conversation-clusters/contract.ts';
import { listIssues } from '../resources/conversation-issues/contract.ts';
import { getAnalysis } from '../resources/conversations/contract.ts';
import type { Session } from './session.ts';
import { waitFor, type Timeout } from './wait.ts';

/** Waits until all conversations of an organization are analysed; does it here where the store is here. */
export async function waitForAnalysis(
  session: Session,
  organizationId: string,
  timeout?: Timeout,
): Promise<void> {
  const api = await session.api();
  const done = await waitFor(session, {
    kind: 'conversations',
    subject: organizationId,
    look: (signal) => api.call(getAnalysis, { params: { organizationId } }, { signal }),
    isDone: ({ state }) => state === 'idle' || state === 'failed',
    describe: ({ batches }) => (batches > 0 ? `${batches} batches wait` : 'works out the clusters'),
    timeout,
    command: 'docsctl conversations analysis',
  });
  if (done.state === 'failed')
    throw new Problem(
      'precondition-failed',
      `The conversations are in, but could not be analysed: ${done.problem?.message ?? 'nobody knows why'}`,
      {
        hint: `docsctl jobs retry conversations.${organizationId} tries again.`,
      },
    );
}

/** Says what all conversations of an organization came to, and where to see it. */
export async function sayAnalysed(session: Session, organizationId: string): Promise<void> {
  const api = await session.api();
  const input = { params: { organizationId }, query: { limit: 0 } };
  const { signal } = session.runtime;
  const [issues, clusters] = [
    await api.call(listIssues, input, { signal }),
    await api.call(listClusters, input, { signal }),
  ];
  if (session.terminal.stderrIsTTY)
    session.note('`docsctl conversations clusters list --order-by issues` shows what they are about.');
  session.note(`Analysed: ${counted(issues.count, 'issue')} in ${counted(clusters.count, 'cluster')}.`);
}

function counted(count: number | undefined, noun: string): string {
  return `${count ?? 'some'} ${noun}${count === 1 ? '' : 's'}`;
}
