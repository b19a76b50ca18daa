import type { Session } from '../../session/session.ts';
import { describeFailure, type Specification } from './wait.ts';

/** Notes which specifications could not be processed, and how to check those that are not processed yet. */
export function noteFailures(session: Session, results: readonly unknown[]): void {
  for (const specification of results as readonly Specification[]) {
    const failure = describeFailure(specification);
    if (specification.processingState !== 'complete')
      session.note(
        `The specification ${specification.slug} is not processed yet. To see the outcome later, run \`docsctl openapi get ${specification.slug}\`.`,
      );
    else if (failure !== undefined) session.note(`warning: ${failure.message} ${failure.hint}`);
  }
}
