import { isIP } from 'node:net';
import { once } from '../contract/once.ts';

/** An IP address as its bytes: 4 or 16 of them. */
export type AddressBytes = readonly number[];

/** Parses an address in any notation that a resolver or URL uses. Returns undefined for other text. */
export function parseAddress(text: string): AddressBytes | undefined {
  switch (isIP(text)) {
    case 4:
      return text.split('.').map(Number);
    case 6:
      // A zone ("%eth0") names an interface of this machine, which no public address needs.
      return text.includes('%') ? undefined : sixteenBytes(text);
    default:
      return undefined;
  }
}

function sixteenBytes(text: string): AddressBytes {
  const [head, tail] = text.split('::') as [string, string?];
  const front = groups(head);
  const back = tail === undefined ? [] : groups(tail);
  return [...front, ...Array<number>(16 - front.length - back.length).fill(0), ...back];
}

function groups(text: string): number[] {
  if (text === '') return [];
  return text
    .split(':')
    .flatMap((group) =>
      group.includes('.')
        ? group.split('.').map(Number)
        : [parseInt(group, 16) >> 8, parseInt(group, 16) & 255],
    );
}

/** All addresses that start with the same bits. */
export interface Network {
  readonly bytes: AddressBytes;
  readonly bits: number;
}

/** Parses a network, written as ADDRESS/BITS, or a single address. Returns undefined for other text. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', size, more] = text.split('/');
  const bytes = parseAddress(address);
  if (bytes === undefined || more !== undefined) return undefined;
  if (size === undefined) return { bytes, bits: bytes.length * 8 };
  const bits = /^\d{1,3}$/.test(size) ? Number(size) : -1;
  return bits < 0 || bits > bytes.length * 8 ? undefined : { bytes, bits };
}

/** Whether an address is in a network. False for an address of the other IP version. */
export function isWithin(address: AddressBytes, { bytes, bits }: Network): boolean {
  if (address.length !== bytes.length) return false;
  return bytes.every((byte, at) => {
    const mask = (0xff00 >> Math.min(8, Math.max(0, bits - at * 8))) & 0xff;
    return (byte & mask) === (address[at]! & mask);
  });
}

/**
 * The IPv4 networks that are not public: IANA's registry of special-purpose addresses
 * (https://www.iana.org/assignments/iana-ipv4-special-registry), multicast, reserved networks, and 168.63.129.16, a
 * metadata service with a public address.
 */
const reserved4 = networks(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
);
/** Of IPv6 only 2000::/3 is public, except protocol assignments (Teredo, ORCHID), documentation and 6to4. */
const public6 = networks('2000::/3');
const reserved6 = networks('2001::/23 2001:db8::/32 2002::/16 3fff::/20');
/** IPv4-mapped addresses and NAT64. Their last four bytes are the IPv4 address that packets are sent to. */
const ipv4Carriers = networks('::ffff:0:0/96 64:ff9b::/96');

/** Parses networks at their first use: Node takes milliseconds to learn to read addresses. */
function networks(list: string): () => readonly Network[] {
  return once(() => list.split(' ').map((text) => parseNetwork(text)!));
}

/**
 * Whether an address is on the public internet, and not on this machine, in a private network or in a cloud's
 * metadata service.
 */
export function isPublic(address: AddressBytes): boolean {
  const isIn = (list: () => readonly Network[]): boolean =>
    list().some((network) => isWithin(address, network));
  if (address.length === 4) return !isIn(reserved4);
  if (isIn(ipv4Carriers)) return isPublic(address.slice(12));
  return isIn(public6) && !isIn(reserved6) && (!isIsatap(address) || isPublic(address.slice(12)));
}

/** Whether an address is an ISATAP one (RFC 5214): any prefix, then 0000:5efe or 0200:5efe, then an IPv4 address. */
function isIsatap(address: AddressBytes): boolean {
  const [flags = 0, ...marker] = address.slice(8, 12);
  return (flags & 0xfd) === 0 && [0, 0x5e, 0xfe].every((byte, at) => byte === marker[at]);
}

/** The IPv4 address inside an IPv4-mapped or NAT64 address; other addresses unchanged. */
export function unwrapIPv4(address: AddressBytes): AddressBytes {
  return ipv4Carriers().some((network) => isWithin(address, network)) ? address.slice(12) : address;
}
