import type { Api } from '../../contract/api.ts';
import type { ItemOf, OutputOf } from '../../contract/operation.ts';
import { chunk } from '../../contract/values.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import {
  deleteMember,
  inviteMembers,
  listMembers,
  markMemberAsSso,
  updateMember,
} from '../../resources/members/contract.ts';
import { getOrganization } from '../../resources/organizations/contract.ts';
import { me } from '../../resources/users/contract.ts';
import { openBackend } from '../backend.ts';
import { unsupportedReasons } from '../export/read-live.ts';
import type { Copy, IdQueue, Omissions, OpenCopy } from './copy.ts';

type Member = Pick<ItemOf<typeof listMembers>, 'role' | 'user'> & { readonly sso?: boolean };
type Permissions = OutputOf<typeof getOrganization>['permissions'];

interface PeopledCopy {
  readonly copy: Copy;
  /** Acts in the copy with the permissions of the caller. */
  readonly acting: Api;
}

/** Maximum number of members in one call of `members.invite`. */
const maxInvited = 500;
const stranger = 'nobody@rehearsal.invalid';

/** Opens a copy of an organization with its members and their IDs. */
export async function copyPeople(
  api: Api,
  organization: string,
  openCopy: OpenCopy,
  ids: IdQueue,
  omissions: Omissions,
): Promise<PeopledCopy> {
  const params = { organizationId: organization };
  const user = await api.call(me, {});
  const { title, permissions } = await api.call(getOrganization, { params });
  const members = await readMembers(api, organization, omissions);
  if (!permissions.admin && !members.some((member) => member.user.id === user.id))
    members.push({ role: 'create', user });
  const emails = chooseEmails([user, ...members.map((member) => member.user)]);
  const emailOf = ({ id }: { id: string }) => emails.get(id) ?? stranger;
  const founderId = permissions.admin ? user.id : undefined;
  const founder = { title, email: permissions.admin ? emailOf(user) : stranger };
  const copy = await ids.withIds([founderId, organization], () => openCopy(founder, () => ids.next()));
  const others = members.filter((member) => member.user.id !== founderId);
  for (const invited of chunk(others, maxInvited)) {
    const invitations = invited.map((member) => ({
      email: emailOf(member.user),
      role: member.user.id === user.id ? effectiveRole(member.role, permissions) : member.role,
    }));
    await ids.withIds(
      invited.map((member) => member.user.id),
      () => copy.owner.call(inviteMembers, { params, body: { emails: invitations } }),
    );
  }
  const own = members.find((member) => member.user.id === founderId);
  for (const { user: one } of members.filter(({ sso }) => sso === true))
    await copy.owner.call(markMemberAsSso, { params: { ...params, userId: one.id } });
  await setFounderRole(copy.owner, organization, own?.role);
  return { copy, acting: permissions.admin ? copy.owner : copy.as(emailOf(user)) };
}

async function readMembers(api: Api, organization: string, omissions: Omissions): Promise<Member[]> {
  try {
    const backend = await openBackend(api, organization, { withPeople: false });
    return await backend.all(listMembers, { params: { organizationId: organization } });
  } catch (error) {
    const isUnreadable =
      error instanceof Problem && (error.reason === 'forbidden' || unsupportedReasons.has(error.reason));
    if (!isUnreadable) throw error;
    omissions.add('member', undefined, error);
    return [];
  }
}

/** Chooses an email for each user: their own if it is valid and unique. */
function chooseEmails(users: readonly Member['user'][]): Map<string, string> {
  const taken = new Set([stranger]);
  const emails = new Map<string, string>();
  for (const { id, email = '' } of users) {
    if (emails.has(id)) continue;
    const own = email.toLowerCase();
    const isUsable = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(own) && !taken.has(own);
    const chosen = isUsable ? own : `member-${emails.size}@rehearsal.invalid`;
    taken.add(chosen);
    emails.set(id, chosen);
  }
  return emails;
}

/** Limits a role to the permissions of the caller's token. */
function effectiveRole(role: Member['role'], { admin, createContent }: Permissions): Member['role'] {
  const lowered = role === 'admin' && !admin ? 'create' : role;
  return lowered === 'create' && !createContent ? 'review' : lowered;
}

/** Gives the founder the role of the caller, or none. The last administrator keeps the role. */
async function setFounderRole(
  owner: Api,
  organization: string,
  role: Member['role'] | undefined,
): Promise<void> {
  if (role === 'admin') return;
  const params = { organizationId: organization, userId: (await owner.call(me, {})).id };
  try {
    if (role === undefined) await owner.call(deleteMember, { params });
    else await owner.call(updateMember, { params, body: { role } });
  } catch (error) {
    if (!isProblem(error, 'conflict')) throw error;
  }
}
