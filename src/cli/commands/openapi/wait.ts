import type { OutputOf } from '../../../contract/operation.ts';
import { Problem } from '../../../errors/problem.ts';
import { getSpec } from '../../../resources/openapi/contract.ts';
import type { Session } from '../../session.ts';
import { waitForJob, type Timeout } from '../../wait.ts';

type Spec = OutputOf<typeof getSpec>;
type Params = { readonly organizationId: string; readonly specSlug: string };

/** Waits until a specification is processed; refuses one that has errors, with each of them. */
export async function waitForSpecification(
  session: Session,
  params: Params,
  { id }: Spec,
  timeout?: Timeout,
): Promise<Spec> {
  const api = await session.api();
  const done = await waitForJob(session, {
    kind: 'openapi',
    subject: id,
    read: (signal) => api.call(getSpec, { params }, { signal }),
    isDone: ({ processingState }) => processingState === 'complete',
    describe: ({ processingState }) => processingState,
    timeout,
    command: `docsctl openapi get ${params.specSlug}`,
  });
  refuseFailure(done);
  return done;
}

function refuseFailure({ slug, lastProcessErrorCode, lastProcessedErrors = [], lastVersion }: Spec): void {
  if (lastProcessErrorCode === undefined) return;
  const isForbidden = lastProcessedErrors.some(({ code }) => code === 'forbidden');
  const stands =
    lastVersion === undefined
      ? `${slug} exists now, without a version`
      : `The version before stays the latest of ${slug}`;
  const allow = isForbidden ? ' Whoever runs docsctl can allow the address: DOCSCTL_ALLOW_PRIVATE.' : '';
  const remove = lastVersion === undefined ? `, or delete it: docsctl openapi delete ${slug}` : '';
  const count = lastProcessedErrors.length;
  // The API has one code for all that is wrong with a text; each error has its own.
  const what =
    lastProcessErrorCode === 'PARSE_ERROR' && count > 0
      ? count === 1
        ? 'one error'
        : `${count} errors`
      : lastProcessErrorCode;
  throw new Problem(
    isForbidden ? 'forbidden' : 'invalid-input',
    `The specification ${slug} could not be processed: ${what}.`,
    {
      violations: lastProcessedErrors.map(({ code, message }) => ({
        path: slug,
        message: code === undefined ? message : `${code}: ${message}`,
      })),
      hint: `${stands}.${allow} Publish it again from a good source: docsctl openapi publish FILE|URL --slug ${slug}${remove}`,
    },
  );
}
