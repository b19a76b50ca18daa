import type { Finding } from './references.ts';
import { isRecord } from '../contract/values.ts';

const letters = 'the name of a component holds only letters, digits, ".", "-" and "_"';

/** The findings of the library without those that are none, each once, in words that tell what to do. */
export function clarify(value: Record<string, unknown>, findings: readonly Finding[]): Finding[] {
  const told = new Set<string>();
  return findings.flatMap((finding) => {
    const message = messageOf(value, finding, findings);
    const key = `${finding.pointer.join('\n')}\n${message}`;
    if (message === undefined || told.has(key)) return [];
    told.add(key);
    return [{ ...finding, message }];
  });
}

/** Undefined for what is wrong with nothing. */
function messageOf(
  value: Record<string, unknown>,
  { message, pointer }: Finding,
  all: readonly Finding[],
): string | undefined {
  const here = pointer.reduce<unknown>(
    (node, word) =>
      typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[word] : undefined,
    value,
  );
  // An empty map is there all the same.
  if (/at least one entry in either/.test(message))
    return ['paths', 'webhooks', 'components'].some((field) => isRecord(value[field])) ? undefined : message;
  if (/listed as required but does not exist/.test(message)) return isNoObject(here) ? undefined : message;
  // Swagger 2.0 lets definitions be called anything, and nothing names what an extension holds.
  if (/has an invalid name\b/.test(message))
    return /^`\/(definitions\/|components\/x-)/.test(message) ? undefined : letters;
  if (message.startsWith('must match pattern "^[a-zA-Z0-9._-]+$"')) return letters;
  if (message.startsWith('must NOT be valid')) return excluding(here) ?? message;
  if (
    pointer.length === 0 &&
    message === "must have required property 'paths'" &&
    String(value['openapi']).startsWith('3.1')
  )
    return 'it has none of "paths", "webhooks" and "components", of which 3.1 needs one';
  if (/there is no corresponding/.test(message)) {
    const name = /named (`[^`]*`)/.exec(message)?.[1] ?? '';
    if (all.some((other) => other.message.startsWith(`Found multiple \`path\` parameters named ${name}`)))
      return undefined;
  }
  const twice = /is missing path parameter\(s\) for (`\{[^`]*\}`)$/.exec(message)?.[1];
  if (
    twice !== undefined &&
    all.some((other) => other.message.endsWith(`has multiple path placeholders named ${twice}`))
  )
    return undefined;
  return message;
}

/** What is no object has no properties that could be missing. */
function isNoObject(here: unknown): boolean {
  const schema = isRecord(here) && isRecord(here['schema']) ? here['schema'] : here;
  return isRecord(schema) && typeof schema['type'] === 'string' && schema['type'] !== 'object';
}

function excluding(here: unknown): string | undefined {
  const pairs = [['identifier', 'url'], ['example', 'examples'], ['schema', 'content'], ['value', 'externalValue']] as const; // prettier-ignore
  const pair = isRecord(here)
    ? pairs.find((fields) => fields.every((field) => Object.hasOwn(here, field)))
    : undefined;
  return pair === undefined ? undefined : `"${pair[0]}" and "${pair[1]}" exclude each other`;
}
