import { expect, test } from 'vitest';
import { readAllowList } from '../../src/client/allow-list.ts';
import { createDnsLookup, createTextLookup, type HostResolver } from '../../src/client/dns-lookup.ts';

const fails = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
const nothing: HostResolver = {
  resolveCname: fails('ENODATA'),
  resolve4: fails('ENODATA'),
  resolve6: fails('ENODATA'),
  resolveTxt: fails('ENODATA'),
};
const lookUp = (resolver: Partial<HostResolver>, allowed?: string) =>
  createDnsLookup({ allow: readAllowList(allowed), resolver: { ...nothing, ...resolver } })(
    'docs.example.com',
  );

test('a host has its records, with names in lowercase and without a final dot', async () => {
  const found = await lookUp({
    resolveCname: async () => ['Pages.Example.NET.'],
    resolve4: async () => ['93.184.216.34'],
    resolve6: async () => ['2606:2800:220:1::1'],
  });
  expect(found).toEqual({
    cname: ['pages.example.net'],
    addresses: ['93.184.216.34', '2606:2800:220:1::1'],
    isPrivate: false,
  });
});

test('a name that does not exist has no records', async () => {
  const missing = fails('ENOTFOUND');
  expect(await lookUp({ resolveCname: missing, resolve4: missing, resolve6: missing })).toEqual({
    cname: [],
    addresses: [],
    isPrivate: false,
  });
});

test.each([
  ['10.1.2.3', undefined, true],
  ['169.254.169.254', undefined, true],
  ['10.1.2.3', '10.0.0.0/8', false],
])('whether %s is private depends on DOCSCTL_ALLOW_PRIVATE: %s', async (address, allowed, isPrivate) => {
  expect((await lookUp({ resolve4: async () => [address] }, allowed)).isPrivate).toBe(isPrivate);
});

test.each([
  ['ESERVFAIL', 'unreachable', 'The name server could not answer for "docs.example.com" (ESERVFAIL).'],
  ['ETIMEOUT', 'timed-out', 'The name server did not answer in time for "docs.example.com".'],
])('the error %s of DNS is reported', async (code, reason, message) => {
  await expect(lookUp({ resolve6: fails(code) })).rejects.toMatchObject({ reason, message });
});

test('the parts of a TXT record are joined, and a name without records has none', async () => {
  const texts = createTextLookup({ resolveTxt: async () => [['docsctl-organization=', 'org_1'], ['other']] });
  expect(await texts('_docsctl.docs.example.com')).toEqual(['docsctl-organization=org_1', 'other']);
  expect(await createTextLookup({ resolveTxt: fails('ENOTFOUND') })('x.example.com')).toEqual([]);
  await expect(createTextLookup({ resolveTxt: fails('ETIMEOUT') })('x.example.com')).rejects.toMatchObject({
    reason: 'timed-out',
  });
});
