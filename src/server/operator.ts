import type { FastifyRequest } from 'fastify';
import { storeActions } from '../core/audit/actions.ts';
import { recordChanges } from '../core/audit/record-changes.ts';
import { identify, type Caller } from '../core/callers.ts';
import { isoTime } from '../core/clock.ts';
import type { Core } from '../core/embedded.ts';
import { isActiveFor } from '../core/membership.ts';
import { members } from '../core/rows/organizations.ts';
import { eachRow } from '../core/store.ts';
import { isProblem } from '../errors/problem.ts';
import { credentialOf, missingToken } from './credential.ts';
import { nothingHere } from './errors.ts';
import { whenGranted } from './rate-limit.ts';
import { noteCaller, sourceOf } from './routes.ts';

/**
 * Returns the operator of the server whose token sent a request. All others get not-found.
 *
 * @throws Problem(unauthenticated), Problem(not-found)
 */
export async function requireOperator(
  { store, clock }: Pick<Core, 'store' | 'clock'>,
  request: FastifyRequest,
): Promise<Caller> {
  const credential = credentialOf(request.headers.authorization);
  if (credential.kind === 'none') throw missingToken();
  const caller = await store.read((view) => identify(view, credential, isoTime(clock())));
  await whenGranted(() => noteCaller(request)(caller));
  if (caller === undefined || !isOperator(caller)) throw nothingHere();
  return caller;
}

/** Whether a caller may see the data of every organization. A restricted token may not, even if it belongs to an operator. */
function isOperator({ operator, organization, maxRole, integration, readOnly }: Caller): boolean {
  return (
    operator &&
    organization === null &&
    maxRole === 'admin' &&
    integration === undefined &&
    readOnly === undefined
  );
}

/**
 * Records a backup that is sent to the operator, in each organization that the operator belongs to. If the store cannot be
 * written, the backup continues, because the log records it too.
 */
export async function recordBackup(
  { store, clock }: Pick<Core, 'store' | 'clock'>,
  request: FastifyRequest,
  caller: Caller,
): Promise<void> {
  const { user, token } = caller;
  const { origin, ...ids } = sourceOf(request);
  const now = isoTime(clock());
  try {
    await store.write(async (tx) => {
      for await (const member of eachRow(tx, members, 'byUser', [user.id])) {
        if (!isActiveFor(caller, member)) continue;
        const describe = () => ({
          action: storeActions.backUp.id,
          actor: { type: 'user', id: user.id, label: user.email } as const,
          source: 'api' as const,
          origin: origin.kind === 'remote' && token !== undefined ? { ...origin, token } : origin,
          execution: ids.execution,
          correlation: ids.correlation ?? ids.execution,
          now,
          organization: member.organization,
          fallback: () => ({ type: 'store', id: 'store' }),
        });
        await recordChanges(tx, async () => {}, describe, { always: true });
      }
    });
  } catch (error) {
    if (!isProblem(error, 'store-busy', 'store-failed')) throw error;
  }
}
