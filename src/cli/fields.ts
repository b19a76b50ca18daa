import { Option, type Command } from 'commander';
import type { BodyFlag, Operation } from '../contract/operation.ts';
import type { TSchema } from '../contract/schema.ts';
import { Problem } from '../errors/problem.ts';
import { shapeOf, type Schema } from './field-shape.ts';
import { readDocument, readText } from './files.ts';
import type { Session } from './session.ts';

type Options = Readonly<Record<string, unknown>>;

/** `defaultSiteSpace` → `default-site-space`, `entityID` → `entity-id`. */
export function fieldFlag(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replaceAll('_', '-')
    .replaceAll('.', '-')
    .toLowerCase();
}

/** Adds a flag for each field of the query and body. */
export function addFields(command: Command, operation: Operation): void {
  for (const [name, schema] of [...propertiesIn(operation.query), ...propertiesIn(operation.body)]) {
    const flag = fieldFlag(name);
    if (name === 'body' || has(command, `--${flag}`)) continue;
    command.addOption(fieldOption(name, schema));
    if (kindOf(schema).type === 'boolean' && !has(command, `--no-${flag}`))
      command.addOption(new Option(`--no-${flag}`).hideHelp());
  }
  for (const flag of operation.cli.flags ?? []) {
    if (has(command, `--${flag.name}`)) continue;
    if (flag.repeatable)
      command.option(`--${flag.name} <${flag.value.toLowerCase()}>`, `${flag.summary} (repeatable)`, collect);
    else command.option(`--${flag.name} <${flag.value.toLowerCase()}>`, flag.summary);
  }
  if (operation.body === undefined) return;
  command.option('--body <file>', 'the whole body as JSON or YAML, - for standard input; flags override it');
  if (propertiesIn(operation.body).some(([, schema]) => takesNull(schema)))
    command.option('--unset <field>', 'send null for a field (repeatable)', collect);
}

function fieldOption(name: string, schema: Schema): Option {
  const flag = fieldFlag(name);
  const text = schema.description ?? name.replace(/([A-Z])/g, ' $1').toLowerCase();
  const kind = kindOf(schema);
  if (kind.type === 'boolean')
    return new Option(`--${flag} [true|false]`, `${text}; --no-${flag} for false`).argParser(
      (value) => value !== 'false',
    );
  if (kind.type === 'array') {
    const [word, shape] = isStructured(kind.items) ? ['json', `: ${shapeOf(kind.items!)}`] : ['value', ''];
    return new Option(`--${flag} <${word}...>`, `${text}${shape} (repeatable)`).argParser(collect);
  }
  if (isStructured(kind) && !isText(kind)) return new Option(`--${flag} <json>`, `${text}: ${shapeOf(kind)}`);
  const option = new Option(
    `--${flag} <${isText(kind) ? 'markdown' : (kind.type ?? 'value')}>`,
    isText(kind) ? `${text}, in Markdown; @FILE reads a file` : text,
  );
  // For help and completion only: what is sent is checked with everything else, against the schema.
  const choices = kind.enum ?? kind.anyOf?.flatMap((choice) => choice.enum ?? []);
  if (choices !== undefined && choices.length > 0) option.argChoices = choices;
  return option;
}

/** Reads the body and query from --body, flags and positionals; flags win. Sends nothing that was not given. */
export async function readFields(
  session: Session,
  operation: Operation,
  options: Options,
  positionals: Options,
): Promise<{ query: Record<string, unknown>; body: unknown }> {
  const query: Record<string, unknown> = {};
  for (const [name, schema] of propertiesIn(operation.query)) {
    const value = positionals[name] ?? options[optionKey(fieldFlag(name))];
    if (value !== undefined) query[name] = await readValue(session, name, schema, value);
  }
  if (operation.body === undefined) return { query, body: undefined };
  const whole = typeof options['body'] === 'string' ? await readDocument(session, options['body']) : {};
  const fields: Record<string, unknown> = {};
  for (const [name, schema] of propertiesIn(operation.body)) {
    const value = positionals[name] ?? (name === 'body' ? undefined : options[optionKey(fieldFlag(name))]);
    if (value !== undefined) fields[name] = await readValue(session, name, schema, value);
  }
  for (const flag of operation.cli.flags ?? []) {
    const given = options[optionKey(flag.name)];
    for (const value of Array.isArray(given) ? (given as string[]) : typeof given === 'string' ? [given] : [])
      merge(fields, await filled(session, flag, value));
  }
  for (const name of (options['unset'] as string[] | undefined) ?? []) {
    const found = propertiesIn(operation.body).find(([key]) => key === name || fieldFlag(key) === name);
    if (found === undefined)
      throw new Problem('usage', `--unset: there is no field "${name}".`, {
        hint: `Fields: ${propertiesIn(operation.body)
          .map(([key]) => fieldFlag(key))
          .join(', ')}.`,
      });
    fields[found[0]] = null;
  }
  if (typeof whole !== 'object' || whole === null)
    throw new Problem('invalid-input', '--body must hold an object.');
  const body = Array.isArray(whole) ? whole : { ...whole, ...fields };
  checkFlags(operation, body);
  return { query, body };
}

/** Names the flags for what is missing where no flag has the name of the field. */
function checkFlags({ body: schema, cli }: Operation, body: object): void {
  if (Array.isArray(body)) return;
  const known: Schema | undefined = schema;
  for (const name of known?.required ?? []) {
    const flags = (cli.flags ?? [])
      .filter(({ template }) => name in (template as object))
      .map((flag) => `--${flag.name} ${flag.value}`);
    if (name in body || flags.length === 0) continue;
    throw new Problem(
      'invalid-input',
      flags.length === 1
        ? `${flags[0]!.split(' ')[0]} is missing.`
        : `What is to be done? The ${name} are missing.`,
      {
        hint: `Give ${flags.join(', or ')}; --body FILE takes the whole body.`,
      },
    );
  }
}

async function readValue(session: Session, name: string, schema: Schema, value: unknown): Promise<unknown> {
  const kind = kindOf(schema);
  if (typeof value === 'boolean') return value;
  if (kind.type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  if (kind.type === 'array') {
    const values = (Array.isArray(value) ? value : [value]).flatMap((item: unknown) =>
      typeof item === 'string' && kind.items?.type === 'string' ? item.split(',') : [item],
    );
    return kind.items?.type === 'object' || kind.items?.anyOf !== undefined
      ? Promise.all(values.map((item) => structured(session, name, String(item))))
      : values;
  }
  const text = String(value);
  if (kind.type === 'integer' || kind.type === 'number') return toNumber(name, text);
  if (isText(kind) && kind.format !== 'rich-document')
    return /^\s*\{\s*["}]/.test(text)
      ? structured(session, name, text)
      : { markdown: await plainText(session, text) };
  if (kind.format === 'rich-document') {
    const { markdownToDocument } = await import('../richtext/markdown.ts');
    return markdownToDocument(await plainText(session, text));
  }
  if (kind.type === 'object' || kind.type === undefined) return structured(session, name, text);
  return plainText(session, text);
}

async function structured(session: Session, name: string, text: string): Promise<unknown> {
  if (text.startsWith('@') || text === '-') return readDocument(session, text.replace(/^@/, ''));
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('usage', `--${fieldFlag(name)} takes JSON, or @FILE.`);
  }
}

/** `@file` and `-` read the text from there. */
async function plainText(session: Session, text: string): Promise<string> {
  return text === '-' || (text.startsWith('@') && text.length > 1)
    ? readText(session, text.replace(/^@/, ''))
    : text;
}

function kindOf(schema: Schema): Schema {
  const choices = schema.anyOf?.filter((choice) => choice.type !== 'null');
  return choices?.length === 1 ? choices[0]! : schema;
}

/** A rich document, or an object that may hold one as Markdown, such as a comment. */
function isText(schema: Schema): boolean {
  return (
    schema.format === 'rich-document' ||
    (schema.type === 'object' && schema.properties?.['markdown'] !== undefined)
  );
}

/** Whether a value is given as JSON. */
function isStructured(schema: Schema | undefined): boolean {
  return schema?.type === 'object' || schema?.anyOf?.some(isStructured) === true;
}

function takesNull(schema: Schema): boolean {
  return schema.anyOf?.some((choice) => choice.type === 'null') === true;
}

export function propertiesIn(schema: TSchema | undefined): [string, Schema][] {
  const known: Schema | undefined = schema;
  const object = known?.properties ?? known?.anyOf?.find((choice) => choice.type === 'object')?.properties;
  return Object.entries(object ?? {});
}

function has(command: Command, long: string): boolean {
  return (
    command.options.some((option) => option.long === long) ||
    ['--store', '--server', '--org', '--query', '--columns', '--output'].includes(long)
  );
}

function collect(value: string, before: unknown): string[] {
  return [...(Array.isArray(before) ? (before as string[]) : []), value];
}

function toNumber(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value))
    throw new Problem('usage', `--${fieldFlag(name)} takes a number, not "${text}".`);
  return value;
}

/** The template of a flag with what was given in it. */
async function filled(session: Session, { name, template }: BodyFlag, given: string): Promise<unknown> {
  if (!JSON.stringify(template).includes('"$key"'))
    return fillIn(template, { $: await plainText(session, given) });
  const at = given.indexOf('=');
  if (at < 1)
    throw new Problem('usage', `--${name} takes KEY=VALUE, not "${given}".`, { hint: 'VALUE may be @FILE.' });
  return fillIn(template, { $key: given.slice(0, at), $: await plainText(session, given.slice(at + 1)) });
}

/** The template with values in the places of "$" and "$key". */
function fillIn(template: unknown, values: Readonly<Record<string, string>>): unknown {
  if (typeof template === 'string') return values[template] ?? template;
  if (Array.isArray(template)) return template.map((inner) => fillIn(inner, values));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, inner]) => [key, fillIn(inner, values)]));
}

function merge(into: Record<string, unknown>, from: unknown): void {
  for (const [key, value] of Object.entries(from as object)) {
    const known = into[key];
    if (Array.isArray(known) && Array.isArray(value))
      into[key] = [...(known as unknown[]), ...(value as unknown[])];
    else if (typeof known === 'object' && known !== null && typeof value === 'object' && value !== null)
      merge(known as Record<string, unknown>, value);
    else into[key] = value;
  }
}

/** The name commander keeps a flag under: `default-site-space` → `defaultSiteSpace`. */
export function optionKey(flag: string): string {
  return flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Where a command puts the file it answers with. */
export interface SaveOptions {
  /** A file, a folder, or "-" for standard output, which is also the default. */
  readonly out?: string;
  readonly force?: boolean;
}

/** The flags of a command that may answer with a file. */
export const outOption = [
  '-O, --out <file>',
  'where to save it; DIR/ keeps its own name, - is standard output',
] as const;

export const forceOption = ['--force', 'replace the file if it is there'] as const;
