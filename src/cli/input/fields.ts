import type { BodyFlag, Operation } from '../../contract/operation.ts';
import { checkDepth } from '../../contract/limits.ts';
import { nullWordOf, type TSchema } from '../../contract/schema.ts';
import { isRecord } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import {
  isClearedList,
  isText,
  periodSign,
  propertiesIn,
  takesNull,
  withoutNull,
  type Schema,
} from './field-schema.ts';
import { nameInput } from '../../files/unreadable-file.ts';
import { readBodyFile, readDocument, readText } from './files.ts';
import { describeWays, refuseConflicts, seeFields, waysToFill } from './body-flags.ts';
import { fieldFlag, flagsOfField, optionKey } from './flags.ts';
import { shellWord } from '../../contract/shell-word.ts';
import type { Session } from '../session/session.ts';
import { givenTwice } from './given-twice.ts';
import { readPeriod } from './since.ts';

type Options = Readonly<Record<string, unknown>>;

/** Where to save the file that a command returns. */
export interface SaveOptions {
  /** A file, a folder, or "-" for standard output, which is also the default. */
  readonly out?: string;
  readonly force?: boolean;
}

/** The option of commands that may return a file. */
export const outOption = [
  '-O, --out <file>',
  'file to write; in a folder such as DIR/, docsctl chooses the name of the file; - is standard output (default: -)',
] as const;
export const forceOption = ['--force', 'overwrite the file if it exists'] as const;

/**
 * Reads the query and body from --body, flags and positionals. Flags and positionals override --body. Missing fields are left
 * out.
 */
export async function readFields(
  session: Session,
  operation: Operation,
  options: Options,
  positionals: Options,
): Promise<{ query: Record<string, unknown>; body: unknown }> {
  const query = await readOptions(session, operation, operation.query, options, positionals);
  if (operation.body === undefined) return { query, body: undefined };
  const words = operation.id.replaceAll('.', ' ');
  const bodyFile =
    typeof options['body'] === 'string'
      ? await readBodyFile(session, options['body'], {
          command: words,
          textOption: textOptionOf(operation),
        })
      : {};
  const fields = await readOptions(session, operation, operation.body, options, positionals);
  const ofOptions = Object.entries(fields).filter(([name]) => positionals[name] === undefined);
  refuseConflicts(operation, options, Object.fromEntries(ofOptions));
  for (const flag of operation.cli.flags ?? []) {
    const given = options[optionKey(flag.name)];
    for (const value of Array.isArray(given) ? (given as string[]) : typeof given === 'string' ? [given] : [])
      merge(fields, await readingFor(`--${flag.name}`, fillTemplate(session, flag, value)));
  }
  for (const name of (options['unset'] as string[] | undefined) ?? []) unsetField(operation, fields, name);
  if (Array.isArray(bodyFile) && operation.body.type !== 'object') return { query, body: bodyFile };
  if (!isRecord(bodyFile)) throw notAnObject(bodyFile, nameInput(String(options['body'])), seeFields(words));
  const set = options['set'] as readonly string[] | undefined;
  const given = { ...bodyFile, ...fields };
  const body =
    set === undefined
      ? given
      : await (
          await import('./set-fields.ts')
        ).setFields(given, operation.body, set, (name, schema, text) =>
          readingFor('--set', readValue(session, name, schema, text)),
        );
  checkFlags(operation, body, options);
  return { query, body };
}

/** Reads the fields of the query or the body that have a flag or a positional. */
async function readOptions(
  session: Session,
  operation: Operation,
  schema: TSchema | undefined,
  options: Options,
  positionals: Options,
): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  for (const [name, property] of propertiesIn(schema)) {
    const isFileFlag = name === 'body' && schema === operation.body;
    const argument = positionals[name];
    const keys = isFileFlag ? [] : flagsOfField(name, operation).map(optionKey);
    const option = keys.map((key) => options[key]).find((value) => value !== undefined);
    const flag = fieldFlag(name);
    if (argument !== undefined && option !== undefined) throw givenTwice(flag, argument);
    const value = argument ?? option;
    const giver = argument === undefined ? `--${flag}` : `The argument "${flag}"`;
    if (value !== undefined)
      fields[name] = await readingFor(giver, readValue(session, name, property, value, giver));
  }
  return fields;
}

/** Clears a field that --unset names. @throws Problem(invalid-input) if there is none, or it must have a value */
function unsetField(operation: Operation, fields: Record<string, unknown>, given: string): void {
  const schemas = new Map(propertiesIn(operation.body));
  const names = [...schemas.keys()];
  const name = names.find((one) => one === given || flagsOfField(one, operation).includes(given));
  if (name === undefined)
    throw new Problem('invalid-input', `--unset: there is no field "${given}".`, {
      hint: `The fields are ${names.map((one) => flagsOfField(one, operation)[0]).join(', ')}.`,
    });
  const isList = isClearedList(operation, name);
  if (!isList && !takesNull(schemas.get(name) ?? ({} as Schema)))
    throw new Problem('invalid-input', `--unset: the value of "${given}" cannot be removed.`, {
      hint: `Give another value with --${flagsOfField(name, operation)[0]}.`,
    });
  fields[name] = isList ? [] : null;
}

function notAnObject(body: unknown, file: string, seeHelp: string): Problem {
  if (Array.isArray(body))
    return new Problem('invalid-input', `${file} holds a list, but the body must be an object.`, {
      hint: seeHelp,
    });
  return new Problem(
    'invalid-input',
    `${file} ${body === null ? 'is empty' : 'holds neither an object nor a list'}.`,
    { hint: `Write the fields of the body as JSON or YAML. ${seeHelp}` },
  );
}

/** Returns the option for the text of a comment or description, if a command has one. */
function textOptionOf({ body, cli }: Operation): string | undefined {
  const flag = cli.flags?.find(({ template }) => JSON.stringify(template).includes('"markdown":"$"'));
  const [field] =
    propertiesIn(body).find(([name, schema]) => name !== 'body' && isText(withoutNull(schema))) ?? [];
  return flag?.name ?? (field === undefined ? undefined : fieldFlag(field));
}

/** Checks required fields whose flags have other names, so that the error names those flags. A file is checked as a whole. */
function checkFlags(operation: Operation, body: object, options: Options): void {
  if (options['body'] !== undefined) return;
  const known: Schema | undefined = operation.body;
  for (const name of known?.required ?? []) {
    const [first, second] = waysToFill(operation, name)
      .flat()
      .filter((flag) => !flag.hasDefault);
    if (name in body || first === undefined) continue;
    const [example] = operation.cli.examples ?? [];
    throw new Problem(
      'usage',
      second === undefined && first.repeatable !== true
        ? `--${first.name} is required.`
        : `No ${name} ${name.endsWith('s') ? 'are' : 'is'} given.`,
      {
        hint: `Add ${describeWays(operation, name)}. You can also give the whole body with --body FILE.${example === undefined ? '' : ` For example: \`${example}\``}`,
      },
    );
  }
}

/** Adds to an error about a file the option or argument that named it. */
async function readingFor<T>(giver: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof Problem) || (error.cause as NodeJS.ErrnoException | undefined)?.code === undefined)
      throw error;
    const { reason, message, cause } = error;
    throw new Problem(reason, `${giver} reads a file: ${message}`, {
      hint: 'Check the path after the @.',
      cause,
    });
  }
}

/** Parses a value. Errors name its `giver`, an option or an argument. */
async function readValue(
  session: Session,
  name: string,
  schema: Schema,
  value: unknown,
  giver = `--${fieldFlag(name)}`,
): Promise<unknown> {
  const own = withoutNull(schema);
  const { type, items, format } = own;
  if (value === nullWordOf(schema)) return null;
  if (typeof value === 'boolean') return value;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  if (type === 'array') {
    const values = (Array.isArray(value) ? value : [value]).flatMap((item: unknown) =>
      typeof item === 'string' ? splitValue(item, items) : [item],
    );
    return items?.type === 'object' || items?.anyOf !== undefined
      ? // A single value may contain several items: --set links='[{…}, {…}]'.
        (await Promise.all(values.map((item) => readJson(session, name, String(item))))).flat()
      : values;
  }
  const text = String(value);
  if (format === 'date-time')
    return readPeriod(text, session.runtime.clock(), periodSign(name)) ?? readPlain(session, text);
  if (type === 'integer' || type === 'number') return readNumber(giver, text);
  if (format === 'rich-document') {
    const { markdownToDocument } = await import('../../richtext/markdown.ts');
    return markdownToDocument(await readPlain(session, text));
  }
  if (isText(own) && !/^\s*\{\s*["}]/.test(text)) return { markdown: await readPlain(session, text) };
  return type === 'object' || type === undefined ? readJson(session, name, text) : readPlain(session, text);
}

/** Splits a list in one word: `a,b`. JSON and file names are one value. */
function splitValue(text: string, items: Schema | undefined): string[] {
  if (items?.type === 'string') return text.split(',');
  const takesEmails = items?.anyOf?.some(({ format }) => format === 'email') === true;
  return takesEmails && /^[^[{@]/.test(text) ? text.split(/\s*,\s*/).filter(Boolean) : [text];
}

async function readJson(session: Session, name: string, text: string): Promise<unknown> {
  const isFile = session.runtime.literalValues !== true && (text.startsWith('@') || text === '-');
  if (isFile) return readDocument(session, text.replace(/^@/, ''));
  if (!/^\s*[[{]/.test(text)) return text;
  checkDepth(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(
      'invalid-input',
      `--${fieldFlag(name)} takes JSON, but this is not valid JSON: ${text.slice(0, 80)}`,
      { hint: 'Quote it for the shell, or put it into a file and give @FILE.' },
    );
  }
}

/** Returns a text, the content of a file for `@file`, or standard input for `-`. The line end of a single line is removed. */
async function readPlain(session: Session, text: string): Promise<string> {
  if (!namesFile(session, text)) return text;
  return (await readWhole(session, text)).replace(/^([^\r\n]*)\r?\n$/, '$1');
}

/** Like `readPlain`, but keeps the line end of a single line, for the text of a page. */
export async function readWhole(session: Session, text: string): Promise<string> {
  return namesFile(session, text) ? readText(session, text.replace(/^@/, '')) : text;
}

/** Whether a value stands for the content of a file, or for standard input. */
function namesFile({ runtime }: Session, text: string): boolean {
  return runtime.literalValues !== true && (text === '-' || (text.startsWith('@') && text.length > 1));
}

function readNumber(giver: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value))
    throw new Problem('invalid-input', `${giver} takes a number, not "${text}".`, {
      hint: `Write it like ${giver.startsWith('--') ? `${giver} ` : ''}10.`,
    });
  return value;
}

async function fillTemplate(
  session: Session,
  { name, value: form, template }: BodyFlag,
  given: string,
): Promise<unknown> {
  const isMarkdown = JSON.stringify(template).includes('"markdown":"$"');
  if (!JSON.stringify(template).includes('"$key"')) {
    const text = await readPlain(session, given);
    // The API accepts comments without text, but an empty option is a mistake.
    if (isMarkdown && text.trim() === '') throw new Problem('usage', `--${name} is empty.`);
    const time = form === 'time' ? readPeriod(text, session.runtime.clock(), -1) : undefined;
    return replaceIn(template, { $: time ?? text });
  }
  const [, key, value = ''] = /^([^=]+)=(.*)$/s.exec(given) ?? [];
  if (key === undefined) {
    const [left = '', right] = form.split('=');
    const example = shellWord(`${given.startsWith('=') ? left : given || left}=${right}`);
    throw new Problem('invalid-input', `--${name} takes ${form}, not "${given}".`, {
      hint: `Write it like --${name} ${example}.`,
    });
  }
  // Without the @, a file name would become the whole text of the page.
  if (isMarkdown && session.runtime.literalValues !== true && !/^(?:@.|-$)/s.test(value))
    throw new Problem(
      'invalid-input',
      `--${name} reads a file, but "${value.slice(0, 80)}" does not begin with @.`,
      { hint: `Did you mean \`--${name} ${shellWord(`${key}=@${value || 'FILE'}`)}\`?` },
    );
  const read = isMarkdown ? readWhole : readPlain;
  return replaceIn(template, { $key: key, $: await read(session, value) });
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
