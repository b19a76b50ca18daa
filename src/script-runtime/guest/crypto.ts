import { subtleOperations } from '../subtle-operations.ts';
import { DOMException } from './events.ts';
import { exactBuffer, isBytes, startOnHost, textFromHost } from './host.ts';
import { randomBytes } from './text.ts';

interface KeyFields {
  readonly id: number;
  readonly type: string;
  readonly extractable: boolean;
  readonly algorithm: object;
  readonly usages: readonly string[];
}

/** A key. Its bytes are only on the host. */
export class CryptoKey {
  readonly #id: number;
  readonly type: string;
  readonly extractable: boolean;
  readonly algorithm: object;
  readonly usages: readonly string[];
  constructor({ id, type, extractable, algorithm, usages }: KeyFields) {
    this.#id = id;
    this.type = type;
    this.extractable = extractable;
    this.algorithm = algorithm;
    this.usages = usages;
  }
  static idOf(key: CryptoKey): number {
    return key.#id;
  }
}
const idOf = CryptoKey.idOf;
Reflect.deleteProperty(CryptoKey, 'idOf');

/** Encodes bytes and keys in arguments as JSON, in the form that the host decodes. */
function pack(value: unknown): unknown {
  if (value instanceof CryptoKey) return { $key: idOf(value) };
  if (isBytes(value)) return { $bytes: textFromHost('to-base64', null, exactBuffer(value)) };
  if (Array.isArray(value)) return value.map(pack);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, pack(one)]));
  return value;
}

function unpack(value: unknown, bytes: ArrayBuffer | undefined): unknown {
  if (bytes !== undefined) return bytes;
  if (typeof value !== 'object' || value === null) return value;
  const { $key, publicKey, privateKey } = value as Record<string, unknown>;
  if ($key !== undefined) return new CryptoKey($key as KeyFields);
  if (publicKey !== undefined && privateKey !== undefined)
    return { publicKey: unpack(publicKey, undefined), privateKey: unpack(privateKey, undefined) };
  return value;
}

function operation(name: string) {
  return async (...args: unknown[]): Promise<unknown> => {
    const { value, bytes } = await startOnHost('subtle', [name, ...args.map(pack)]);
    return unpack(value, bytes);
  };
}

/** The Web Cryptography API. The host executes its operations. */
export const crypto = {
  subtle: {
    ...Object.fromEntries(subtleOperations.map((name) => [name, operation(name)])),
    // As in workerd, the time does not depend on whether the bytes are equal.
    timingSafeEqual(a: ArrayBuffer, b: ArrayBuffer): boolean {
      const [left, right] = [new Uint8Array(exactBuffer(a)), new Uint8Array(exactBuffer(b))];
      if (left.length !== right.length) throw new TypeError('The inputs must have the same length.');
      return left.reduce((difference, byte, at) => difference | (byte ^ (right[at] ?? 0)), 0) === 0;
    },
  },
  getRandomValues<T extends ArrayBufferView>(into: T): T {
    if (into.byteLength > 65_536)
      throw new DOMException('At most 65536 random bytes are given at once.', 'QuotaExceededError');
    new Uint8Array(into.buffer, into.byteOffset, into.byteLength).set(randomBytes(into.byteLength));
    return into;
  },
  randomUUID: (): string => textFromHost('uuid', null),
};
