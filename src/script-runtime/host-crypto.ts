import { webcrypto } from 'node:crypto';
import { types } from 'node:util';
import { RecentMap } from '../core/recent-map.ts';
import { subtleOperations } from './subtle-operations.ts';

type Key = webcrypto.CryptoKey;

/** The most keys of one context. Those that were not used for longest are forgotten. */
const maxKeys = 1000;

/** What an operation yields: JSON, or bytes. */
interface CryptoResult {
  readonly value: unknown;
  readonly bytes?: ArrayBuffer;
}

const operations = new Set<string>(subtleOperations);

/**
 * Returns a function that does operations of the Web Cryptography API and keeps the keys of one context. It does one after the
 * other, because they compute outside of the script's own time, and only those that are still wanted.
 */
export function createCrypto(): (args: readonly unknown[], isWanted: () => boolean) => Promise<CryptoResult> {
  const keys = new RecentMap<Key>(maxKeys);
  let lastKey = 0;
  let last: Promise<unknown> = Promise.resolve();
  const keep = (key: Key): unknown => {
    // The parts of an imported key say how long it is.
    checkAtMost((key.algorithm as RsaFields).modulusLength, maxRsa, rsaTooLong);
    const id = ++lastKey;
    keys.set(String(id), key);
    const { type, extractable, algorithm, usages } = key;
    return { $key: { id, type, extractable, algorithm: plainAlgorithm(algorithm), usages } };
  };
  const unpack = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(unpack);
    if (typeof value !== 'object' || value === null) return value;
    const { $key, $bytes } = value as Record<string, unknown>;
    if (typeof $bytes === 'string') return new Uint8Array(Buffer.from($bytes, 'base64'));
    if ($key === undefined)
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unpack(one)]));
    const key = keys.get(String($key));
    if (key === undefined) throw new TypeError('There is no such key.');
    return key;
  };
  const perform = async ([name, ...args]: readonly unknown[]): Promise<CryptoResult> => {
    if (typeof name !== 'string' || !operations.has(name)) throw new TypeError('There is no such operation.');
    checkCost(args);
    const { subtle } = webcrypto;
    const operation = subtle[name as 'digest'] as (...all: unknown[]) => Promise<unknown>;
    const result = await operation.apply(subtle, args.map(unpack));
    if (result instanceof ArrayBuffer) return { value: null, bytes: result };
    if (types.isCryptoKey(result)) return { value: keep(result) };
    if (typeof result !== 'object' || result === null) return { value: result };
    const { publicKey, privateKey } = result as Record<string, unknown>;
    if (types.isCryptoKey(publicKey) && types.isCryptoKey(privateKey))
      return { value: { publicKey: keep(publicKey), privateKey: keep(privateKey) } };
    return { value: result };
  };
  return (args, isWanted) => {
    const next = last.then(() => {
      if (!isWanted()) throw new Error('Nobody waits for the result any longer.');
      return perform(args);
    });
    last = next.catch(() => undefined);
    return next;
  };
}

/** The algorithm of a key as JSON. The exponent of RSA is bytes. */
function plainAlgorithm(algorithm: object): object {
  return Object.fromEntries(
    Object.entries(algorithm).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Array.from(value) : (value as unknown),
    ]),
  );
}

/** The most bits of keys of RSA and of HMAC, and of what is derived in many iterations. */
const maxRsa = 4096;
const maxHmac = 65_536;
const maxDerived = 4096;
const rsaTooLong = `Keys of RSA may have at most ${maxRsa} bits.`;

interface RsaFields {
  readonly modulusLength?: unknown;
}

/** Refuses what would keep a processor busy for long, or take much memory: both are outside of the script's own. */
function checkCost([algorithm, , target]: readonly unknown[]): void {
  const { iterations, modulusLength, length } = fieldsOf(algorithm);
  checkAtMost(iterations, 1_000_000, 'At most 1,000,000 iterations are allowed.');
  checkAtMost(modulusLength, maxRsa, rsaTooLong);
  checkAtMost(length, maxHmac, `Keys of HMAC may have at most ${maxHmac.toLocaleString('en')} bits.`);
  if (iterations === undefined) return;
  // Each 160 to 512 bits take all iterations. `deriveBits` gets their number, and `deriveKey` the algorithm of the key.
  const derived = typeof target === 'object' ? fieldsOf(target)['length'] : target;
  const tooLong = `At most ${maxDerived.toLocaleString('en')} bits can be derived in iterations.`;
  checkAtMost(derived ?? undefined, maxDerived, tooLong);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** A text is a number for the operations as well, and a negative number a very large one. @throws RangeError */
function checkAtMost(value: unknown, max: number, message: string): void {
  if (value !== undefined && !(Number(value) >= 0 && Number(value) <= max)) throw new RangeError(message);
}
