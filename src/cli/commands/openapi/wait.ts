import { howToAllowPrivate } from '../../../client/allow-private.ts';
import type { OutputOf } from '../../../contract/operation.ts';
import { plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { getSpec } from '../../../resources/openapi/contract.ts';
import type { Session } from '../../session/session.ts';
import { waitForJob } from '../../session/wait.ts';

type Specification = OutputOf<typeof getSpec>;

/** Waits until a specification is processed. @throws Problem(invalid-input, unreachable, forbidden) with its errors */
export async function waitForSpecification(
  session: Session,
  { id }: Pick<Specification, 'id'>,
  params: { organizationId: string; specSlug: string },
): Promise<Specification> {
  const api = await session.api();
  const specification = await waitForJob(session, {
    kind: 'openapi',
    subject: id,
    read: (signal) => api.call(getSpec, { params }, { signal }),
    isDone: ({ processingState }) => processingState === 'complete',
    describe: ({ processingState }) => processingState,
    command: `docsctl openapi get ${params.specSlug}`,
  });
  const failure = describeFailure(specification);
  if (failure !== undefined) throw failure;
  return specification;
}

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

/** Describes why the last processing of a specification failed; undefined if it did not. */
function describeFailure(specification: Specification): Problem | undefined {
  const { slug, lastProcessErrorCode: reason, lastProcessedErrors: errors = [], lastVersion } = specification;
  if (reason === undefined) return undefined;
  const isForbidden = errors.some(({ code }) => code === 'forbidden');
  // The API has one code for all errors of a text; each error has its own.
  const count = plural(errors.length, 'error');
  const what = reason === 'PARSE_ERROR' && errors.length > 0 ? count : reason;
  const state =
    lastVersion === undefined
      ? `The specification ${slug} was created, but has no version yet`
      : `The latest version of ${slug} does not change`;
  const allow = isForbidden ? ` ${howToAllowPrivate}` : '';
  const remove = lastVersion === undefined ? `, or delete it: \`docsctl openapi delete ${slug}\`` : '';
  return new Problem(
    isForbidden ? 'forbidden' : reason === 'PARSE_ERROR' ? 'invalid-input' : 'unreachable',
    `The specification ${slug} could not be processed: ${what}.`,
    {
      violations: errors.map(({ code, message }) => ({
        path: slug,
        message: code === undefined ? message : `${code}: ${message}`,
      })),
      hint: `${state}.${allow} Correct the source and publish it again: \`docsctl openapi publish FILE --slug ${slug}\`${remove}`,
    },
  );
}
