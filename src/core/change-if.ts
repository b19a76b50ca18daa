import type { CallOptions } from '../contract/api.ts';
import { entityTag, hasTag } from '../contract/entity-tag.ts';
import type { Operation } from '../contract/operation.ts';
import { invalid, Problem } from '../errors/problem.ts';
import { Deferred } from './handler.ts';

/**
 * Makes a change if the resource of the operation has one of the entity tags of If-Match and none of If-None-Match (RFC 9110,
 * section 13.1). `reader` is the operation that reads the resource, and `read` its answer to the caller, in the transaction of
 * the change.
 *
 * @throws Problem(precondition-failed) if it does not; Problem(invalid-input) if no GET of the same path reads it
 */
export async function changeIf(
  { ifMatch, ifNoneMatch }: Pick<CallOptions, 'ifMatch' | 'ifNoneMatch'>,
  operation: Operation,
  reader: Operation | undefined,
  read: (reader: Operation) => Promise<unknown>,
  change: () => Promise<unknown>,
): Promise<unknown> {
  let answer: unknown;
  try {
    answer = reader === undefined ? undefined : await read(reader);
  } catch (error) {
    if (!(error instanceof Problem) || error.reason !== 'not-found') throw error;
    // Without a resource, only a change that creates it gets past this line. A refusal undoes it with the transaction.
    const created = await change();
    if (ifMatch === undefined) return created;
    throw new Problem('precondition-failed', 'The resource does not exist, so your change was not made.', {
      hint: 'To create it, repeat your change without If-Match.',
    });
  }
  if (answer === undefined || answer instanceof Deferred) {
    const header = ifMatch === undefined ? 'If-None-Match' : 'If-Match';
    throw invalid(
      `/headers/${header.toLowerCase()}`,
      `${header} cannot be used with ${operation.id}: no GET of the same path shows what it changes.`,
    );
  }
  const tag = entityTag(JSON.stringify(answer));
  if (ifMatch !== undefined && !hasTag(ifMatch, tag, true))
    throw new Problem(
      'precondition-failed',
      'The resource has changed since you read it, so your change was not made.',
      {
        hint: 'Read it again, then repeat your change.',
      },
    );
  if (ifNoneMatch === undefined || !hasTag(ifNoneMatch, tag)) return change();
  throw new Problem('precondition-failed', 'The resource exists already, so your change was not made.', {
    hint: 'To replace it, repeat your change without If-None-Match.',
  });
}
