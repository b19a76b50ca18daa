import type { OutputOf } from '../../../contract/operation.ts';
import { plural } from '../../../contract/values.ts';
import { reasonNamed } from '../../../errors/catalog.ts';
import { Problem } from '../../../errors/problem.ts';
import { getTranslation } from '../../../resources/translations/contract.ts';
import { defaultsOf, printResults } from '../../results/print-results.ts';
import type { Session } from '../../session/session.ts';
import { notePending, waitForJob } from '../../session/wait.ts';

type Translation = OutputOf<typeof getTranslation>;
type Params = { readonly organizationId: string; readonly translationId: string };

/** The flag of commands that start a translation. */
export const waitOption = ['--wait', 'wait until the space is translated'] as const;

/** Waits until a translation is up to date with its source, and notes texts that could not be translated. @throws Problem */
export async function waitForTranslation(session: Session, params: Params): Promise<Translation> {
  const api = await session.api();
  const { translationId } = params;
  const translation = await waitForJob(session, {
    kind: 'translation',
    subject: translationId,
    read: (signal) => api.call(getTranslation, { params }, { signal }),
    // A failed translation that is still running is retried automatically.
    isDone: ({ status, problem }) =>
      status === 'completed' || (status === 'pending' && problem !== undefined),
    describe: ({ status, problem }) =>
      problem === undefined ? status : `retrying after: ${problem.message}`,
    command: `docsctl translations get ${translationId}`,
  });
  if (translation.problem !== undefined) {
    const { reason, message, hint } = translation.problem;
    const goOn = `The translation stays, with the text that is already translated. Continue with \`docsctl translations run ${translationId} --wait\`, or remove it with \`docsctl translations delete ${translationId}\`.`;
    throw new Problem(reasonNamed(reason) ?? 'unexpected', `The translation failed: ${message}`, {
      hint: hint === undefined ? goOn : `${hint} ${goOn}`,
    });
  }
  noteStats(session, translation);
  return translation;
}

/** Notes segments and edits that the last run kept or replaced. @throws Problem(partly-failed) if nothing was translated */
function noteStats({ note }: Session, { stats }: Translation): void {
  const { latestKept = 0, latestWords, latestEditsKept = 0, latestEditsReplaced = 0 } = stats;
  if (latestKept > 0 && latestWords === 0) {
    const kept = plural(latestKept, 'segment');
    throw new Problem(
      'partly-failed',
      `Nothing was translated: the service returned no usable translation for ${kept}.`,
      { hint: 'Choose another model or service, then run `docsctl translations run`.' },
    );
  }
  if (latestKept > 0)
    note(
      `${plural(latestKept, 'segment')} stayed untranslated, because the service returned no usable translation. \`docsctl translations run\` tries again.`,
    );
  if (latestEditsKept > 0)
    note(`${plural(latestEditsKept, 'manual edit')} kept, although the text there was translated again.`);
  if (latestEditsReplaced > 0)
    note(
      `${plural(latestEditsReplaced, 'manual edit')} replaced because the source changed there. The earlier text is in the history of the space.`,
    );
}

/** Prints translations, and notes the command that runs their jobs. */
export async function printTranslations(
  session: Session,
  translations: readonly Translation[],
  isList: boolean,
): Promise<void> {
  await printResults(session, translations, defaultsOf(getTranslation, 'translations'), isList);
  if (translations.some(({ status }) => status === 'pending'))
    await notePending(session, translations.length);
}
