import { beforeEach, describe, expect, it } from 'vitest';
import { runDueJobs } from '../../../src/core/workers.ts';
import { jobs } from '../../../src/core/rows/jobs.ts';
import { Problem } from '../../../src/errors/problem.ts';
import * as contract from '../../../src/resources/email-domains/contract.ts';
import { emailDomains } from '../../../src/resources/email-domains/rows.ts';
import { joinOrganization, updateOrganization } from '../../../src/resources/organizations/contract.ts';
import { createWorld, type Who, type World } from '../../support/world.ts';

const domain = 'acme.test';
const hour = 3_600_000;
let world: World;
/** The TXT records of `_docsctl.acme.test`. */
let texts: readonly string[] | Problem;
let asked: string[];
beforeEach(async () => {
  world = await createWorld();
  [texts, asked] = [[], []];
});

const list = (who: Who, organizationId: string, domains = [domain]) =>
  world.as(who).call(updateOrganization, { params: { organizationId }, body: { emailDomains: domains } });
const get = (who: Who = 'admin', organizationId = world.org) =>
  world.as(who).call(contract.getEmailDomain, { params: { organizationId, emailDomain: domain } });
const textOf = (organization: string) => `docsctl-organization=${organization}`;
const mayJoin = async (organizationId: string, who: Who) =>
  world
    .as(who)
    .call(joinOrganization, { params: { organizationId } })
    .then(
      () => true,
      () => false,
    );
const check = async (env: Record<string, string> = {}) => {
  const lookUpText = async (name: string) => {
    asked.push(name);
    if (texts instanceof Problem) throw texts;
    return name === `_docsctl.${domain}` ? texts : [];
  };
  const core = { ...world.core, env, lookUpText };
  await runDueJobs(core, { kind: 'email-domain', signal: new AbortController().signal });
};

describe('an email domain', () => {
  it('lets nobody join before its organization has proven it, and is not listed for others', async () => {
    await list('admin', world.org);
    expect(await get()).toEqual({
      object: 'email-domain',
      domain,
      isActive: false,
      proof: { type: 'TXT', name: '_docsctl.acme.test', value: textOf(world.org) },
    });
    expect(await mayJoin(world.org, 'outsider')).toBe(false);
    texts = [textOf(world.otherOrg), 'v=spf1 -all'];
    await check();
    expect(asked).toEqual(['_docsctl.acme.test']);
    expect(await get()).toMatchObject({
      isActive: false,
      proof: { status: 'missing' },
      checkedAt: expect.any(String),
      problem: `There is no TXT record _docsctl.acme.test with the value "${textOf(world.org)}".`,
    });
    expect(await mayJoin(world.org, 'outsider')).toBe(false);
    const shown = await world
      .as('outsider')
      .call(contract.listOrganizationsOfDomain, { params: { emailDomain: domain } });
    expect(shown.organizations).toEqual([]);
    texts = [...texts, ` ${textOf(world.org)} `];
    world.pass(hour);
    await check();
    const found = await get();
    expect(found).toMatchObject({ isActive: true, proof: { status: 'found' } });
    expect(found).not.toHaveProperty('problem');
    expect(await mayJoin(world.org, 'outsider')).toBe(true);
  });

  it('stays proven if its record is removed, and is then checked only on request', async () => {
    await list('admin', world.org);
    texts = [textOf(world.org)];
    await check();
    texts = [];
    world.pass(1000 * hour);
    await check();
    expect(asked).toHaveLength(1);
    const params = { organizationId: world.org, emailDomain: 'ACME.test' };
    await world.as('admin').call(contract.revalidateEmailDomain, { params });
    await check();
    expect(await get()).toMatchObject({ isActive: true, proof: { status: 'found' } });
  });

  it('keeps its state and reports the error while name servers do not answer', async () => {
    await list('admin', world.org);
    texts = new Problem('unreachable', 'The name servers are away.');
    await check();
    expect(await get()).toMatchObject({ isActive: false, problem: 'The name servers are away.' });
    texts = [textOf(world.org)];
    world.pass(hour);
    await check();
    expect(await get()).toMatchObject({ isActive: true });
  });

  it('needs no proof if DOCSCTL_TRUST_HOSTNAMES is yes', async () => {
    await list('admin', world.org);
    await check({ DOCSCTL_TRUST_HOSTNAMES: 'yes' });
    expect(asked).toEqual([]);
    expect(await get()).toMatchObject({ isActive: true, proof: { status: 'trusted' } });
  });

  it('from before proofs were required stays active until another organization proves it', async () => {
    await list('admin', world.org);
    await world.core.store.write((tx) =>
      tx.update(emailDomains, `${world.org}.${domain}`, { proof: undefined }),
    );
    await check();
    expect(await get()).toMatchObject({ isActive: true });
    await list('outsider', world.otherOrg);
    await check();
    expect([(await get()).isActive, (await get('outsider', world.otherOrg)).isActive]).toEqual([true, false]);
    texts = [textOf(world.otherOrg)];
    world.pass(hour);
    await check();
    expect([(await get()).isActive, (await get('outsider', world.otherOrg)).isActive]).toEqual([false, true]);
    // Both organizations can have the domain if both prove it.
    texts = [textOf(world.org), textOf(world.otherOrg)];
    world.pass(hour);
    await check();
    expect([(await get()).isActive, (await get('outsider', world.otherOrg)).isActive]).toEqual([true, true]);
  });

  it('is lost if another organization proves it while an older check runs', async () => {
    await list('admin', world.org);
    await check({ DOCSCTL_TRUST_HOSTNAMES: 'yes' });
    const params = { organizationId: world.org, emailDomain: domain };
    await world.as('admin').call(contract.revalidateEmailDomain, { params });
    const signal = new AbortController().signal;
    const run = (lookUpText: (name: string) => Promise<string[]>) =>
      runDueJobs({ ...world.core, lookUpText }, { kind: 'email-domain', signal });
    let lookUps = 0;
    await run(async () => {
      lookUps++;
      if (lookUps > 1) return [];
      await list('outsider', world.otherOrg);
      await run(async () => [textOf(world.otherOrg)]);
      expect((await get()).isActive).toBe(false);
      return [];
    });
    expect([(await get()).isActive, (await get('outsider', world.otherOrg)).isActive]).toEqual([false, true]);
    expect(lookUps).toBe(2);
  });

  it('is removed with its check when it is no longer listed', async () => {
    await list('admin', world.org);
    const params = { organizationId: world.org };
    const { items } = await world.as('admin').call(contract.listEmailDomains, { params });
    expect(items.map((one) => one.domain)).toEqual([domain]);
    await list('admin', world.org, []);
    await expect(get()).rejects.toMatchObject({ reason: 'not-found' });
    const left = await world.core.store.read((view) => view.scan(jobs, '', 50));
    expect(left.filter(({ id }) => id.startsWith('email-domain.'))).toEqual([]);
    // A domain that is listed again must be proven again.
    await list('admin', world.org);
    expect(await get()).toMatchObject({ isActive: false });
  });
});
