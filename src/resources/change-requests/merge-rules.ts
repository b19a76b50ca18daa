import { bringsText, type Resolutions } from '../../content/conflict-resolver.ts';
import type { MergeRulesValue } from '../../contract/shapes.ts';
import type { ChangeRequestRow } from '../../core/rows/change-requests.ts';
import { roleOfMember } from '../../core/authorize.ts';
import { isIntegrationUser } from '../../core/callers.ts';
import { can } from '../../core/permissions.ts';
import type { SpaceRow } from '../../core/rows/spaces.ts';
import { memberId, members, users, type OrganizationRow } from '../../core/rows/organizations.ts';
import { eachRow, type ReadTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { contributors, participantId } from './rows.ts';
import { isOutdated } from './shape.ts';
import { reviews, type ReviewRow } from '../change-request-reviews/rows.ts';

type Rule = Extract<MergeRulesValue, { type: 'rules' }>['rules'][number];

interface MergeRuleContext {
  readonly tx: ReadTransaction;
  readonly organization: OrganizationRow;
  readonly space: SpaceRow;
  readonly changeRequest: ChangeRequestRow;
  readonly caller: { readonly user: { readonly id: string } };
}

/** The rules that reviews can meet. */
const reviewRules = [
  'require_specific_reviewers',
  'require_one_of_specific_reviewers',
  'require_at_least_one_review',
  'require_at_least_one_approved_review',
];

/**
 * Checks the merge rules of the space, or of its organization if the space inherits them. A review counts only for the revision
 * that it reviewed, and only while its author has permission to review. A review by the author or an editor of the change request
 * counts only for rules that name these people. Reviews by integrations never count.
 *
 * @throws Problem(conflict) if a rule is not met, or if a review is required and the resolutions contain an edited text, which
 * nobody has reviewed
 */
export async function checkMergeRules(context: MergeRuleContext, resolutions: Resolutions): Promise<void> {
  const { organization, space, changeRequest } = context;
  const rules = rulesFor(context);
  if (rules.length === 0) return;
  const verdicts = await currentReviews(context);
  const others = await reviewsByOthers(context, verdicts);
  for (const rule of rules) {
    const missing = await unmetRequirement(rule, context, verdicts, others);
    if (missing === undefined) continue;
    throw new Problem(
      'conflict',
      `Change request ${changeRequest.number} cannot be merged yet: ${missing}.`,
      {
        hint:
          space.mergeRules.type === 'inherit'
            ? `The merge rules of the organization require this. \`docsctl orgs get ${organization.id} -o json\` shows them.`
            : `The merge rules of the space require this. \`docsctl spaces get ${space.id} -o json\` shows them.`,
      },
    );
  }
  if (bringsText(resolutions) && rules.some(({ rule }) => reviewRules.includes(rule)))
    throw new Problem(
      'conflict',
      `Change request ${changeRequest.number} cannot be merged with an edited text: the merge rules require a review, and nobody has reviewed this text.`,
      {
        hint: `Run \`docsctl change-requests sync ${changeRequest.number} --space ${space.id}\` with the same options, and ask for a review of the result.`,
      },
    );
}

/** Checks that the content of a space may change without a change request. @throws Problem(conflict) if merge rules apply */
export function checkNeedsNoRequest(context: Omit<MergeRuleContext, 'tx' | 'changeRequest'>): void {
  if (rulesFor(context).some(({ rule }) => rule !== 'allow_bypass'))
    throw new Problem(
      'conflict',
      'The space or its organization has merge rules, so only a change request can change the content.',
      {
        hint: 'Create a change request, and name it with `--change-request`.',
      },
    );
}

/**
 * Returns the rules of a space, or of its organization if the space inherits them. Returns none for a caller who may bypass them.
 */
function rulesFor({
  organization,
  space,
  caller,
}: Omit<MergeRuleContext, 'tx' | 'changeRequest'>): readonly Rule[] {
  const { mergeRules } = space.mergeRules.type === 'inherit' ? organization : space;
  const rules = mergeRules.type === 'rules' ? mergeRules.rules : [];
  const mayBypass = ({ rule, users: allowed = [] }: Rule) =>
    rule === 'allow_bypass' && allowed.includes(caller.user.id);
  return rules.some(mayBypass) ? [] : rules;
}

/** Returns the last review of each reviewer, if it reviews the current revision and the reviewer may still review. */
async function currentReviews(context: MergeRuleContext): Promise<Map<string, ReviewRow>> {
  const { id, revision } = context.changeRequest;
  const last = new Map<string, ReviewRow>();
  for await (const row of eachRow(context.tx, reviews, 'byChangeRequest', [id])) last.set(row.reviewer, row);
  for (const row of last.values())
    if (row.revision !== revision || !(await mayReview(context, row.reviewer))) last.delete(row.reviewer);
  return last;
}

/** Whether a user can review change requests of the space now. */
async function mayReview({ tx, organization, space }: MergeRuleContext, user: string): Promise<boolean> {
  if (isIntegrationUser(user)) return true;
  const member = await tx.get(members, memberId(organization.id, user));
  return member !== undefined && can(await roleOfMember(tx, organization, member, space), 'review');
}

/** Returns the reviews by members who neither created nor edited the change request. */
async function reviewsByOthers(
  { tx, changeRequest }: MergeRuleContext,
  verdicts: ReadonlyMap<string, ReviewRow>,
): Promise<readonly ReviewRow[]> {
  const others: ReviewRow[] = [];
  for (const review of verdicts.values()) {
    const { reviewer } = review;
    const id = participantId(changeRequest.id, reviewer);
    const wrote = reviewer === changeRequest.createdBy || (await tx.get(contributors, id)) !== undefined;
    if (!wrote && !isIntegrationUser(reviewer)) others.push(review);
  }
  return others;
}

/** Returns the requirement of a rule that is not met, as the end of a sentence. */
async function unmetRequirement(
  { rule, users: named = [] }: Rule,
  { tx, organization, space, changeRequest, caller }: MergeRuleContext,
  verdicts: ReadonlyMap<string, ReviewRow>,
  others: readonly ReviewRow[],
): Promise<string | undefined> {
  const approved = (user: string) => verdicts.get(user)?.status === 'approved';
  const joinMembers = (ids: readonly string[], word: string) => joinNames(tx, ids, word, organization.id);
  switch (rule) {
    case 'require_specific_reviewers': {
      const waiting = named.filter((user) => !approved(user));
      return waiting.length === 0
        ? undefined
        : `an approval by ${await joinMembers(waiting, ' and ')} is required`;
    }
    case 'require_one_of_specific_reviewers':
      return named.some(approved)
        ? undefined
        : `an approval by ${await joinMembers(named, ' or ')} is required`;
    case 'require_at_least_one_review':
      return others.length > 0
        ? undefined
        : 'a review by a member who neither created nor edited it is required';
    case 'require_at_least_one_approved_review':
      return others.some((review) => review.status === 'approved')
        ? undefined
        : 'an approval by a member who neither created nor edited it is required';
    case 'require_all_reviews_approved': {
      const against = [...verdicts.values()]
        .filter((review) => review.status !== 'approved')
        .map((review) => review.reviewer);
      return against.length === 0 ? undefined : `${await joinNames(tx, against, ' and ')} asked for changes`;
    }
    case 'require_up_to_date_change_request':
      return isOutdated(changeRequest, space)
        ? 'it is not up to date with the content of the space'
        : undefined;
    case 'require_change_request_subject':
      return changeRequest.subject.trim() === '' ? 'it has no subject' : undefined;
    case 'require_change_request_description':
      return changeRequest.description === undefined || changeRequest.description.nodes.length === 0
        ? 'it has no description'
        : undefined;
    case 'require_author_to_merge':
      return caller.user.id === changeRequest.createdBy
        ? undefined
        : `only ${await joinNames(tx, [changeRequest.createdBy], '')}, its author, may merge it`;
    case 'require_agent_review':
      return 'a review by an agent is required, and agents are not supported';
    default:
      return undefined;
  }
}

/** Joins the names of users. If an organization is given, users who left it are marked. */
async function joinNames(
  view: ReadTransaction,
  ids: readonly string[],
  word: string,
  organization?: string,
): Promise<string> {
  const names: string[] = [];
  for (const id of ids) {
    const name = (await view.get(users, id))?.displayName ?? id;
    const hasLeft =
      organization !== undefined && (await view.get(members, memberId(organization, id))) === undefined;
    names.push(hasLeft ? `${name} (no longer a member)` : name);
  }
  return names.join(word);
}
