import { describe, expect, it } from 'vitest';
import { readAllowList } from '../../src/client/allow-list.ts';
import {
  checkOutgoingUrl,
  describeOrigin,
  readTarget,
  resolveTarget,
} from '../../src/client/outgoing-target.ts';
import type { Problem } from '../../src/errors/problem.ts';

const none = readAllowList(undefined);
/** The reason why an address is refused, or undefined. */
function faultOf(text: string, allow = none, trusted = false): string | undefined {
  try {
    readTarget(text, undefined, { allow, trusted });
    return undefined;
  } catch (error) {
    expect((error as Problem).reason).toBe('forbidden');
    return (error as Problem).message;
  }
}

describe('a port of an outgoing request', () => {
  it('is allowed if it belongs to HTTP, or to no known service', () => {
    const refused = Array.from({ length: 65_535 }, (_, index) => index + 1).filter(
      (port) => faultOf(`https://a.example:${port}/`) !== undefined,
    );
    const known = [
      1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5900, 5984, 6000,
      6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 8500, 9200, 9300, 10_080, 10_250, 10_255, 11_211, 27_017,
    ]; // prettier-ignore
    expect(refused.filter((port) => port > 1023)).toEqual(known);
    expect(refused.filter((port) => port <= 1023)).toHaveLength(1021);
    expect([80, 443].some((port) => refused.includes(port))).toBe(false);
  });

  it('can be allowed by the operator, or belong to a trusted server', () => {
    expect(faultOf('http://a.example:22/')).toContain('Port 22 is not allowed for http.');
    expect(faultOf('http://a.example:22/', readAllowList('a.example:22'))).toBeUndefined();
    expect(faultOf('http://a.example:22/', readAllowList('a.example:23'))).toBeDefined();
    expect(faultOf('http://a.example:22/', none, true)).toBeUndefined();
  });
});

it('an address must be an http or https URL, without credentials, and loses its fragment', () => {
  expect(faultOf('a')).toBe('The address is not a URL.');
  expect(faultOf('ftp://a.example/')).toBe('Only http and https addresses are allowed, not "ftp:".');
  for (const text of ['https://n@a.example/', 'https://:w@a.example/'])
    expect(faultOf(text)).toBe('The address must not contain a user name or password.');
  expect(readTarget('/b#c', 'https://a.example/d', { allow: none, trusted: false }).href).toBe(
    'https://a.example/b',
  );
  expect(describeOrigin(new URL(`https://${'a'.repeat(60)}.example:8080/secret?secret`))).toBe(
    `https://${'a'.repeat(60)}.example:8080`,
  );
});

describe('the addresses of a host', () => {
  const resolve = (text: string, answers: readonly string[], more: object = {}) =>
    resolveTarget(new URL(text), {
      allow: none,
      trusted: false,
      isProxied: false,
      lookup: () => Promise.resolve(answers.map((address) => ({ address, family: 4 }))),
      ...more,
    });

  it('must all be public', async () => {
    expect((await resolve('https://a.example', ['93.184.216.34'])).addresses).toHaveLength(1);
    for (const answers of [['10.0.0.1'], ['93.184.216.34', '127.0.0.1']])
      await expect(resolve('https://a.example', answers)).rejects.toMatchObject({ reason: 'forbidden' });
    await expect(resolve('https://a.example', [])).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolve('http://[::1]/', [])).rejects.toMatchObject({ reason: 'forbidden' });
  });

  it('can be private if the host is trusted or allowed, and are then left to a proxy', async () => {
    for (const more of [{ trusted: true }, { allow: readAllowList('a.example') }]) {
      expect((await resolve('https://a.example', ['10.0.0.1'], more)).addresses).toHaveLength(1);
      expect(
        (await resolve('https://a.example', ['10.0.0.1'], { ...more, isProxied: true })).addresses,
      ).toEqual([]);
    }
    expect(
      (await resolve('https://a.example', ['93.184.216.34'], { isProxied: true })).addresses,
    ).toHaveLength(1);
  });
});

it('a private address is refused before it is looked up', () => {
  for (const text of [
    'http://127.0.0.1/',
    'http://10.1.2.3/',
    'http://localhost/',
    'http://a.localhost/',
    'http://[::1]/',
  ])
    expect(() => checkOutgoingUrl(text, none), text).toThrow('not on the public internet');
  for (const text of ['http://93.184.216.34/', 'http://a.example/', 'http://mylocalhost/'])
    expect(() => checkOutgoingUrl(text, none), text).not.toThrow();
  expect(() => checkOutgoingUrl('http://localhost/', readAllowList('localhost'))).not.toThrow();
});
