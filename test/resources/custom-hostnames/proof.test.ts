import { beforeEach, describe, expect, test } from 'vitest';
import { customHostnames } from '../../../src/core/rows/custom-hostnames.ts';
import { jobs } from '../../../src/core/rows/jobs.ts';
import { sites } from '../../../src/core/rows/sites.ts';
import { runDueJobs } from '../../../src/core/workers.ts';
import { Problem } from '../../../src/errors/problem.ts';
import * as contract from '../../../src/resources/custom-hostnames/contract.ts';
import { createSite, deleteSite, getSite, publishSite } from '../../../src/resources/sites/contract.ts';
import { addSiteSpace } from '../../../src/resources/site-spaces/contract.ts';
import { createSpace } from '../../../src/resources/spaces/contract.ts';
import { createSitesServer } from '../../../src/server/sites-app.ts';
import { callsIn } from '../calls.ts';
import { createWorld, type Who, type World } from '../../support/world.ts';

const hostname = 'docs.example.com';
const server = 'pages.example.net';
let world: World;
const { call, reason } = callsIn(() => world);

/** The site of an organization, and its administrator. */
interface Owner {
  readonly who: Who;
  readonly organizationId: string;
  readonly siteId: string;
}
let ours: Owner;
let theirs: Owner;
/** The TXT records of `_docsctl.docs.example.com`. */
let texts: readonly string[] | Problem;
let cname: readonly string[];

const addSite = async (who: Who, organizationId: string): Promise<Owner> => {
  const { id: siteId } = await call(createSite, { organizationId }, { body: { title: 'Docs' } }, who);
  const { id: spaceId } = await call(createSpace, { organizationId }, { body: { title: 'Guide' } }, who);
  await call(addSiteSpace, { organizationId, siteId }, { body: { spaceId } }, who);
  await call(publishSite, { organizationId, siteId }, {}, who);
  return { who, organizationId, siteId };
};
beforeEach(async () => {
  world = await createWorld();
  ours = await addSite('admin', world.org);
  theirs = await addSite('outsider', world.otherOrg);
  [texts, cname] = [[], [server]];
});

const at = ({ organizationId, siteId }: Owner) => ({ organizationId, siteId });
const set = (owner: Owner, name = hostname) =>
  call(contract.setCustomHostname, at(owner), { body: { hostname: name } }, owner.who);
const get = ({ who }: Owner) => call(contract.getCustomHostname, { hostname }, {}, who);
const textOf = ({ organizationId }: Owner) => `docsctl-organization=${organizationId}`;
const addressOf = async (owner: Owner) => (await call(getSite, at(owner), {}, owner.who)).urls.published;
const asked: string[] = [];

/** Runs the due checks with name servers that have these records. */
const check = async (env: Record<string, string> = {}): Promise<void> => {
  const core = {
    ...world.core,
    sitesUrl: `https://${server}`,
    env,
    lookUpHost: async (host: string) => ({
      cname: host === hostname ? cname : [],
      addresses: [],
      isPrivate: false,
    }),
    lookUpText: async (name: string) => {
      asked.push(name);
      if (texts instanceof Problem) throw texts;
      return name === `_docsctl.${hostname}` ? texts : [];
    },
  };
  await runDueJobs(core, { kind: 'custom-hostname', signal: new AbortController().signal });
};
/** Requests a check and runs it. */
const verify = async (owner: Owner, env?: Record<string, string>) => {
  await call(contract.revalidateCustomHostname, { hostname }, {}, owner.who);
  await check(env);
  return get(owner);
};
/** Returns the site that a visitor of the hostname gets. */
const shownAt = async (): Promise<string | number> => {
  const core = { ...world.core, sitesUrl: `https://${server}` };
  const app = await createSitesServer({ core, newRequestId: () => 'req', log: undefined });
  const answer = await app.inject({ url: '/robots.txt', headers: { host: hostname } });
  if (answer.statusCode !== 200) return answer.statusCode;
  return /^Sitemap: (.*)sitemap\.xml$/m.exec(answer.body)?.[1] ?? 'no sitemap';
};

describe('a custom hostname on a server with several organizations', () => {
  test('is not active without the TXT record of its organization, even if it leads to the server', async () => {
    await set(ours);
    await check();
    expect(await get(ours)).toMatchObject({
      isActive: false,
      state: 'failed',
      status: 'dns_passed',
      proof: { name: '_docsctl.docs.example.com', value: textOf(ours), status: 'missing' },
      problem: `There is no TXT record _docsctl.docs.example.com with the value "${textOf(ours)}".`,
    });
    expect(await addressOf(ours)).not.toContain(hostname);
    expect(await shownAt()).toBe(404);
    for (const wrong of [[textOf(theirs)], [`${textOf(ours)}x`, `x${textOf(ours)}`], ['']]) {
      texts = wrong;
      expect((await verify(ours)).state).toBe('failed');
    }
    expect(await shownAt()).toBe(404);
  });

  test('is active with the TXT record and the CNAME record, but not with the TXT record alone', async () => {
    await set(ours);
    texts = ['v=spf1 -all', textOf(ours)];
    cname = ['elsewhere.example'];
    await check();
    expect(await get(ours)).toMatchObject({
      state: 'failed',
      status: 'dns_wrong_cname',
      proof: { status: 'found' },
      problem: `The CNAME record of ${hostname} does not lead to ${server}.`,
    });
    expect(await shownAt()).toBe(404);
    cname = [server];
    const found = await verify(ours);
    expect(found).toMatchObject({ state: 'active', isActive: true, proof: { status: 'found' } });
    expect(found).not.toHaveProperty('problem');
    expect(await shownAt()).toBe(`https://${hostname}/`);
    expect(asked).toContain('_docsctl.docs.example.com');
  });

  test('stays active if the TXT record is gone or name servers do not answer', async () => {
    await set(ours);
    texts = [textOf(ours)];
    await check();
    texts = [];
    expect((await verify(ours)).state).toBe('active');
    texts = new Problem('timed-out', 'The name server did not answer in time.');
    expect(await verify(ours)).toMatchObject({ state: 'active', dns: { error: texts.message } });
  });

  test('is checked again after an hour while it is not proven', async () => {
    await set(ours);
    await check();
    const job = await world.core.store.read((view) => view.get(jobs, `custom-hostname.${hostname}`));
    const hours = (Date.parse(job!.dueAt) - Date.parse((await get(ours)).dns!.checkedAt)) / 3_600_000;
    expect(Math.round(hours)).toBe(1);
  });
});

describe('two organizations', () => {
  test('can set the same hostname, and the one that proves it gets it', async () => {
    await set(ours);
    await check();
    expect(await set(theirs)).toMatchObject({
      hostname,
      target: { site: theirs.siteId },
      state: 'pending',
      proof: { value: textOf(theirs) },
    });
    // Each organization sees only its own site.
    expect((await get(ours)).target.site).toBe(ours.siteId);
    expect(await reason(contract.setCustomHostname, at(theirs), { body: { hostname } })).toBe('not-found');
    texts = [textOf(theirs)];
    expect(await verify(theirs)).toMatchObject({ state: 'active', target: { site: theirs.siteId } });
    expect(await verify(ours)).toMatchObject({ state: 'failed', proof: { status: 'missing' } });
    expect(await addressOf(theirs)).toBe(`https://${hostname}/`);
    expect(await addressOf(ours)).not.toContain(hostname);
    for (const { who, organizationId } of [ours, theirs])
      expect((await call(contract.listCustomHostnames, { organizationId }, {}, who)).items).toHaveLength(1);
  });

  test('of several organizations of a caller are ambiguous unless the organization is given', async () => {
    await set(ours);
    await set(theirs);
    const read = (query = {}) => call(contract.getCustomHostname, { hostname }, { query }, 'owner');
    const remove = (query = {}) => call(contract.deleteCustomHostname, { hostname }, { query }, 'owner');
    await expect(read()).rejects.toMatchObject({ reason: 'ambiguous' });
    await expect(remove()).rejects.toMatchObject({ reason: 'ambiguous' });
    for (const { organizationId, siteId } of [ours, theirs])
      expect(await read({ organization: organizationId })).toMatchObject({ target: { site: siteId } });
    await remove({ organization: theirs.organizationId });
    expect(await read()).toMatchObject({ target: { site: ours.siteId } });
    const other = { query: { organization: ours.organizationId } };
    expect(await reason(contract.getCustomHostname, { hostname }, other, theirs.who)).toBe('not-found');
  });

  test('keep the hostname where it is if both prove it', async () => {
    await set(ours);
    texts = [textOf(ours), textOf(theirs)];
    await check();
    await set(theirs);
    await check();
    expect((await get(ours)).state).toBe('active');
    expect(await get(theirs)).toMatchObject({
      state: 'failed',
      proof: { status: 'found' },
      problem: 'Another organization of this server has also proven that it owns the hostname.',
    });
    expect(await addressOf(theirs)).not.toContain(hostname);
    // It does not move while the TXT record of the other organization cannot be read.
    for (const none of [new Problem('unreachable', 'The name servers are away.'), []]) {
      texts = none;
      expect((await verify(theirs)).state).toBe('failed');
      expect((await get(ours)).state).toBe('active');
    }
    // The owner of the domain decides: if only one TXT record is left, the hostname moves.
    texts = [textOf(theirs)];
    expect((await verify(theirs)).state).toBe('active');
    expect((await get(ours)).state).toBe('failed');
    const owners = await world.core.store.read(
      async (view) => (await view.get(jobs, `custom-hostname.${hostname}`))?.organization,
    );
    expect(owners).toBe(theirs.organizationId);
  });

  test('free the hostname for the other one when one removes it', async () => {
    await set(ours);
    texts = [textOf(ours)];
    await check();
    await set(theirs);
    await call(contract.deleteCustomHostname, { hostname });
    texts = [];
    expect(await verify(theirs)).toMatchObject({ state: 'failed' });
    texts = [textOf(theirs)];
    expect(await verify(theirs)).toMatchObject({ state: 'active' });
    expect(await reason(contract.getCustomHostname, { hostname })).toBe('not-found');
    await call(deleteSite, at(theirs), {}, 'outsider');
    const left = await world.core.store.read((view) => view.scan(customHostnames, '', 9));
    expect(left).toEqual([]);
    await check();
  });

  test('can both wait for a hostname, but each with only one site', async () => {
    await set(ours);
    await set(theirs);
    const second = await addSite('outsider', world.otherOrg);
    expect(await reason(contract.setCustomHostname, at(second), { body: { hostname } }, 'outsider')).toBe(
      'conflict',
    );
    expect(await set(theirs)).toMatchObject({ target: { site: theirs.siteId } });
  });
});

describe('a hostname from before proofs were required', () => {
  beforeEach(() =>
    world.core.store.write(async (tx) => {
      const { organizationId: organization, siteId: site } = ours;
      const row = { id: hostname, organization, site, createdAt: '2026-01-01T00:00:00.000Z' };
      await tx.insert(customHostnames, { ...row, status: 'dns_passed' });
      await tx.update(sites, site, { hostname });
    }),
  );

  test('stays active, also after a check', async () => {
    expect((await get(ours)).state).toBe('active');
    expect(await shownAt()).toBe(`https://${hostname}/`);
    expect(await verify(ours)).toMatchObject({ state: 'active', proof: { status: 'trusted' } });
    cname = [];
    expect((await verify(ours)).state).toBe('failed');
    cname = [server];
    expect((await verify(ours)).state).toBe('active');
  });

  test('goes to another organization that proves it', async () => {
    await set(theirs);
    texts = [textOf(theirs)];
    expect((await verify(theirs)).state).toBe('active');
    expect((await get(ours)).state).toBe('failed');
    expect(await shownAt()).toBe(`https://${hostname}/`);
    expect(await addressOf(theirs)).toBe(`https://${hostname}/`);
  });
});

describe('DOCSCTL_TRUST_HOSTNAMES', () => {
  test('with yes requires no TXT record, but an organization that proves a hostname still gets it', async () => {
    await set(ours);
    await check({ DOCSCTL_TRUST_HOSTNAMES: 'yes' });
    expect(await get(ours)).toMatchObject({ state: 'active', proof: { status: 'trusted' } });
    await set(theirs);
    expect(await verify(theirs, { DOCSCTL_TRUST_HOSTNAMES: 'yes' })).toMatchObject({ state: 'failed' });
    texts = [textOf(theirs)];
    expect(await verify(theirs, { DOCSCTL_TRUST_HOSTNAMES: 'yes' })).toMatchObject({ state: 'active' });
  });

  test('must be yes or no', async () => {
    await set(ours);
    await check({ DOCSCTL_TRUST_HOSTNAMES: 'maybe' });
    const { state, dns } = await get(ours);
    expect([state, dns?.error]).toEqual([
      'pending',
      'DOCSCTL_TRUST_HOSTNAMES is "maybe", which is not yes or no.',
    ]);
  });

  test('unset requires no TXT record on a server with one organization, until there is a second one', async () => {
    const { organizations } = await import('../../../src/core/rows/organizations.ts');
    const other = await world.core.store.read((view) => view.get(organizations, world.otherOrg));
    await world.core.store.write((tx) => tx.remove(organizations, world.otherOrg));
    cname = [];
    await set(ours);
    await check();
    expect(await get(ours)).toMatchObject({ state: 'failed', status: 'dns_no_cname' });
    cname = [server];
    expect((await verify(ours)).state).toBe('active');
    await world.core.store.write((tx) => tx.insert(organizations, other!));
    expect((await verify(ours)).state).toBe('active');
  });

  test('with no requires a TXT record even if there is one organization', async () => {
    const { organizations } = await import('../../../src/core/rows/organizations.ts');
    await world.core.store.write((tx) => tx.remove(organizations, world.otherOrg));
    await set(ours);
    await check({ DOCSCTL_TRUST_HOSTNAMES: 'no' });
    expect((await get(ours)).state).toBe('failed');
  });
});
