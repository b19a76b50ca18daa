import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAddressAllowed, isHostAllowed, readAllowList } from '../../src/client/allow-list.ts';
import { parseAddress, isPublic, isWithin, parseNetwork } from '../../src/core/addresses.ts';
import { Problem } from '../../src/errors/problem.ts';

const byte = fc.integer({ min: 0, max: 255 });
const four = fc.tuple(byte, byte, byte, byte);

describe('parseAddress', () => {
  it('returns the bytes of any address, however it is shortened', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff })), {
          minLength: 8,
          maxLength: 8,
        }),
        (groups) => {
          const whole = groups.map((group) => group.toString(16)).join(':');
          const short = new URL(`http://[${whole}]/`).hostname.slice(1, -1);
          const bytes = groups.flatMap((group) => [group >> 8, group & 255]);
          expect(parseAddress(whole)).toEqual(bytes);
          expect(parseAddress(short)).toEqual(bytes);
        },
      ),
    );
    fc.assert(fc.property(four, (bytes) => void expect(parseAddress(bytes.join('.'))).toEqual(bytes)));
  });

  it.each([
    ['::', Array<number>(16).fill(0)],
    ['::1', [...Array<number>(15).fill(0), 1]],
    ['1::', [0, 1, ...Array<number>(14).fill(0)]],
    ['::ffff:10.1.2.3', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 10, 1, 2, 3]],
  ])('reads %s', (text, bytes) => expect(parseAddress(text)).toEqual(bytes));

  it.each([
    '',
    'localhost',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '01.2.3.4',
    'fe80::1%eth0',
    '::g',
    '1::2::3',
    '127.0.0.1 ',
  ])('returns undefined for "%s"', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});

describe('a network', () => {
  it('contains exactly the addresses that begin with its bits', () => {
    fc.assert(
      fc.property(four, four, fc.integer({ min: 0, max: 32 }), (network, address, bits) => {
        const binary = (bytes: readonly number[]): string =>
          bytes.map((part) => part.toString(2).padStart(8, '0')).join('');
        expect(isWithin(address, { bytes: network, bits })).toBe(
          binary(address).slice(0, bits) === binary(network).slice(0, bits),
        );
      }),
    );
  });

  it.each(['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/8/8', '::/129', 'ten/8', '10.0.0/8'])(
    'cannot be "%s"',
    (text) => expect(parseNetwork(text)).toBeUndefined(),
  );
});

describe('isPublic', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.169.0.0',
    '198.17.255.255',
    '223.255.255.255',
  ])('returns true for %s', (text) => expect(isPublic(parseAddress(text)!)).toBe(true));

  it.each([
    '2606:4700:4700::1111',
    '2a00:1450:4001::64',
    '2001:200::1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    '2606:4700::5efe:808:808',
  ])('returns true for the IPv6 address %s', (text) => expect(isPublic(parseAddress(text)!)).toBe(true));

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.100.100.200',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:a00:1',
    '::ffff:169.254.169.254',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',

    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::808:808',
    '100::1',
    '2001::1',
    '2001:0:7f00:1::',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:808:808::',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '2606:4700::5efe:7f00:1',
    '2606:4700::200:5efe:a00:1',
  ])('returns false for %s', (text) => expect(isPublic(parseAddress(text)!)).toBe(false));

  it('returns the same for an IPv4 address alone, mapped and behind NAT64', () => {
    fc.assert(
      fc.property(four, (bytes) => {
        const alone = isPublic(bytes);
        expect(isPublic(parseAddress(`::ffff:${bytes.join('.')}`)!)).toBe(alone);
        expect(isPublic(parseAddress(`64:ff9b::${bytes.join('.')}`)!)).toBe(alone);
      }),
    );
  });
});

describe('DOCSCTL_ALLOW_PRIVATE', () => {
  const list = readAllowList(
    ' 10.1.0.0/16, fd00::/8,192.168.7.7 , [::1]:3000, Specs.Internal:8080,wiki.internal,127.1:9000,[fe80::1]',
  );

  it.each([
    ['10.1.2.3', true],
    ['::ffff:10.1.2.3', true],
    ['64:ff9b::a01:203', true],
    ['10.2.0.0', false],
    ['fdff::1', true],
    ['fc00::1', false],
    ['192.168.7.7', true],
    ['192.168.7.8', false],
    ['fe80::1', true],
    ['::1', false],
  ])('allows the address %s: %s', (text, allowed) =>
    expect(isAddressAllowed(list, parseAddress(text)!)).toBe(allowed),
  );

  it.each([
    ['::1', 3000, { host: true, port: true }],
    ['::1', 3001, { host: false, port: false }],
    ['specs.internal', 8080, { host: true, port: true }],
    ['specs.internal', 8081, { host: false, port: false }],
    ['wiki.internal', 443, { host: true, port: false }],
    ['127.0.0.1', 9000, { host: true, port: true }],
    ['evil.specs.internal', 8080, { host: false, port: false }],
  ])('allows %s on port %d: %o', (host, port, allowed) =>
    expect(isHostAllowed(list, host, port)).toEqual(allowed),
  );

  it('allows nothing by default', () => {
    for (const text of [undefined, '', ' , '])
      expect(readAllowList(text)).toEqual({ networks: [], hosts: [] });
  });

  it.each([
    '10.0.0.0/33',
    'http://x',
    'a b',
    'host:0',
    'host:65536',
    'host:',
    ':80',
    '[::1',
    '1.2.3.4:5/8',
    'user@host',
    '*',
    'x'.repeat(300) + '!',
  ])('cannot be "%s"', (text) => {
    const act = (): unknown => readAllowList(`10.0.0.1,${text}`);
    expect(act).toThrow(Problem);
    expect(act).toThrow(/DOCSCTL_ALLOW_PRIVATE has an entry/);
  });
});
