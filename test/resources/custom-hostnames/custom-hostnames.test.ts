import { beforeEach, describe, expect, test } from 'vitest';
import type { DnsLookup, HostRecords } from '../../../src/core/dns.ts';
import { jobs } from '../../../src/core/rows/jobs.ts';
import { runDueJobs } from '../../../src/core/workers.ts';
import { Problem } from '../../../src/errors/problem.ts';
import * as contract from '../../../src/resources/custom-hostnames/contract.ts';
import { deleteSite, getPublishedSite, getSite, publishSite } from '../../../src/resources/sites/contract.ts';
import { createSitesWorld, type SitesWorld } from '../sites/support.ts';

const hostname = 'docs.example.com';
let world: SitesWorld;
let site: string;
beforeEach(async () => {
  world = await createSitesWorld();
  site = await world.site('Docs', await world.space('Guide'));
  await world.call(publishSite, { siteId: site });
});

const set = (name = hostname, siteId = site) =>
  world.call(contract.setCustomHostname, { siteId }, { hostname: name });
const refuse = (name: string, siteId = site) =>
  world.refusal(contract.setCustomHostname, { siteId }, { hostname: name });
const get = (name = hostname) => world.call(contract.getCustomHostname, { hostname: name });
const address = async () => (await world.call(getSite, { siteId: site })).urls.published;
const direct = 'http://localhost:8080/sites/acme/docs/';

/** Runs the check with name servers that have these records, on a server with this public URL. */
const check = async (
  records: Readonly<Record<string, Partial<HostRecords> | Problem>>,
  publicUrl = 'https://pages.example.net',
  sitesUrl?: string,
): Promise<void> => {
  const lookUpHost: DnsLookup = async (host) => {
    const found = records[host];
    if (found instanceof Problem) throw found;
    return { cname: [], addresses: [], isPrivate: false, ...found };
  };
  await runDueJobs(
    { ...world.core, lookUpHost, publicUrl, sitesUrl, env: { DOCSCTL_TRUST_HOSTNAMES: 'yes' } },
    { kind: 'custom-hostname', signal: new AbortController().signal },
  );
};

describe('setting a custom hostname', () => {
  test('creates a pending hostname, and the site keeps its address until the check', async () => {
    expect(await set()).toEqual({
      object: 'custom-hostname',
      hostname,
      target: { type: 'site', site },
      isActive: false,
      state: 'pending',
      proof: { type: 'TXT', name: `_docsctl.${hostname}`, value: `docsctl-organization=${world.org}` },
      urls: { location: `http://localhost:8080/v1/custom-hostnames/${hostname}` },
    });
    expect((await world.call(getSite, { siteId: site })).hostname).toBe(hostname);
    expect(await address()).toBe(direct);
    expect((await world.call(contract.listCustomHostnames, {})).items).toEqual([await get()]);
  });

  test.each(['example.com', 'docs_1.example.com', 'docs.example.com.', 'a..example.com', ''])(
    'refuses "%s", which is not a hostname',
    async (name) => {
      expect((await refuse(name)).paths).toEqual(['/body/hostname']);
    },
  );

  test.each(['1.1.1.0x1', 'xn--a.docs.example', 'docs.xn--0.example', '1.2.3.09'])(
    'refuses "%s", which browsers cannot open',
    async (name) => {
      expect(await refuse(name)).toMatchObject({
        message: `Browsers cannot open "${name}".`,
        paths: ['/body/hostname'],
      });
    },
  );

  test('accepts a name in Punycode', async () => {
    expect((await set('xn--bcher-kva.docs.example')).hostname).toBe('xn--bcher-kva.docs.example');
  });

  test('changes upper case to lower case', async () => {
    expect((await set('Docs.Example.COM')).hostname).toBe(hostname);
  });

  test('refuses an IP address and the host of the server', async () => {
    expect((await refuse('10.0.0.10')).message).toContain('"10.0.0.10" is an IP address.');
    const { core } = world;
    const input = {
      params: { organizationId: world.org, siteId: site },
      body: { hostname: 'docs.server.example' },
    };
    const { embeddedApi } = await import('../../../src/core/embedded.ts');
    const api = embeddedApi({ ...core, publicUrl: 'https://docs.server.example' }, world.credential('admin'));
    await expect(api.call(contract.setCustomHostname, input)).rejects.toThrow('the host of this server');
    const apart = embeddedApi(
      { ...core, sitesUrl: 'https://docs.server.example' },
      world.credential('admin'),
    );
    await expect(apart.call(contract.setCustomHostname, input)).rejects.toThrow('the host of this server');
  });

  test('refuses a hostname of another site', async () => {
    await set();
    const other = await world.site('Help');
    expect(await refuse(hostname, other)).toMatchObject({
      reason: 'conflict',
      message: `The site "Docs" (${site}) already has the hostname "docs.example.com".`,
      hint: 'Remove it there first: `docsctl custom-hostnames delete docs.example.com`',
    });
    const found = await world.refusal(
      contract.getCustomHostname,
      { hostname },
      undefined,
      undefined,
      'outsider',
    );
    expect(found.reason).toBe('not-found');
  });

  test('replaces the previous hostname, which becomes free', async () => {
    await set();
    await set('guide.example.com');
    expect((await world.refusal(contract.getCustomHostname, { hostname })).reason).toBe('not-found');
    expect((await set(hostname, await world.site('Help'))).hostname).toBe(hostname);
  });

  test('keeps the result of the check if the hostname is the same', async () => {
    await set();
    await check({ [hostname]: { cname: ['pages.example.net'] } });
    expect(await set()).toMatchObject({ isActive: true, status: 'dns_passed' });
  });
});

describe('the check of a custom hostname', () => {
  beforeEach(() => set());

  test('passes with a CNAME record that leads to the server, and changes the address of the site', async () => {
    await check({ [hostname]: { cname: ['pages.example.net'], addresses: ['93.184.216.34'] } });
    expect(await get()).toMatchObject({
      isActive: true,
      status: 'dns_passed',
      dns: {
        checkedAt: expect.any(String),
        expected: 'pages.example.net',
        cname: ['pages.example.net'],
        addresses: ['93.184.216.34'],
      },
    });
    expect(await address()).toBe('https://docs.example.com/');
    const published = await world.call(getPublishedSite, { siteId: site });
    expect(published.site.urls.published).toBe('https://docs.example.com/');
  });

  test('passes with an address record of the server or of its public URL', async () => {
    const addresses = ['93.184.216.34'];
    await check({ [hostname]: { addresses }, 'pages.example.net': { addresses } });
    expect((await get()).status).toBe('dns_passed');
    await world.call(contract.revalidateCustomHostname, { hostname });
    await check({ [hostname]: { addresses } }, 'http://93.184.216.34:8080');
    expect((await get()).status).toBe('dns_passed');
  });

  test.each([
    [
      'another CNAME record',
      { cname: ['elsewhere.example'], addresses: ['93.184.216.34'] },
      'dns_wrong_cname',
    ],
    ['other addresses', { addresses: ['93.184.216.99'] }, 'dns_no_cname'],
    ['no records', {}, 'dns_no_cname'],
  ] as const)('fails with %s', async (_, records, status) => {
    await check({ [hostname]: records, 'pages.example.net': { addresses: ['93.184.216.1'] } });
    expect(await get()).toMatchObject({ isActive: false, status, dns: records });
    expect(await address()).toBe(direct);
  });

  test('fails if the record is gone, but changes nothing if name servers do not answer', async () => {
    await check({ [hostname]: { cname: ['pages.example.net'] } });
    await world.call(contract.revalidateCustomHostname, { hostname });
    await check({ [hostname]: new Problem('timed-out', 'The name server did not answer in time.') });
    expect(await get()).toMatchObject({
      isActive: true,
      dns: { cname: [], error: 'The name server did not answer in time.' },
    });
    await world.call(contract.revalidateCustomHostname, { hostname });
    await check({});
    expect(await get()).toMatchObject({ isActive: false, status: 'dns_no_cname' });
    expect(await address()).toBe(direct);
  });

  test('stores no records of a host with a private address', async () => {
    await check({ [hostname]: { cname: ['db.internal'], addresses: ['10.0.0.7'], isPrivate: true } });
    expect((await get()).dns).toEqual({
      checkedAt: expect.any(String),
      expected: 'pages.example.net',
      cname: [],
      addresses: [],
      isPrivate: true,
    });
  });

  test.each(['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'])(
    'reports that no hostname can lead to %s',
    async (publicUrl) => {
      await check({}, publicUrl);
      const { status, dns } = await get();
      expect(status).toBeUndefined();
      expect(dns?.error).toMatch(
        /^No server shows the sites of this store where other machines can reach them\. Start one with /,
      );
    },
  );

  test('expects the host of the sites if the API has a different host', async () => {
    await check({ [hostname]: { cname: ['pages.example.net'] } }, undefined, 'https://sites.example.net');
    expect(await get()).toMatchObject({ status: 'dns_wrong_cname', dns: { expected: 'sites.example.net' } });
    await check({ [hostname]: { cname: ['sites.example.net'] } }, undefined, 'https://sites.example.net');
  });

  test('is repeated after a day if it passes, otherwise after an hour', async () => {
    const dueAt = async () =>
      Date.parse(
        (await world.core.store.read((view) => view.get(jobs, `custom-hostname.${hostname}`)))!.dueAt,
      );
    const hour = 3_600_000;
    await check({});
    const failed = await dueAt();
    const at = Date.parse((await get()).dns!.checkedAt);
    expect(Math.round((failed - at) / hour)).toBe(1);
    world.pass(hour);
    await check({ [hostname]: { cname: ['pages.example.net'] } });
    expect(Math.round(((await dueAt()) - Date.parse((await get()).dns!.checkedAt)) / hour)).toBe(24);
  });
});

describe('removing a custom hostname', () => {
  test('restores the address of the site and stops the checks', async () => {
    await set();
    await check({ [hostname]: { cname: ['pages.example.net'] } });
    await world.call(contract.deleteCustomHostname, { hostname: 'DOCS.example.com' });
    expect((await world.refusal(contract.getCustomHostname, { hostname })).message).toBe(
      'There is no custom hostname "docs.example.com" that you can see.',
    );
    expect(await world.call(getSite, { siteId: site })).not.toHaveProperty('hostname');
    expect(await address()).toBe(direct);
    expect(
      await world.core.store.read((view) => view.get(jobs, `custom-hostname.${hostname}`)),
    ).toBeUndefined();
  });

  test('happens when the site is deleted', async () => {
    await set();
    await world.call(deleteSite, { siteId: site });
    expect((await world.refusal(contract.getCustomHostname, { hostname })).reason).toBe('not-found');
    await check({});
  });
});
