import type { OutputOf } from '../contract/operation.ts';
import { Problem } from '../errors/problem.ts';
import { catalog, type Reason } from '../errors/catalog.ts';
import { getTranslation } from '../resources/translations/contract.ts';
import type { Patience } from './patience.ts';
import type { Session } from './session.ts';
import { waitFor } from './wait.ts';

type Translation = OutputOf<typeof getTranslation>;

/** Waits until a translation is up to date with its source; says how far it is, and fails where it failed. */
export async function waitForTranslation(session: Session, params: { readonly organizationId: string; readonly translationId: string }, patience?: Patience): Promise<Translation> {
  const api = await session.api();
  const done = await waitFor(session, {
    kind: 'translation',
    subject: params.translationId,
    look: (signal) => api.call(getTranslation, { params }, { signal }),
    // While it is running, it is tried again by itself.
    isDone: ({ status, problem }) => status === 'completed' || (status === 'pending' && problem !== undefined),
    describe: ({ status, problem }) => (problem === undefined ? status : `waiting: ${problem.message}`),
    patience,
    command: `docsctl translations get ${params.translationId}`,
  });
  if (done.problem !== undefined) {
    const { reason, message, hint } = done.problem;
    throw new Problem(Object.hasOwn(catalog, reason) ? (reason as Reason) : 'unexpected', `The translation could not be made: ${message}`, {
      hint: `${hint === undefined ? '' : `${hint} `}What is translated already is kept; \`docsctl translations run ${params.translationId} --wait\` goes on.`,
    });
  }
  const { latestKept = 0 } = done.stats;
  if (latestKept > 0)
    session.note(`${latestKept} segment${latestKept === 1 ? ' keeps its' : 's keep their'} words: no answer of the service fitted. \`translations run\` tries again.`);
  return done;
}
