import { text as textOf } from 'node:stream/consumers';
import { malformedAnswerProblem } from '../../../client/malformed-answer.ts';
import { problemFromResponse } from '../../../client/problem-from-response.ts';
import type { TSchema } from '../../../contract/schema.ts';
import { isRecord } from '../../../contract/values.ts';
import { isProblem, Problem } from '../../../errors/problem.ts';
import type { BackupFacts } from '../../../stores/backup/format.ts';
import type { Session } from '../../session/session.ts';
import type { StreamedAnswer } from '../../../contract/exchange.ts';

/** Whether the settings name a server instead of an embedded store. */
export function isRemote({ settings }: Session): boolean {
  return settings.server !== undefined;
}

/**
 * Passes the bytes of a server's backup to a consumer, and verifies them: the consumer gets the end of the backup only if it is
 * complete.
 *
 * @throws Problem(unreachable) for an incomplete backup; Problem(forbidden) if the caller is not the operator
 */
export async function receiveBackup(
  session: Session,
  consume: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<BackupFacts> {
  const [{ tables }, { verifyArriving }] = await Promise.all([
    import('../../../resources/tables.ts'),
    import('../../../stores/backup/read-backup.ts'),
  ]);
  const { place, body } = await openStream(session, 'POST', '/store/backup', 'application/x-ndjson');
  const damaged = (why: string): Problem =>
    new Problem(
      'unreachable',
      `The backup that ${place} sent is not complete: ${why}. No backup was written.`,
      {
        hint: 'Try again. If it fails again, look at the log of the server.',
      },
    );
  const source = { name: `of ${place}`, foreign: () => damaged('it does not begin like a backup'), damaged };
  let facts: BackupFacts | undefined;
  await consume(
    (async function* () {
      facts = yield* verifyArriving(withSentence(body, place), source, tables);
    })(),
  );
  if (facts === undefined) throw new Error('The backup was not read to its end.');
  return facts;
}

/** Yields the received bytes. Its errors state that nothing was written. */
async function* withSentence(body: AsyncIterable<Uint8Array>, place: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    if (isProblem(error, 'interrupted')) throw interrupted();
    if (!(error instanceof Problem)) throw error;
    throw new Problem(
      error.reason,
      `The backup of ${place} broke off: ${error.message} No backup was written.`,
      { hint: 'Try again. If it fails again, look at the log of the server.', cause: error },
    );
  }
}

/** Returns the Problem of a backup that was interrupted. */
export function interrupted(): Problem {
  return new Problem('interrupted', 'Interrupted. No backup was written.');
}

interface StoreQuestion {
  /** The command, such as `store info`. */
  readonly words: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The schema of the answer. */
  readonly schema: TSchema;
}

/**
 * Returns the answer of a server about its store. It may take long.
 *
 * @throws Problem(unreachable) for an incomplete or unknown answer; Problem(forbidden) if the caller is not the operator
 */
export async function askStore<T extends object>(
  session: Session,
  { words, method, path, schema }: StoreQuestion,
): Promise<T & { place: string }> {
  const { place, body } = await openStream(session, method, path, 'application/json');
  const text = await textOf(body);
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (cause) {
    throw new Problem('unreachable', `${place} did not answer completely.`, { hint: 'Try again.', cause });
  }
  if (isRecord(answer) && 'error' in answer) throw problemFromResponse(500, answer);
  const { describeViolation, findViolationOfAnswer } = await import('../../../contract/check.ts');
  const found = findViolationOfAnswer(schema, answer);
  if (found !== undefined)
    throw malformedAnswerProblem(
      { id: words.replace(' ', '.'), route: `${method} ${path}` },
      { place, fault: describeViolation(found) },
    );
  return { ...(answer as T), place };
}

/** Sends a request that only the operator may send. */
async function openStream(
  { api, runtime, settings }: Session,
  method: 'GET' | 'POST',
  path: string,
  contentType: string,
): Promise<StreamedAnswer & { place: string }> {
  const { place, stream } = await api();
  if (stream === undefined) throw new Error('An embedded store was asked as a server.');
  const answer = await stream({ method, path, body: undefined, signal: runtime.signal }).catch(
    (error: unknown) => {
      if (!isProblem(error, 'not-found')) throw error;
      const from =
        settings.token === undefined ? '' : ` The token from ${settings.token.from} is a different token.`;
      throw new Problem(
        'forbidden',
        `Only the operator of ${place} can back up, check or inspect its store.`,
        {
          hint: `Use the token that \`docsctl init\` printed.${from} If the server is older than this docsctl, run the command on its machine.`,
          requestId: error.requestId,
          cause: error,
        },
      );
    },
  );
  if (answer.contentType?.startsWith(contentType) === true) return { place, ...answer };
  throw new Problem('unreachable', `${place} did not answer like a server of docsctl.`, {
    hint: 'Check the address of the server: it may lead to a web page, a login or a proxy.',
  });
}
