import type { Operation } from '../../contract/operation.ts';
import { isRecord } from '../../contract/values.ts';
import { orUndefined } from '../../errors/problem.ts';
import { listMembers } from '../../resources/members/contract.ts';
import { lastAdminProblem } from '../../resources/members/last-admin.ts';
import { nounOf } from '../../resources/index.ts';
import { me } from '../../resources/users/contract.ts';
import { confirm, type Confirmation } from './confirm.ts';
import { refuseCertain, type PlannedCall } from './refuse-certain.ts';
import type { Session } from '../session/session.ts';
import { describeParts } from './removed-parts.ts';
import { describeLoss } from './showing-sites.ts';

interface PlannedCalls {
  readonly calls: readonly PlannedCall[];
  readonly names: readonly string[];
  readonly query: Readonly<Record<string, unknown>>;
  /** Whether the operation always asks, instead of only if the caller loses access. */
  readonly isDestructive: boolean;
}

/** The verb and object in questions, for operations or verbs whose question is not about a resource of their noun. */
const phrases: Readonly<Record<string, Pick<Confirmation, 'verb' | 'object'>>> = {
  disconnect: { verb: 'remove', object: 'the git repository of' },
  regenerate: { verb: 'replace', object: 'the key for visitor tokens of' },
  'remove-site': { verb: 'remove', object: 'the integration from' },
  'remove-space': { verb: 'remove', object: 'the integration from' },
  'remove-team': { verb: 'remove', object: 'the role of' },
  'remove-user': { verb: 'remove', object: 'the role of' },
  reset: { verb: 'reset', object: 'the appearance of' },
  'teams.members.delete': { verb: 'remove', object: 'the team member' },
  'signing-secret': { verb: 'replace', object: 'the signing secret of' },
};

/**
 * Asks before calls that destroy something, or that take access away from the caller.
 * @throws Problem(guard-refused) if the answer is no, or there is no terminal
 */
export async function confirmCalls(
  session: Session,
  operation: Operation,
  { calls, names, query, isDestructive }: PlannedCalls,
): Promise<void> {
  if (isDestructive) await refuseCertain(session, operation, calls, query);
  const consequence = await describeConsequences(session, operation, { calls, query }, false);
  if (!isDestructive && consequence === undefined) return;
  const verb = operation.id.replace(/^.*\./, '');
  await confirm(session, {
    consequence,
    noun: nounOf(operation.id).words,
    names,
    ...(phrases[operation.id] ?? phrases[verb] ?? { verb }),
  });
}

/** Notes what the calls of a dry run would destroy. */
export async function noteConsequences(
  session: Session,
  operation: Operation,
  calls: Pick<PlannedCalls, 'calls' | 'query'>,
): Promise<void> {
  const consequence = await describeConsequences(session, operation, calls, true);
  if (consequence !== undefined) session.note(consequence);
}

/** Describes what the calls of an operation destroy or take away from the caller; undefined for most operations. */
async function describeConsequences(
  session: Session,
  operation: Operation,
  { calls, query }: Pick<PlannedCalls, 'calls' | 'query'>,
  namesEmpty: boolean,
): Promise<string | undefined> {
  const { destructive } = operation.cli;
  const sentences = [
    typeof destructive === 'string' ? destructive : undefined,
    await describeParts(session, operation, calls, namesEmpty),
    await describeLostDenials(session, operation, calls),
    (await describeOwnLoss(session, operation, calls)) ??
      (await describeLoss(session, operation, calls, query)),
  ];
  const known = sentences.filter((sentence) => sentence !== undefined);
  return known.length === 0 ? undefined : known.join(' ');
}

/** Describes the access that the deletion of collections gives back; undefined for other operations. */
async function describeLostDenials(
  session: Session,
  { id }: Operation,
  calls: PlannedCalls['calls'],
): Promise<string | undefined> {
  if (id !== 'collections.delete') return undefined;
  return (await import('./lost-denials.ts')).describeLostDenials(session, calls);
}

/** Describes what the caller loses if an operation on members includes the caller. */
async function describeOwnLoss(
  session: Session,
  operation: Operation,
  calls: PlannedCalls['calls'],
): Promise<string | undefined> {
  const { id } = operation;
  const losses = calls.map(({ body }) => (id === 'members.delete' ? lossOfAccess : lossByUpdate(id, body)));
  if (losses.every((loss) => loss === undefined)) return undefined;
  if (id === 'members.update') await refuseCertain(session, operation, calls, {});
  await refuseLastAdmin(session, calls);
  // Servers of other vendors may not return the caller.
  const user = await orUndefined(session.call(me, {}), 'not-found', 'forbidden', 'not-implemented');
  const own = calls.findIndex(({ params }) => params['userId'] === user?.id);
  const loss = losses[own];
  if (user === undefined || loss === undefined) return undefined;
  return `${user.email ?? user.displayName} is you. ${loss} Only another administrator can undo this.`;
}

/**
 * Refuses to remove the role of the last administrator before a question is asked. The API would refuse it too.
 * @throws Problem(conflict)
 */
async function refuseLastAdmin(session: Session, calls: PlannedCalls['calls']): Promise<void> {
  const organizationId = calls[0]?.params['organizationId'] ?? '';
  const query = { role: 'admin', limit: 100 } as const;
  const { items } = await session
    .call(listMembers, { params: { organizationId }, query })
    .catch(() => ({ items: [] }));
  const [last, other] = items.filter(({ disabled }) => !disabled);
  if (last === undefined || other !== undefined) return;
  if (calls.some(({ params }) => params['userId'] === last.id))
    throw lastAdminProblem(last.user.email ?? last.user.displayName);
}

const lossOfAccess = 'You will lose access to the organization immediately.';

function lossByUpdate(id: string, body: unknown): string | undefined {
  if (id !== 'members.update' || !isRecord(body)) return undefined;
  if (body['disabled'] === true) return lossOfAccess;
  return body['role'] === undefined || body['role'] === 'admin'
    ? undefined
    : 'You will no longer be an administrator of the organization.';
}
