import { checkDepth } from '../contract/limits.ts';
import { invalid, Problem } from '../errors/problem.ts';

/** Content types that are JSON. */
export const jsonTypes = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** Reads a JSON body: UTF-8, at most 64 levels deep, without keys that reach prototypes; undefined for an empty one. */
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
    // V8 quotes the text around the mistake: the client's own, which it may see again, but not all of it.
    const place = /at position \d+/.exec(error instanceof Error ? error.message : '')?.[0];
    throw invalid('/body', `The body is not valid JSON${place === undefined ? '' : ` (${place})`}.`);
  }
}

/** A quick look that misses nothing: an escape in the text could spell any key. */
const mayReachPrototypes = /"__proto__"|"constructor"|\\u/;

function refusePrototypes(value: unknown): void {
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (
      Object.hasOwn(next, '__proto__') ||
      hasPrototype(Object.getOwnPropertyDescriptor(next, 'constructor')?.value)
    ) {
      throw invalid('/body', 'The keys "__proto__" and "constructor.prototype" are not allowed.');
    }
    // One by one: a spread of a long list would not fit the stack.
    for (const child of Object.values(next)) waiting.push(child);
  }
}

function hasPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}
