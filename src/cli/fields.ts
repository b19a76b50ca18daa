import { Option, type Command } from 'commander';
import type { BodyFlag, Operation } from '../contract/operation.ts';
import type { TSchema } from '../contract/schema.ts';
import { isRecord } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { shapeOf, type Schema } from './field-shape.ts';
import { readDocument, readText } from './files.ts';
import type { Session } from './session.ts';

type Options = Readonly<Record<string, unknown>>;

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

/** The flag of a field: `defaultSiteSpace` → `default-site-space`, `entityID` → `entity-id`. */
export function fieldFlag(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replace(/[_.]/g, '-')
    .toLowerCase();
}

/** The name under which commander keeps a flag: `default-site-space` → `defaultSiteSpace`. */
export function optionKey(flag: string): string {
  return flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Collects the values of an option that can be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Adds a flag for each field of the query and body. */
export function addFields(command: Command, { query, body, cli }: Operation): void {
  for (const [name, schema] of [...propertiesIn(query), ...propertiesIn(body)]) {
    const flag = fieldFlag(name);
    if (name === 'body' || hasFlag(command, flag)) continue;
    command.addOption(fieldOption(name, schema));
    if (withoutNull(schema).type === 'boolean' && !hasFlag(command, `no-${flag}`))
      command.addOption(new Option(`--no-${flag}`).hideHelp());
  }
  for (const { name, value, summary, repeatable } of cli.flags ?? []) {
    if (hasFlag(command, name)) continue;
    const option = new Option(
      `--${name} <${value.toLowerCase()}>`,
      repeatable ? `${summary} (repeatable)` : summary,
    );
    command.addOption(repeatable ? option.argParser(collect) : option);
  }
  if (body === undefined) return;
  command.option('--body <file>', 'the whole body as JSON or YAML, - for standard input; flags override it');
  if (propertiesIn(body).some(([, schema]) => takesNull(schema)))
    command.option('--unset <field>', 'send null for a field (repeatable)', collect);
}

function fieldOption(name: string, schema: Schema): Option {
  const flag = fieldFlag(name);
  const text = schema.description ?? name.replace(/([A-Z])/g, ' $1').toLowerCase();
  const own = withoutNull(schema);
  const { type, items } = own;
  if (type === 'boolean')
    return new Option(`--${flag} [true|false]`, `${text}; --no-${flag} for false`).argParser(
      (value) => value !== 'false',
    );
  if (type === 'array') {
    const [word, shape] =
      items !== undefined && isStructured(items) ? ['json', `: ${shapeOf(items)}`] : ['value', ''];
    return new Option(`--${flag} <${word}...>`, `${text}${shape} (repeatable)`).argParser(collect);
  }
  if (isText(own)) return new Option(`--${flag} <markdown>`, `${text}, in Markdown; @FILE reads a file`);
  if (isStructured(own)) return new Option(`--${flag} <json>`, `${text}: ${shapeOf(own)}`);
  const option = new Option(`--${flag} <${type ?? 'value'}>`, text);
  // For help and completion only: what is sent is checked as a whole, against the schema.
  const choices = own.enum ?? own.anyOf?.flatMap((choice) => choice.enum ?? []) ?? [];
  if (choices.length > 0) option.argChoices = choices;
  return option;
}

/**
 * Reads the query and body from --body, flags and positionals. Flags and positionals override --body; fields that are not
 * given are left out.
 */
export async function readFields(
  session: Session,
  operation: Operation,
  options: Options,
  positionals: Options,
): Promise<{ query: Record<string, unknown>; body: unknown }> {
  const readAll = async (schema: TSchema | undefined) => {
    const fields: Record<string, unknown> = {};
    for (const [name, property] of propertiesIn(schema)) {
      const isFileFlag = name === 'body' && schema === operation.body;
      const value = positionals[name] ?? (isFileFlag ? undefined : options[optionKey(fieldFlag(name))]);
      if (value !== undefined) fields[name] = await readValue(session, name, property, value);
    }
    return fields;
  };
  const query = await readAll(operation.query);
  if (operation.body === undefined) return { query, body: undefined };
  const whole = typeof options['body'] === 'string' ? await readDocument(session, options['body']) : {};
  const fields = await readAll(operation.body);
  for (const flag of operation.cli.flags ?? []) {
    const given = options[optionKey(flag.name)];
    for (const value of Array.isArray(given) ? (given as string[]) : typeof given === 'string' ? [given] : [])
      merge(fields, await fillTemplate(session, flag, value));
  }
  const names = propertiesIn(operation.body).map(([name]) => name);
  for (const unset of (options['unset'] as string[] | undefined) ?? []) {
    const found = names.find((name) => name === unset || fieldFlag(name) === unset);
    if (found === undefined)
      throw new Problem('usage', `--unset: there is no field "${unset}".`, {
        hint: `Fields: ${names.map(fieldFlag).join(', ')}.`,
      });
    fields[found] = null;
  }
  if (typeof whole !== 'object' || whole === null)
    throw new Problem('invalid-input', '--body must hold an object.');
  if (Array.isArray(whole)) return { query, body: whole };
  const body = { ...whole, ...fields };
  checkFlags(operation, body);
  return { query, body };
}

/** Checks required fields that have flags of other names, so that the error names those flags. */
function checkFlags({ body: schema, cli }: Operation, body: object): void {
  const known: Schema | undefined = schema;
  for (const name of known?.required ?? []) {
    const flags = (cli.flags ?? []).filter(({ template }) => name in (template as object));
    const [first, second] = flags;
    if (name in body || first === undefined) continue;
    throw new Problem(
      'invalid-input',
      second === undefined ? `--${first.name} is missing.` : `What is to be done? The ${name} are missing.`,
      {
        hint: `Give ${flags.map((flag) => `--${flag.name} ${flag.value}`).join(', or ')}; --body FILE takes the whole body.`,
      },
    );
  }
}

async function readValue(session: Session, name: string, schema: Schema, value: unknown): Promise<unknown> {
  const own = withoutNull(schema);
  const { type, items, format } = own;
  if (typeof value === 'boolean') return value;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  if (type === 'array') {
    const values = (Array.isArray(value) ? value : [value]).flatMap((item: unknown) =>
      typeof item === 'string' && items?.type === 'string' ? item.split(',') : [item],
    );
    return items?.type === 'object' || items?.anyOf !== undefined
      ? Promise.all(values.map((item) => readJson(session, name, String(item))))
      : values;
  }
  const text = String(value);
  if (type === 'integer' || type === 'number') return readNumber(name, text);
  if (format === 'rich-document') {
    const { markdownToDocument } = await import('../richtext/markdown.ts');
    return markdownToDocument(await readPlain(session, text));
  }
  if (isText(own) && !/^\s*\{\s*["}]/.test(text)) return { markdown: await readPlain(session, text) };
  return type === 'object' || type === undefined ? readJson(session, name, text) : readPlain(session, text);
}

async function readJson(session: Session, name: string, text: string): Promise<unknown> {
  if (text.startsWith('@') || text === '-') return readDocument(session, text.replace(/^@/, ''));
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('usage', `--${fieldFlag(name)} takes JSON, or @FILE.`);
  }
}

/** A text, or that of a file for `@file` and of standard input for `-`. */
async function readPlain(session: Session, text: string): Promise<string> {
  return text === '-' || (text.startsWith('@') && text.length > 1)
    ? readText(session, text.replace(/^@/, ''))
    : text;
}

function readNumber(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value))
    throw new Problem('usage', `--${fieldFlag(name)} takes a number, not "${text}".`);
  return value;
}

/** The schema of a nullable field without null. */
function withoutNull(schema: Schema): Schema {
  const [choice, second] = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  return second === undefined ? (choice ?? schema) : schema;
}

/** Whether a field is a rich document, or an object that may hold one as Markdown, such as a comment. */
function isText({ format, type, properties }: Schema): boolean {
  return format === 'rich-document' || (type === 'object' && properties?.['markdown'] !== undefined);
}

/** Whether a value is given as JSON. */
function isStructured(schema: Schema | undefined): boolean {
  return schema?.type === 'object' || schema?.anyOf?.some(isStructured) === true;
}

function takesNull({ anyOf = [] }: Schema): boolean {
  return anyOf.some(({ type }) => type === 'null');
}

/** The fields of an object schema, or of the object among several choices. */
export function propertiesIn(schema: TSchema | undefined): [string, Schema][] {
  const { properties, anyOf = [] } = (schema ?? {}) as Schema;
  return Object.entries(properties ?? anyOf.find(({ type }) => type === 'object')?.properties ?? {});
}

/** Whether a command has a flag, also one of those that are added later to every command. */
function hasFlag({ options }: Command, flag: string): boolean {
  return (
    options.some(({ long }) => long === `--${flag}`) ||
    ['store', 'server', 'org', 'query', 'columns', 'output'].includes(flag)
  );
}

/** Puts a value into the template of a flag. */
async function fillTemplate(session: Session, { name, template }: BodyFlag, given: string): Promise<unknown> {
  if (!JSON.stringify(template).includes('"$key"'))
    return replaceIn(template, { $: await readPlain(session, given) });
  const [, key, value = ''] = /^([^=]+)=(.*)$/s.exec(given) ?? [];
  if (key === undefined)
    throw new Problem('usage', `--${name} takes KEY=VALUE, not "${given}".`, { hint: 'VALUE may be @FILE.' });
  return replaceIn(template, { $key: key, $: await readPlain(session, value) });
}

function replaceIn(template: unknown, values: Readonly<Record<string, string>>): unknown {
  if (typeof template === 'string') return values[template] ?? template;
  if (Array.isArray(template)) return template.map((inner) => replaceIn(inner, values));
  if (!isRecord(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([key, inner]) => [key, replaceIn(inner, values)]));
}

function merge(into: Record<string, unknown>, from: unknown): void {
  for (const [key, value] of Object.entries(from as object)) {
    const known = into[key];
    if (Array.isArray(known) && Array.isArray(value)) into[key] = [...known, ...value] as unknown[];
    else if (isRecord(known) && isRecord(value)) merge(known, value);
    else into[key] = value;
  }
}
