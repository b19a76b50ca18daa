import { Problem } from '../errors/problem.ts';
import { getAnalysis } from '../resources/conversations/contract.ts';
import type { Patience } from './patience.ts';
import type { Session } from './session.ts';
import { waitFor } from './wait.ts';

/** Waits until all conversations of an organization are analysed; does it here where the store is here. */
export async function waitForAnalysis(session: Session, organizationId: string, patience?: Patience): Promise<void> {
  const api = await session.api();
  const done = await waitFor(session, {
    kind: 'conversations',
    subject: organizationId,
    look: (signal) => api.call(getAnalysis, { params: { organizationId } }, { signal }),
    isDone: ({ state }) => state === 'idle' || state === 'failed',
    describe: ({ batches }) => (batches > 0 ? `${batches} batches wait` : 'works out the clusters'),
    patience,
    command: 'docsctl conversations analysis',
  });
  if (done.state === 'failed')
    throw new Problem('precondition-failed', `The conversations are in, but could not be analysed: ${done.problem?.message ?? 'nobody knows why'}`, {
      hint: `docsctl jobs retry conversations.${organizationId} tries again.`,
    });
}
