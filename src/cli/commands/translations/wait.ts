import type { OutputOf } from '../../../contract/operation.ts';
import { Problem } from '../../../errors/problem.ts';
import { catalog, type Reason } from '../../../errors/catalog.ts';
import { getTranslation } from '../../../resources/translations/contract.ts';
import { fieldPaths } from '../../../contract/paths.ts';
import type { Session } from '../../session.ts';
import { notePending, waitForJob, type Timeout } from '../../wait.ts';

type Translation = OutputOf<typeof getTranslation>;
type Params = { readonly organizationId: string; readonly translationId: string };

/** The flag of commands after which a translation is made. */
export const waitOption = ['--wait', 'wait until the space is translated'] as const;

/** Waits until a translation is up to date with its source; says how far it is, and fails where it failed. */
export async function waitForTranslation(
  session: Session,
  params: Params,
  timeout?: Timeout,
): Promise<Translation> {
  const api = await session.api();
  const done = await waitForJob(session, {
    kind: 'translation',
    subject: params.translationId,
    read: (signal) => api.call(getTranslation, { params }, { signal }),
    // While it is running, it is tried again by itself.
    isDone: ({ status, problem }) =>
      status === 'completed' || (status === 'pending' && problem !== undefined),
    describe: ({ status, problem }) => (problem === undefined ? status : `waiting: ${problem.message}`),
    timeout,
    command: `docsctl translations get ${params.translationId}`,
  });
  if (done.problem !== undefined) {
    const { reason, message, hint } = done.problem;
    throw new Problem(
      Object.hasOwn(catalog, reason) ? (reason as Reason) : 'unexpected',
      `The translation could not be made: ${message}`,
      {
        hint: `${hint === undefined ? '' : `${hint} `}What is translated already is kept; \`docsctl translations run ${params.translationId} --wait\` goes on.`,
      },
    );
  }
  noteRun(session, done);
  return done;
}

/** Says what of a run is not as the service would have it. */
function noteRun({ note }: Session, { stats }: Translation): void {
  const { latestKept = 0, latestWords, latestEditsKept = 0, latestEditsReplaced = 0 } = stats;
  if (latestKept > 0 && latestWords === 0)
    throw new Problem(
      'partly-failed',
      `Nothing was translated: no answer of the service fitted, so ${count(latestKept, 'segment keeps its words', 'segments keep their words')}.`,
      {
        hint: 'Try another model or service; `docsctl translations run` asks again.',
      },
    );
  if (latestKept > 0)
    note(
      `${count(latestKept, 'segment is', 'segments are')} left untranslated: no answer of the service fitted. \`translations run\` tries again.`,
    );
  if (latestEditsKept > 0)
    note(
      `${count(latestEditsKept, 'edit', 'edits')} by hand kept, though the words there are translated anew.`,
    );
  if (latestEditsReplaced > 0)
    note(
      `${count(latestEditsReplaced, 'edit', 'edits')} by hand replaced, because the source changed there; the history of the space has what was there.`,
    );
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** Shows translations when what was asked for is done, or says who does it. */
export async function showTranslations(
  session: Session,
  translations: readonly Translation[],
): Promise<void> {
  const printer = await session.printer({
    columns: getTranslation.cli.columns ?? [],
    noun: 'translations',
    fields: fieldPaths(getTranslation.returns.schema ?? {}),
  });
  await (translations.length === 1
    ? printer.one(translations[0])
    : printer.page({ count: translations.length, items: translations }));
  await printer.end();
  if (translations.some(({ status }) => status === 'pending'))
    await notePending(session, translations.length);
}
