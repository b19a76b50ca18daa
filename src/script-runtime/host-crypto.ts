import { webcrypto } from 'node:crypto';
import { types } from 'node:util';
import { RecentMap } from '../core/recent-map.ts';
import { subtleOperations } from './subtle-operations.ts';

type Key = webcrypto.CryptoKey;

/** Maximum number of keys of one context. The least recently used keys are dropped. */
const maxKeys = 1000;

/** The result of an operation: JSON, or bytes. */
interface CryptoResult {
  readonly value: unknown;
  readonly bytes?: ArrayBuffer;
}

const operations = new Set<string>(subtleOperations);

/**
 * Returns a function that executes operations of the Web Cryptography API and stores the keys of one context. Operations run one
 * after the other, because they do not count towards the script's time. Operations that are not wanted anymore are skipped.
 */
export function createCrypto(): (args: readonly unknown[], isWanted: () => boolean) => Promise<CryptoResult> {
  const keys = new RecentMap<Key>(maxKeys);
  let lastKey = 0;
  let last: Promise<unknown> = Promise.resolve();
  const keep = (key: Key): unknown => {
    // The length of an imported key is known only after the import.
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

/** Returns the algorithm of a key as JSON. The exponent of RSA is bytes. */
function plainAlgorithm(algorithm: object): object {
  return Object.fromEntries(
    Object.entries(algorithm).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Array.from(value) : (value as unknown),
    ]),
  );
}

/** Maximum number of bits of RSA and HMAC keys, and of derived bits with many iterations. */
const maxRsa = 4096;
const maxHmac = 65_536;
const maxDerived = 4096;
const rsaTooLong = `Keys of RSA may have at most ${maxRsa} bits.`;

interface RsaFields {
  readonly modulusLength?: unknown;
}

/** Rejects operations that would take much processor time or memory, because neither counts towards the limits of the script. */
function checkCost([algorithm, , target]: readonly unknown[]): void {
  const { iterations, modulusLength, length } = fieldsOf(algorithm);
  checkAtMost(iterations, 1_000_000, 'At most 1,000,000 iterations are allowed.');
  checkAtMost(modulusLength, maxRsa, rsaTooLong);
  checkAtMost(length, maxHmac, `Keys of HMAC may have at most ${maxHmac.toLocaleString('en')} bits.`);
  if (iterations === undefined) return;
  // All iterations are needed for each 160 to 512 bits. `deriveBits` gets the number of bits, and `deriveKey` the algorithm of
  // the key.
  const derived = typeof target === 'object' ? fieldsOf(target)['length'] : target;
  const tooLong = `At most ${maxDerived.toLocaleString('en')} bits can be derived in iterations.`;
  checkAtMost(derived ?? undefined, maxDerived, tooLong);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/**
 * Checks a number. The operations also accept texts as numbers, and convert negative numbers to very large ones.
 *
 * @throws RangeError
 */
function checkAtMost(value: unknown, max: number, message: string): void {
  if (value !== undefined && !(Number(value) >= 0 && Number(value) <= max)) throw new RangeError(message);
}
