import type { Api } from '../../contract/api.ts';
import type { OutputOf } from '../../contract/operation.ts';
import type { Role } from '../../contract/shapes.ts';
import { Problem } from '../../errors/problem.ts';
import { deleteMember, inviteMembers, listMembers, updateMember } from '../../resources/members/contract.ts';
import { getOrganization } from '../../resources/organizations/contract.ts';
import { me } from '../../resources/users/contract.ts';
import { openBackend } from '../backend.ts';
import type { ItemOf } from '../kind.ts';
import type { Copy, Omissions, OpenCopy } from './copy.ts';
import type { IdQueue } from './next-ids.ts';

type Member = Pick<ItemOf<typeof listMembers>, 'role' | 'user'>;
type Permissions = OutputOf<typeof getOrganization>['permissions'];

export interface PeopledCopy {
  readonly copy: Copy;
  /** Acts in the copy as who rehearses, with as much power as they have. */
  readonly acting: Api;
}

/** Members invited in one call (limit of `members.invite`). */
const atOnce = 500;
const stranger = 'nobody@rehearsal.invalid';

/** Opens a copy of an organization with its members, under the ids that they have. */
export async function copyPeople(
  api: Api,
  organization: string,
  openCopy: OpenCopy,
  ids: IdQueue,
  omissions: Omissions,
): Promise<PeopledCopy> {
  const params = { organizationId: organization };
  const [user, { title, permissions }] = [
    await api.call(me, {}),
    await api.call(getOrganization, { params }),
  ];
  const members = await readMembers(api, organization, omissions);
  if (!permissions.admin && !members.some((member) => member.user.id === user.id))
    members.push({ role: 'create', user });
  const emails = emailsOf([user, ...members.map((member) => member.user)]);
  const founder = permissions.admin
    ? { id: user.id, email: emails.get(user.id)! }
    : { id: undefined, email: stranger };
  const copy = await ids.withIds([founder.id, organization], () =>
    openCopy({ title, email: founder.email }, () => ids.next()),
  );
  const others = members.filter((member) => member.user.id !== founder.id);
  for (let start = 0; start < others.length; start += atOnce) {
    const invited = others.slice(start, start + atOnce);
    const roleOf = ({ role, user: { id } }: Member): Role | null =>
      id === user.id ? reached(role, permissions) : role;
    const body = {
      emails: invited.map((member) => ({ email: emails.get(member.user.id)!, role: roleOf(member) })),
    };
    await ids.withIds(
      invited.map((member) => member.user.id),
      () => copy.owner.call(inviteMembers, { params, body }),
    );
  }
  await settleFounder(copy, organization, members.find((member) => member.user.id === founder.id)?.role);
  return { copy, acting: permissions.admin ? copy.owner : copy.as(emails.get(user.id)!) };
}

async function readMembers(api: Api, organization: string, omissions: Omissions): Promise<Member[]> {
  try {
    const backend = await openBackend(api, organization, { withPeople: false });
    return await backend.all(listMembers, { params: { organizationId: organization } });
  } catch (error) {
    if (
      !(error instanceof Problem) ||
      !['forbidden', 'not-implemented', 'method-not-allowed'].includes(error.reason)
    )
      throw error;
    omissions.add('member', undefined, error.message);
    return [];
  }
}

/** An email for each user, their own where it is one and nobody else has it. */
function emailsOf(users: readonly Member['user'][]): Map<string, string> {
  const taken = new Set([stranger]);
  const emails = new Map<string, string>();
  for (const { id, email = '' } of users) {
    if (emails.has(id)) continue;
    const own = email.toLowerCase();
    const chosen =
      /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(own) && !taken.has(own)
        ? own
        : `member-${emails.size}@rehearsal.invalid`;
    taken.add(chosen);
    emails.set(id, chosen);
  }
  return emails;
}

/** What a member may do with the token that they use: it may be less than their role. */
function reached(role: Member['role'], { admin, createContent }: Permissions): Member['role'] {
  if (role === 'admin' && !admin) return reached('create', { admin, createContent } as Permissions);
  return role === 'create' && !createContent ? 'review' : role;
}

/** Who opened the copy gets their own role; who owns a store need not be a member at all. The last administrator stays, as anywhere. */
async function settleFounder(
  { owner }: Copy,
  organization: string,
  role: Member['role'] | undefined,
): Promise<void> {
  if (role === 'admin') return;
  const params = { organizationId: organization, userId: (await owner.call(me, {})).id };
  try {
    if (role === undefined) await owner.call(deleteMember, { params });
    else await owner.call(updateMember, { params, body: { role } });
  } catch (error) {
    if (!(error instanceof Problem) || error.reason !== 'conflict') throw error;
  }
}
