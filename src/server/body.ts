import { isObject } from '../contract/values.ts';
import { checkDepth } from '../contract/limits.ts';
import { invalid, Problem } from '../errors/problem.ts';

/** Content types that are JSON. */
export const jsonTypes = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** A body that is not parsed yet, because parsing takes long. */
export class LargeBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Maximum number of JSON values in it. */
  readonly nodes: number;

  constructor(bytes: Uint8Array, contentType: string, nodes: number) {
    this.bytes = bytes;
    this.contentType = contentType;
    this.nodes = nodes;
  }
}

/**
 * Parses a JSON body. Returns undefined for an empty body. `nodes` is the maximum number of values. The maximum depth is 64.
 *
 * @throws Problem(unsupported-media) for a charset other than UTF-8; Problem(invalid-input) for anything that is not valid JSON,
 * exceeds a limit, or has a key that could change a prototype
 */
export function readBody(bytes: Buffer, contentType: string, nodes: number): unknown {
  if (bytes.length === 0) return undefined;
  const charset = /;\s*charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8';
  if (charset !== 'utf-8' && charset !== 'utf8') {
    throw new Problem('unsupported-media', 'The Content-Type names a charset other than UTF-8.', {
      hint: 'Send JSON as UTF-8.',
    });
  }
  const text = decode(bytes);
  checkDepth(text, { depth: 64, nodes });
  const value = parse(text);
  if (mayReachPrototypes.test(text)) refusePrototypes(value);
  return value;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('/body', 'The body is not valid UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // V8's message also quotes the body, so only the position is taken from it.
    const position = /at position \d+/.exec(error instanceof Error ? error.message : '')?.[0];
    throw invalid('/body', `The body is not valid JSON${position === undefined ? '' : ` (${position})`}.`);
  }
}

/** Matches every text that may contain such a key. An escape can encode any key, so escapes match too. */
const mayReachPrototypes = /"__proto__"|"constructor"|\\u/;

function refusePrototypes(value: unknown): void {
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (!isObject(next)) continue;
    if (
      Object.hasOwn(next, '__proto__') ||
      hasPrototype(Object.getOwnPropertyDescriptor(next, 'constructor')?.value)
    ) {
      throw invalid('/body', 'The keys "__proto__" and "constructor.prototype" are not allowed.');
    }
    // Pushed one by one, because spreading a long list into arguments would overflow the stack.
    for (const child of Object.values(next)) pending.push(child);
  }
}

function hasPrototype(value: unknown): boolean {
  return isObject(value) && Object.hasOwn(value, 'prototype');
}
