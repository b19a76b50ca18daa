import { beforeEach, describe, expect, it } from 'vitest';
import { acceptInvite, createInvite } from '../../../src/resources/invites/contract.ts';
import { getMember, inviteMembers } from '../../../src/resources/members/contract.ts';
import { joinOrganization, updateOrganization } from '../../../src/resources/organizations/contract.ts';
import { createWorld, type World } from '../../support/world.ts';
import { trustDomains } from '../../support/trust-domains.ts';

const params = { organizationId: 'org_acme' };
const refused = {
  reason: 'forbidden',
  status: 403,
  message: 'People can join "Acme" only by single sign-on.',
  hint: expect.stringContaining('login --sso'),
};
const signInFirst = {
  reason: 'forbidden',
  message: '"Acme" requires single sign-on, but this token does not come from such a sign-in.',
};
let world: World;
beforeEach(async () => {
  world = await createWorld();
  await world.as('admin').call(updateOrganization, { params, body: { emailDomains: ['acme.test'] } });
  await trustDomains(world.core);
});
const enforce = (sso: boolean) => world.as('admin').call(updateOrganization, { params, body: { sso } });
const join = () => world.as('outsider').call(joinOrganization, { params });

describe('an organization that enforces single sign-on', () => {
  it('cannot be joined by email domain', async () => {
    await enforce(true);
    await expect(join()).rejects.toMatchObject(refused);
    await expect(
      world.as('admin').call(getMember, { params: { ...params, userId: 'usr_outsider' } }),
    ).rejects.toMatchObject({ reason: 'not-found' });
    await enforce(false);
    await join();
  });

  it('cannot be joined by an invite link, and members accept one only after a sign-in', async () => {
    const { id } = await world.as('admin').call(createInvite, { params, body: { role: 'edit' } });
    const accept = (who: 'outsider' | 'read') =>
      world.as(who).call(acceptInvite, { params: { ...params, inviteId: id } });
    await enforce(true);
    await expect(accept('outsider')).rejects.toMatchObject(refused);
    await expect(accept('read')).rejects.toMatchObject(signInFirst);
    await enforce(false);
    await accept('read');
    expect(
      await world.as('admin').call(getMember, { params: { ...params, userId: 'usr_read' } }),
    ).toMatchObject({ role: 'edit' });
    await accept('outsider');
  });

  it('keeps its members but refuses their tokens, and accepts invites by administrators', async () => {
    await enforce(true);
    const read = { params: { ...params, userId: 'usr_read' } };
    await expect(world.as('read').call(getMember, read)).rejects.toMatchObject(signInFirst);
    expect(await world.as('admin').call(getMember, read)).toMatchObject({ sso: false });
    expect(
      await world.as('admin').call(inviteMembers, { params, body: { emails: ['new@acme.test'] } }),
    ).toMatchObject({ invited: 1 });
  });
});
