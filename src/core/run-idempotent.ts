import { hash } from 'node:crypto';
import type { Operation } from '../contract/operation.ts';
import { Problem } from '../errors/problem.ts';
import type { Caller } from './callers.ts';
import { day, isoTime } from './clock.ts';
import { answers } from './rows/organizations.ts';
import type { ReadTransaction, WriteTransaction } from './store.ts';

/**
 * Runs the work once for each caller and idempotency key. For one day, a repeated request gets the stored answer.
 *
 * @throws Problem(key-reused) if the key was used for another request; Problem(conflict) if the stored answer was secret
 */
export async function runIdempotent(
  tx: WriteTransaction,
  caller: Caller | undefined,
  operation: Operation,
  input: unknown,
  key: string,
  time: number,
  work: () => Promise<unknown>,
): Promise<unknown> {
  if (key.length > 255)
    throw new Problem('invalid-input', 'The idempotency key is longer than 255 characters.');
  const { id, request } = identifyRequest(caller, operation, input, key);
  const storedAnswer = await tx.get(answers, id);
  if (storedAnswer !== undefined && storedAnswer.expiresAt > isoTime(time)) {
    if (storedAnswer.request !== request) {
      throw new Problem('key-reused', 'The idempotency key was used before for a different request.', {
        hint: 'Use a new key for each request.',
      });
    }
    if (storedAnswer.body === null && operation.returns.schema !== undefined) {
      throw new Problem(
        'conflict',
        'This request was done before, and its answer cannot be repeated because it contained a secret.',
        {
          hint: 'The first request took effect. If you need the secret, run the command again, or send the request with a new idempotency key. Then delete what the first request created, if anything.',
        },
      );
    }
    return storedAnswer.body ?? undefined;
  }
  const body = await work();
  if (storedAnswer !== undefined) await tx.remove(answers, id);
  // Removes a few expired answers with each new one, so that they never pile up.
  for (const old of await tx.find(answers, { index: 'byExpiry', equals: [], limit: 4 })) {
    if (old.expiresAt <= isoTime(time)) await tx.remove(answers, old.id);
  }
  await tx.insert(answers, {
    id,
    request,
    body: operation.secret ? null : (body ?? null),
    expiresAt: isoTime(time + day),
  });
  return body;
}

/** Whether a request with this key has succeeded before, but no answer was stored because it was secret or empty. */
export async function wasDone(
  view: ReadTransaction,
  caller: Caller | undefined,
  operation: Operation,
  input: unknown,
  key: string,
  now: string,
): Promise<boolean> {
  const { id, request } = identifyRequest(caller, operation, input, key);
  const stored = await view.get(answers, id);
  return stored?.request === request && stored.expiresAt > now && stored.body === null;
}

function identifyRequest(caller: Caller | undefined, operation: Operation, input: unknown, key: string) {
  return {
    id: hashJson([caller?.token ?? caller?.user.id ?? '', key]),
    request: hashJson([operation.id, input]),
  };
}

function hashJson(value: unknown): string {
  return hash('sha256', JSON.stringify(value));
}
