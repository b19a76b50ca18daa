import { validate } from '@readme/openapi-parser';
import { isObject, isRecord, recordOf } from '../contract/values.ts';
import { prepareForValidator } from './prepare-for-validator.ts';
import {
  countExpandedValues,
  findReferences,
  isSchemaAt,
  parseReference,
  resolveReference,
} from './specification-tree.ts';
import { createFinding, type Finding } from './specification.ts';

/**
 * Maximum number of expanded values for which the library may create an excerpt, which takes about 2 KB for each value. Ordinary
 * specifications expand to a million values.
 */
const maxDrawnValues = 50_000;
/** Maximum number of values, with expanded references, that the library may check. With more, it would not finish. */
const maxValues = 3_000_000;
const undrawn = 'undrawn';
/** Messages of the library if its rules throw for a value that its schema accepted. */
const crashed = /^Cannot (use|read|convert)|is not (a function|iterable|an object)/;

/** Checks a specification against the schema and rules of its version, with @readme/openapi-parser. */
export async function validateSpecification(value: Record<string, unknown>): Promise<Finding[]> {
  const size = countExpandedValues(value);
  let isUnknown = size > maxValues;
  if (!isUnknown) {
    const first = await runValidator(value, structuredClone(value), size > maxDrawnValues);
    isUnknown = first.some(({ message }) => crashed.test(message));
    if (!isUnknown && !first.some(isUndrawn)) return first;
  }
  // Without expanded schemas, the findings are usually the same, and their excerpts are small.
  const separate = separateSchemas(value);
  const rest = countExpandedValues(separate);
  if (rest > maxValues) {
    const message = `the specification has more than ${maxValues} values when its references are resolved`;
    return [createFinding('SCHEMA_INVALID', message)];
  }
  const found = await runValidator(value, separate, rest > 2 * maxDrawnValues);
  const usable = found.filter(({ message }) => !crashed.test(message));
  if (usable.length > 0 ? !usable.some(isUndrawn) : isUnknown) return usable;
  const message =
    'the specification does not fit the schema of its version; it is too large to say where, so check it in parts';
  return [createFinding('SCHEMA_INVALID', message)];
}

/** Copies a specification and replaces references in schemas by text, which the library does not expand. */
function separateSchemas(value: Record<string, unknown>): Record<string, unknown> {
  const copy = structuredClone(value);
  for (const { holder, target, pointer } of findReferences(copy))
    if (isSchemaAt(pointer.slice(0, -1))) holder['$ref'] = target.replace('#', 'here');
  return copy;
}

/** Runs the library, which expands the references of the copy in place. For a large copy, creating an excerpt throws. */
async function runValidator(
  value: unknown,
  copy: Record<string, unknown>,
  isLarge: boolean,
): Promise<Finding[]> {
  prepareForValidator(copy);
  // Not set on the root, because the library clones it.
  if (isLarge)
    for (const part of Object.values(copy))
      if (isObject(part)) Object.defineProperty(part, 'toJSON', { value: refuseDrawing });
  let messages: readonly string[] = [];
  try {
    const result = await validate(copy as never, {
      resolve: { external: false },
      dereference: { circular: 'ignore' },
      validate: { errors: { colorize: false } },
    });
    if (!result.valid) messages = result.errors.map(({ message }) => message);
  } catch (error) {
    messages = [(error as Error).message];
  }
  return messages.slice(0, 50).map((message) => convertMessage(value, copy, message));
}

function refuseDrawing(): never {
  throw new Error(undrawn);
}

function isUndrawn({ message }: Finding): boolean {
  return message === undrawn;
}

/** Converts a message of the library: a schema error contains an excerpt of the text, a broken rule names the place. */
function convertMessage(value: unknown, expanded: unknown, message: string): Finding {
  const [, line] = /^> *(\d+) \|/m.exec(message) ?? [];
  if (line === undefined) {
    const [, path] = /`(\/[^`]*)`/.exec(message) ?? /operationId `([^`]*)`/.exec(message) ?? [];
    const pointer = path === undefined ? [] : findNamed(value, path);
    return createFinding('SPEC_INVALID', message.replace(/\.$/, ''), pointer);
  }
  const [head = ''] = message.split(/\n\n/);
  const reason = head.replaceAll('\n', ' ').replace(/^[A-Z]+(?: [A-Z]+)* (?=must|is|has)/, '');
  const [, note] = /\^+ (.+)$/m.exec(message) ?? [];
  const isSame = note === undefined || note.endsWith(reason) || /^\S+ is missing here!$/.test(note);
  const pointer = locateInSource(value, pointerOfLine(expanded, Number(line)));
  return createFinding('SCHEMA_INVALID', isSame ? reason : `${reason}: ${note}`, pointer);
}

/** Returns the pointer of the value on a line of `JSON.stringify(value, null, 2)`; lines begin at 1. */
function pointerOfLine(value: unknown, line: number): readonly string[] {
  let current = 1;
  const find = (node: unknown, pointer: readonly string[]): readonly string[] | undefined => {
    if (current === line) return pointer;
    const members = isObject(node) ? Object.entries(node).filter(([, member]) => member !== undefined) : [];
    if (members.length === 0) return undefined;
    for (const [key, member] of members) {
      current++;
      const found = find(member, [...pointer, key]);
      if (found !== undefined) return found;
    }
    current++;
    return current === line ? pointer : undefined;
  };
  return find(value, []) ?? [];
}

/** Returns the pointer in the source for a pointer of the specification with expanded references. */
function locateInSource(value: unknown, pointer: readonly string[]): string[] {
  let node = value;
  let found: string[] = [];
  for (const token of pointer) {
    for (let hops = 0; hops < 100 && isRecord(node) && !Object.hasOwn(node, token); hops++) {
      const { $ref: target } = node;
      if (typeof target !== 'string') break;
      found = parseReference(target);
      node = resolveReference(value, target);
    }
    if (!isObject(node) || !Object.hasOwn(node, token)) break;
    found.push(token);
    node = node[token];
  }
  return found;
}

/**
 * Returns the pointer of the object that a rule names: the last operation with an id, or the existing part of a path such as
 * `/paths/users/{id}/get/parameters/tags`, in which slashes of keys may be missing and parameters are given by name.
 */
function findNamed(value: unknown, name: string): string[] {
  if (!name.startsWith('/')) return findOperation(value, name);
  const pointer: string[] = [];
  let node = value;
  let rest = name;
  while (rest !== '') {
    const tail = rest.replace(/^\//, '');
    const key = Array.isArray(node) ? findParameter(node, tail) : longestKey(node, [rest, tail]);
    if (key === undefined) break;
    pointer.push(key);
    rest = Array.isArray(node) ? '' : (rest.startsWith(key) ? rest : tail).slice(key.length);
    node = (node as Record<string, unknown>)[key];
  }
  return pointer;
}

function longestKey(node: unknown, paths: readonly string[]): string | undefined {
  const keys = Object.keys(recordOf(node)).filter(
    (key) => key !== '' && paths.some((path) => path === key || path.startsWith(`${key}/`)),
  );
  return keys.sort((one, other) => other.length - one.length)[0];
}

function findParameter(list: readonly unknown[], name: string): string | undefined {
  const index = list.findIndex((item) => recordOf(item)['name'] === name);
  return index < 0 ? undefined : String(index);
}

function findOperation(value: unknown, id: string): string[] {
  let found: string[] = [];
  for (const [path, item] of Object.entries(recordOf(recordOf(value)['paths'])))
    for (const [method, operation] of Object.entries(recordOf(item)))
      if (recordOf(operation)['operationId'] === id) found = ['paths', path, method, 'operationId'];
  return found;
}
