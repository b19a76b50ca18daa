import { entityTag, hasTag } from '../contract/entity-tag.ts';
import type { Operation } from '../contract/operation.ts';
import { invalid, Problem } from '../errors/problem.ts';
import { Deferred } from './handler.ts';

/**
 * Checks that the resource of an operation still has one of the entity tags of If-Match (RFC 9110, section 13.1.1). `reader` is
 * the operation that reads the resource, and `read` its answer to the caller, in the transaction of the change.
 *
 * @throws Problem(precondition-failed) if it was changed; Problem(invalid-input) if no GET of the same path reads it
 */
export async function checkTag(
  ifMatch: string,
  operation: Operation,
  reader: Operation | undefined,
  read: (reader: Operation) => Promise<unknown>,
): Promise<void> {
  const answer = reader === undefined ? undefined : await read(reader);
  if (answer === undefined || answer instanceof Deferred)
    throw invalid(
      '/headers/if-match',
      `If-Match cannot be used with ${operation.id}: no GET of the same path shows what it changes.`,
    );
  if (hasTag(ifMatch, entityTag(JSON.stringify(answer)), true)) return;
  throw new Problem(
    'precondition-failed',
    'The resource has changed since you read it, so your change was not made.',
    {
      hint: 'Read it again, then repeat your change.',
    },
  );
}
