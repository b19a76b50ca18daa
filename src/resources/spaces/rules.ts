import { rulesAboutMembers, type MergeRulesValue } from '../../contract/shapes.ts';
import { day } from '../../core/clock.ts';
import type { SpaceRow } from '../../core/rows/spaces.ts';
import { memberId, members } from '../../core/rows/organizations.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { invalid, notFound } from '../../errors/problem.ts';
import { daysToRestore } from './contract.ts';

/** Milliseconds during which a deleted space can be restored. */
export const lifetimeOfDeleted = daysToRestore * day;

/** Whether a space was deleted 7 or more days ago. */
export function hasExpired({ deletedAt }: SpaceRow, now: string): boolean {
  return deletedAt !== null && Date.parse(now) - Date.parse(deletedAt) >= lifetimeOfDeleted;
}

/** Whether a space was deleted and can no longer be restored. */
export function isBeyondRestore(space: SpaceRow, now: string): boolean {
  return space.state === 'removed' || hasExpired(space, now);
}

/**
 * Checks that merge rules that need members name some, and that all of them are members of the organization.
 *
 * @throws Problem(invalid-input), Problem(not-found)
 */
export async function checkMergeRules(
  view: ReadTransaction,
  organization: string,
  mergeRules: MergeRulesValue,
): Promise<void> {
  if (mergeRules.type !== 'rules') return;
  for (const [at, { rule, users = [] }] of mergeRules.rules.entries()) {
    const pointer = `/body/mergeRules/rules/${at}/users`;
    const isAboutMembers = rulesAboutMembers.includes(rule);
    if (isAboutMembers && users.length === 0)
      throw invalid(
        pointer,
        `The merge rule "${rule}" has no members.`,
        'Name at least one member in `users`.',
      );
    if (!isAboutMembers && users.length > 0)
      throw invalid(
        pointer,
        `The merge rule "${rule}" cannot name members.`,
        'Leave out `users`, or choose a rule about members, such as `require_specific_reviewers`.',
      );
  }
  for (const user of new Set(mergeRules.rules.flatMap((rule) => rule.users ?? []))) {
    if ((await view.get(members, memberId(organization, user))) === undefined) throw notFound('member', user);
  }
}
