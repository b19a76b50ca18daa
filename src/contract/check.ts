import { FormatRegistry } from '@sinclair/typebox';
import { Errors, ValueErrorType, type ValueError } from '@sinclair/typebox/errors';
import { Problem, type Violation } from '../errors/problem.ts';
import { checkerOf } from './compile-check.ts';
import { isDateTime } from './date-time.ts';
import { isEmoji } from './emoji.ts';
import { nearest } from './nearest.ts';
import type { Operation, PathParams } from './operation.ts';
import { fieldAt } from './paths.ts';
import { patternTexts } from './pattern-texts.ts';
import { Id, notBlank, WebUrl, type TSchema } from './schema.ts';
import { hasAtMost, isObject, isRecord, joinAnd, plural } from './values.ts';
import { parseUrl } from './parse-url.ts';
export { ValueErrorType };
const formats = new Map<string, (text: string) => boolean>([
  ['date-time', isDateTime],
  ['uri', (text) => /^(?!https?:(?!\/\/))[a-z][a-z0-9+.-]*:\S+$/i.test(text) && parseUrl(text) !== undefined],
  ['uuid', (text) => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text)],
  // An empty text means no emoji.
  ['emoji', (text) => text === '' || isEmoji(text)],
  ['email', (text) => text.length <= 254 && /^[^\s@<>"]{1,64}@[^\s@<>"]+\.[^\s@<>".]+$/.test(text)],
]);
for (const [name, test] of formats) FormatRegistry.Set(name, test);
FormatRegistry.Set('rich-document', () => true);

/** Whether a text has a format that schemas name. Returns true for unknown formats. */
export function hasFormat(text: string, format: string): boolean {
  return formats.get(format)?.(text) ?? true;
}

export interface RawInput {
  readonly params?: PathParams;
  readonly query?: unknown;
  readonly body?: unknown;
}

const maxParamLength = 1024;

/**
 * Checks an input against its operation, and fills in an absent query or body.
 *
 * @throws Problem(invalid-input) with every violation, ten for each part.
 */
export function checkInput(operation: Operation, input: RawInput): CheckedInput {
  const { violations, ...checked } = violationsOfInput(operation, input);
  const [first] = violations;
  if (first !== undefined) throw invalidInput(operation, first, violations);
  return checked;
}

/** A validated input: it has every path parameter, and its query and body are filled in. */
export interface CheckedInput {
  readonly params: Record<string, string>;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
}

/** Returns the violations of an input, at most ten for each part, and the input with its query and body filled in. */
export function violationsOfInput(
  operation: Operation,
  input: RawInput,
): CheckedInput & { readonly violations: readonly Violation[] } {
  const violations: Violation[] = [];
  const params: Record<string, string> = {};
  for (const name of operation.paramNames) {
    const value = input.params?.[name];
    if (typeof value !== 'string' || value === '')
      violations.push({ path: `/${name}`, message: 'is required' });
    else if (value.length > maxParamLength)
      violations.push({ path: `/${name}`, message: `must have at most ${maxParamLength} characters` });
    else params[name] = value;
  }
  const query = input.query ?? {};
  violations.push(...violationsOf(operation.query, query, '/query'));
  // A body without required fields may be left out.
  const body =
    operation.body === undefined
      ? undefined
      : input.body === undefined && checkerOf(operation.body)({})
        ? {}
        : input.body;
  if (operation.body !== undefined) violations.push(...violationsOf(operation.body, body, '/body'));
  else if (input.body !== undefined && !isEmpty(input.body))
    violations.push({ path: '/body', message: 'must be empty: this operation takes no body' });
  if (violations.length === 0 && !(hasWholeTexts(body) && hasWholeTexts(query)))
    violations.push(...textViolations(body, '/body'), ...textViolations(query, '/query'));
  return { params, query: query as Record<string, unknown>, body, violations };
}

/** Rejects lone surrogates, because stores and connections would change them. */
function textViolations(value: unknown, path: string): Violation[] {
  if (typeof value === 'string')
    return value.isWellFormed()
      ? []
      : [{ path, message: 'contains half of a surrogate pair, which is not a character' }];
  if (!isObject(value)) return [];
  const found: Violation[] = [];
  for (const [key, inner] of Object.entries(value)) {
    if (!key.isWellFormed())
      found.push({ path, message: 'has a name with half of a surrogate pair, which is not a character' });
    found.push(...textViolations(inner, `${path}/${key}`));
    if (found.length > 0) return found;
  }
  return found;
}

/** Whether all texts and names in a value are free of lone surrogates. */
function hasWholeTexts(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (!isObject(value)) return true;
  if (Array.isArray(value)) return value.every(hasWholeTexts);
  for (const key in value) if (!key.isWellFormed() || !hasWholeTexts(value[key])) return false;
  return true;
}

/** Yields the errors of TypeBox, which counts UTF-16 code units, except for texts that are not too long in code points. */
export function* errorsOf(schema: TSchema, value: unknown): Generator<ValueError> {
  for (const error of Errors(schema, value))
    if (
      error.type !== ValueErrorType.StringMaxLength ||
      !hasAtMost(Number(error.schema['maxLength']), String(error.value))
    )
      yield error;
}

/** Yields errors for texts that have too few code points, although they have enough code units. */
function* errorsOfShortTexts(schema: TSchema, value: unknown): Generator<ValueError> {
  const text = JSON.stringify(value).replace(/[\u{10000}-\u{10FFFF}]/gu, '?');
  for (const error of Errors(schema, JSON.parse(text)))
    if (error.type === ValueErrorType.StringMinLength || error.type === ValueErrorType.Union) yield error;
}

/** Returns the violations of a value, at most ten; empty if it is valid. */
export function violationsOf(schema: TSchema, value: unknown, at: string): Violation[] {
  if (checkerOf(schema)(value)) return [];
  const found: Violation[] = [];
  const add = (errors: Iterable<ValueError>): void => {
    for (const error of errors) {
      if (found.length >= 10) break;
      const path = shortened(at + error.path);
      if (found.some((other) => other.path === path)) continue;
      const branch = error.type === ValueErrorType.Union ? unionBranch(error) : undefined;
      if (branch === undefined) found.push({ path, message: describe(error) });
      else found.push(...violationsOf(branch, error.value, path));
    }
  };
  add(errorsOf(schema, value));
  if (found.length === 0) add(errorsOfShortTexts(schema, value));
  return found;
}

/** Returns the first violation of a server's answer. Unknown fields are allowed, because a newer server may have more. */
export function findViolationOfAnswer(schema: TSchema, value: unknown, at = ''): Violation | undefined {
  if (checkerOf(schema)(value)) return undefined;
  for (const error of errorsOf(schema, value)) {
    if (error.type === ValueErrorType.ObjectAdditionalProperties) continue;
    const path = shortened(at + error.path);
    if (error.type !== ValueErrorType.Union) return { path, message: describe(error) };
    const branch = unionBranch(error);
    const inBranches = (branch === undefined ? branchesOf(error.schema) : [branch]).map((one) =>
      findViolationOfAnswer(one, error.value, path),
    );
    if (inBranches.includes(undefined)) continue;
    return branch === undefined ? { path, message: describe(error) } : inBranches[0];
  }
  return undefined;
}

/** Maximum length of the path in a violation, in characters. Only paths with names from callers can be longer. */
const maxPath = 300;

function shortened(path: string): string {
  return path.length > maxPath ? `${path.slice(0, maxPath).toWellFormed()}…` : path;
}

function invalidInput(operation: Operation, first: Violation, violations: readonly Violation[]): Problem {
  const path = first.path.replace(/^\/(body|query)(?=\/|$)/, '') || '/the body';
  const faults = describeViolations([{ ...first, path }, ...violations.slice(1)]);
  return new Problem('invalid-input', `The input is not valid: ${faults}.`, {
    violations,
    hint: hintFor(operation, first),
  });
}

function hintFor({ id, body }: Operation, { path }: Violation): string {
  const words = id.replaceAll('.', ' ');
  if (!path.startsWith('/body')) return `To see the fields, run \`docsctl ${words} --help\`.`;
  return body === undefined
    ? 'Send the request without a body.'
    : `To see the fields, run \`docsctl explain ${words}\`.`;
}

/**
 * Returns the first of several violations as a sentence without its full stop, and the number of others. `within` is the pointer
 * of the described value, such as `/body`.
 */
export function describeViolations(violations: readonly Violation[], within = ''): string {
  const [first, ...others] = violations;
  if (first === undefined) return '';
  const path = first.path.startsWith(within) ? first.path.slice(within.length) : first.path;
  return `${describeViolation({ ...first, path })}${countOthers(others)}`;
}

/** Returns a sentence without its full stop that says how many violations there are besides the first. */
export function countOthers({ length }: readonly Violation[]): string {
  return length === 0 ? '' : `. There ${length === 1 ? 'is' : 'are'} ${plural(length, 'more error')}`;
}

/** Returns a violation as a sentence without its full stop: `items.0.id is required`. */
export function describeViolation({ path, message }: Violation): string {
  return `${fieldAt(path) || 'it'} ${message}`;
}

function describe(error: ValueError): string {
  const schema = error.schema as Record<string, unknown>;
  switch (error.type) {
    case ValueErrorType.ObjectAdditionalProperties:
      return unknownField(error);
    case ValueErrorType.ObjectRequiredProperty:
      return requiredMessage(schema);
    case ValueErrorType.StringMaxLength:
      return `must have at most ${String(schema['maxLength'])} characters`;
    case ValueErrorType.StringMinLength:
      return schema['minLength'] === 1
        ? 'must not be empty'
        : `must have at least ${String(schema['minLength'])} characters`;
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return `must be at most ${String(schema['maximum'])}`;
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return `must be at least ${String(schema['minimum'])}`;
    case ValueErrorType.ArrayMaxItems:
      return `has more than ${plural(Number(schema['maxItems']), 'item')}`;
    case ValueErrorType.ArrayMinItems:
      return `must have at least ${plural(Number(schema['minItems']), 'item')}`;
    case ValueErrorType.ArrayUniqueItems:
      return 'has the same item twice';
    case ValueErrorType.ObjectMaxProperties:
      return `has more than ${plural(Number(schema['maxProperties']), 'field')}`;
    case ValueErrorType.ObjectMinProperties:
      return `must have at least ${plural(Number(schema['minProperties']), 'field')} of: ${Object.keys(Object(schema['properties'])).join(', ')}`;
    case ValueErrorType.Literal:
      return oneOfMessage([schema['const']]);
    case ValueErrorType.StringPattern:
      return patternMessage(schema);
    case ValueErrorType.StringFormat:
      return `is not a valid ${formatName(String(schema['format']))}`;
    case ValueErrorType.Union:
      return unionMessage(schema);
    default:
      if (Array.isArray(schema['enum'])) return oneOfMessage(schema['enum']);
      return error.type === ValueErrorType.Kind
        ? `is not a valid ${formatName(String(schema['format']))}`
        : typeMessage(error.message);
  }
}

/** Returns the message for a required field, with the meaning of null or else a few choices. */
function requiredMessage({ description, enum: choices }: Record<string, unknown>): string {
  const few = Array.isArray(choices) && choices.length <= 12 ? `one of: ${choices.join(', ')}` : undefined;
  const [, meaning = few] = /; (null:? .*)$/.exec(String(description)) ?? [];
  return `is required${meaning === undefined ? '' : ` (${meaning})`}`;
}

/**
 * Returns the branch of a union that a value most likely belongs to: the branch with the same constant (`operation`, `type`),
 * otherwise the only branch that requires one of its fields, otherwise the only branch of its type.
 */
export function unionBranch({ schema, value }: ValueError): TSchema | undefined {
  const branches = branchesOf(schema);
  const declared = branches.find((branch) => {
    const members = literalMembers(branch, branches);
    return (
      members.length > 0 &&
      members.every(([name, values]) => values.includes((value as Record<string, unknown> | null)?.[name]))
    );
  });
  if (declared !== undefined) return declared;
  const alike = branches.filter(
    ({ type }) =>
      type === (Array.isArray(value) ? 'array' : typeof value) ||
      (type === 'integer' && typeof value === 'number'),
  );
  const started = alike.filter(({ required = [] }) =>
    (required as readonly string[]).some((name) => isRecord(value) && name in value),
  );
  const [only, ...others] = started.length > 0 ? started : alike;
  if (only === undefined || others.length > 0) return undefined;
  // For enums and for objects that a constant distinguishes, the message lists the choices.
  const isChoice =
    only['enum'] !== undefined || only['const'] !== undefined || literalMembers(only, branches).length > 0;
  return isChoice ? undefined : only;
}

function branchesOf(schema: TSchema): TSchema[] {
  const { anyOf } = schema as { readonly anyOf?: readonly TSchema[] };
  return anyOf === undefined ? [schema] : anyOf.flatMap(branchesOf);
}

/**
 * Returns the fields that distinguish the branches of a union, with their possible values in one branch. These are the fields
 * that have a single value in some branch.
 */
function literalMembers(
  branch: TSchema,
  branches: readonly TSchema[],
): [name: string, values: readonly unknown[]][] {
  return Object.entries(propertiesOf(branch)).flatMap(([name, { const: constant, enum: words }]) => {
    if (constant !== undefined) return [[name, [constant]]];
    const isDiscriminator = branches.some((other) => propertiesOf(other)[name]?.const !== undefined);
    return isDiscriminator && words !== undefined ? [[name, words]] : [];
  });
}

function propertiesOf({ properties = {} }: TSchema) {
  return properties as Record<string, { readonly const?: unknown; readonly enum?: readonly unknown[] }>;
}

function unionMessage(schema: Record<string, unknown>): string {
  const choices = branchesOf(schema as TSchema);
  const named = choices.flatMap((choice) => literalMembers(choice, choices));
  if (named.length > 0 && named.length >= choices.length) {
    const names = [...new Set(named.map(([name]) => `"${name}"`))];
    const values = new Set(named.flatMap(([, allowed]) => allowed.map(String)));
    return `must have ${names.join(' and ')} set to one of: ${[...values].join(', ')}`;
  }
  const words = choices.map((choice) =>
    Array.isArray(choice['enum'])
      ? choice['enum'].join(', ')
      : 'const' in choice
        ? JSON.stringify(choice['const'])
        : choice['type'] === 'object'
          ? `an object${fieldsOf(choice)}`
          : String(choice['type'] ?? 'value'),
  );
  return `must be one of: ${words.join(', ')}`;
}

/** Returns the required fields of an object, or if there are none, its few fields: ` with "from" and "to"`. */
function fieldsOf({ required = [], properties = {} }: TSchema): string {
  const all = Object.keys(properties as object);
  const names = required.length > 0 ? (required as readonly string[]) : all.length > 4 ? [] : all;
  return names.length === 0 ? '' : ` with ${joinAnd(names.map((name) => `"${name}"`))}`;
}

function oneOfMessage(values: readonly unknown[]): string {
  return values.length === 1 ? `must be ${String(values[0])}` : `must be one of: ${values.join(', ')}`;
}

function unknownField(error: ValueError): string {
  const name = error.path.slice(error.path.lastIndexOf('/') + 1);
  const known = Object.keys((error.schema as { properties?: object }).properties ?? {});
  const close =
    known.find((other) => other.startsWith(name) || name.startsWith(other)) ?? nearest(name, known)[0];
  return close === undefined ? 'is not a known field' : `is not a known field (did you mean ${close}?)`;
}

/** Returns the message for a pattern: the form from the description of the field, or else the pattern itself. */
export function patternMessage(schema: Record<string, unknown>): string {
  const pattern = String(schema['pattern']);
  if (pattern === notBlank) return 'must not be blank';
  if (pattern === WebUrl.pattern) return 'must start with https:// or http://';
  const rule = ruleOf(schema).replace('(such as ', '(example: ');
  const form =
    pattern === Id.pattern ? 'contains characters other than letters, digits, "_" and "-"' : undefined;
  const own = rule === '' ? form : `does not have the expected format${rule}`;
  return patternTexts[pattern] ?? own ?? `does not match ${pattern}`;
}

/** Returns the form from the description of a field: ` (3 to 32 lower-case letters, digits and hyphens)`. */
function ruleOf({ description }: Record<string, unknown>): string {
  const [, rule] =
    typeof description === 'string' ? (/^[^:;]+(?:: |, (?=such as ))([^;]+)/.exec(description) ?? []) : [];
  return rule === undefined ? '' : ` (${rule})`;
}

/** Returns the common name of a JSON Schema format: "URL" for `uri`. */
export function formatName(format: string): string {
  const names: Record<string, string> = {
    uri: 'URL',
    'date-time': 'date-time, such as 2026-02-24T15:02:39Z',
    email: 'email address',
    emoji: 'emoji, such as 📘 or its code point 1f4d8',
  };
  return names[format] ?? format.replace('-', ' ');
}

/** Converts a message of TypeBox, such as "Expected string", to the end of a sentence. */
function typeMessage(text: string): string {
  const [, type] = /^Expected (string|number|integer|boolean|array|object)$/.exec(text) ?? [];
  if (type === undefined) return text.charAt(0).toLowerCase() + text.slice(1);
  return `must be ${type === 'boolean' ? 'true or false' : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`}`;
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
