import { nearest } from '../../contract/nearest.ts';
import { isOperation, type Operation } from '../../contract/operation.ts';
import { DateTime, Url, type TSchema } from '../../contract/schema.ts';
import { listSome } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { nouns, type Noun } from '../../resources/index.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';
import {
  isText,
  propertiesIn,
  requiredIn,
  takesNull,
  withoutNull,
  type Schema,
} from '../input/field-schema.ts';
import { wantsDocument, wantsReport, type Session } from '../session/session.ts';
import { nounFor, verbFor } from '../verbs.ts';

/** A field of a resource or of a request, in the output of `docsctl explain`. */
interface FieldRow {
  readonly field: string;
  readonly type: string;
  /** Whether it is required in its object; absent for fields of resources. */
  readonly required?: boolean;
  /** The commands of the noun that set it; absent for fields of requests. */
  readonly setBy?: readonly string[];
  readonly choices?: readonly string[];
  readonly description: string;
}

export const help: CommandHelp = {
  description: `
Shows the fields of a resource as \`-o json\` prints it, with their types and the commands that set them. If you name
a command, shows the fields that it sends, and whether they are required. A field such as source.language is required
only if source is given. If an object can have several forms, a field that only some forms require is not shown as required. If you name a field,
shows the fields inside it. Separate words by spaces or dots.

To see the options of a command, use --help. To print the fields as a file to fill in, run the command with --skeleton.
`,
  examples: [
    'docsctl explain spaces',
    'docsctl explain sites.sections',
    'docsctl explain spaces update',
    'docsctl explain spaces.mergeRules',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<resource...>', 'resource, such as spaces, and optionally one of its commands or fields')
    .action(inSession(explain));
};

async function explain(session: Session, given: readonly string[]): Promise<void> {
  const words = given.flatMap((word) => word.split(/[.\s]+/)).filter((word) => word !== '');
  const { noun, rest } = findNoun(words);
  const operations = Object.values(await noun.contract()).filter(isOperation);
  const verbs = operations.map(({ id }) => id.replace(/^.*\./, ''));
  const [first = '', ...more] = rest;
  const verb = verbs.includes(first) ? first : verbFor(first, verbs);
  const operation = operations.find(({ id }) => id.replace(/^.*\./, '') === verb);
  const shown =
    operation === undefined
      ? resourceRows(operations)
      : [operation.query, operation.body].flatMap((schema) => rowsOf(schema));
  const path = (operation === undefined ? rest : more).join('.');
  const rows = shown.filter(({ field }) => path === '' || field === path || field.startsWith(`${path}.`));
  if (rows.length === 0) throw noField(noun, operation, path, { shown, verbs });
  if (session.isInteractive && wantsReport(session)) return writeFields(session, rows);
  const columns = ['field', 'type', operation === undefined ? 'setBy=set by' : 'required', 'description'];
  const isData = wantsDocument(session) || session.format === 'ndjson';
  const items = isData
    ? rows
    : rows.map((row) => ({ ...row, setBy: row.setBy?.join(', '), description: describe(row) }));
  await session.printAll(items, { columns, noun: 'fields', idField: 'field' });
}

/** Writes each field with its whole description to a terminal. */
async function writeFields({ terminal, paged }: Session, rows: readonly FieldRow[]): Promise<void> {
  const [{ recordText }, { createTheme }] = await Promise.all([
    import('../output/record.ts'),
    import('../output/style.ts'),
  ]);
  const fields = rows.map((row): [string, string] => {
    const setBy = (row.setBy ?? []).length === 0 ? '' : `set by ${row.setBy?.join(', ')}`;
    const words = [row.type, row.required === true ? 'required' : '', setBy, describe(row)];
    return [row.field, words.filter((text) => text !== '').join('; ')];
  });
  await paged.write(recordText(fields, terminal.columns, await createTheme(terminal.color)));
  await paged.flush();
}

function describe({ type, choices = [], description }: FieldRow): string {
  if (!type.includes('choice')) return description;
  return [description, `one of: ${choices.join(', ')}`].filter((text) => text !== '').join('; ');
}

/** Finds the noun in the first words: the longest match. @throws Problem(not-found) */
function findNoun(words: readonly string[]): { noun: Noun; rest: readonly string[] } {
  const known = nouns.filter(({ summary }) => summary !== '');
  let path: readonly string[] = [];
  for (const word of words) {
    const next = known
      .map((one) => one.words.split(' '))
      .filter((parts) => path.every((part, index) => parts[index] === part))
      .map((parts) => parts[path.length] ?? '');
    const found = next.includes(word) ? word : nounFor(word, next);
    if (found === undefined) break;
    path = [...path, found];
  }
  const noun = known.find((one) => one.words === path.join(' '));
  if (noun !== undefined) return { noun, rest: words.slice(path.length) };
  const close = nearest(
    words.join(' '),
    known.map((one) => one.words),
  );
  throw new Problem('not-found', `There is no resource "${words.join(' ')}".`, {
    hint:
      close.length > 0
        ? `Did you mean ${listSome(close.map((one) => `\`docsctl explain ${one}\``))}?`
        : `Resources: ${known.map((one) => one.words).join(', ')}.`,
  });
}

function noField(
  { words }: Noun,
  operation: Operation | undefined,
  path: string,
  { shown, verbs }: { shown: readonly FieldRow[]; verbs: readonly string[] },
): Problem {
  const what = operation === undefined ? words : operation.id.replaceAll('.', ' ');
  if (path === '')
    return new Problem('not-found', `\`docsctl ${what}\` has no fields to explain.`, {
      hint: `\`docsctl ${what} --help\` describes it.`,
    });
  const names = shown.map(({ field }) => field);
  const close = nearest(path, operation === undefined ? [...names, ...verbs] : names);
  const top = names.filter((name) => !name.includes('.'));
  return new Problem('not-found', `There is no field or command "${path}" in \`docsctl ${what}\`.`, {
    hint: close.length > 0 ? `Did you mean ${listSome(close)}?` : `Fields: ${top.join(', ')}.`,
  });
}

/** Returns the fields of the resources of a noun: those in answers, and those that can only be set. */
function resourceRows(operations: readonly Operation[]): FieldRow[] {
  const withVerb = (verb: string) => operations.find(({ id }) => id.endsWith(`.${verb}`));
  const { returns } =
    withVerb('get') ?? withVerb('list') ?? operations.find((one) => one.returns.schema) ?? {};
  const setters = operations.filter(({ id }) => /\.(create|add|update)$/.test(id));
  const described = new Map(setters.flatMap(({ body }) => rowsOf(body)).map((row) => [row.field, row]));
  return rowsOf(returns?.item ?? returns?.schema).map(({ required: _required, ...row }) => {
    const setBy = setters
      .filter(({ body }) => new Map(propertiesIn(body)).has(row.field))
      .map(({ id }) => id.replace(/^.*\./, ''));
    const description = row.description || (described.get(row.field)?.description ?? '');
    return { ...row, setBy, description };
  });
}

const maxDepth = 4;

function rowsOf(schema: TSchema | undefined, depth = 1): FieldRow[] {
  const required = requiredIn(schema);
  return propertiesIn(schema).flatMap(([name, field]) => {
    const own = withoutNull(field);
    const choices = own.enum ?? own.items?.enum;
    const row: FieldRow = {
      field: name,
      type: typeOf(field),
      required: required.includes(name),
      ...(choices !== undefined && { choices }),
      description: descriptionOf(field),
    };
    const inner = isText(own) || depth === maxDepth ? [] : fieldsWithin(own, depth);
    return [row, ...inner.map((one) => ({ ...one, field: `${name}.${one.field}` }))];
  });
}

/** Returns the fields inside a value, including those of all alternatives and of list items. */
function fieldsWithin({ items, anyOf, properties, ...own }: Schema, depth: number): FieldRow[] {
  if (items !== undefined) return fieldsWithin(items, depth);
  if (properties !== undefined) return rowsOf({ ...own, properties }, depth + 1);
  const choices = (anyOf ?? [])
    .map((choice) => fieldsWithin(choice, depth))
    .filter(({ length }) => length > 0);
  const byField = new Map<string, FieldRow>();
  for (const row of choices.flat()) {
    const known = byField.get(row.field);
    const type = [...new Set([...(known?.type.split(' or ') ?? []), row.type])].join(' or ');
    // A field inside another can be required although only one choice has the other.
    const required = choices.every(
      (rows) => rows.find(({ field }) => field === row.field)?.required ?? row.field.includes('.'),
    );
    byField.set(row.field, { ...row, ...known, type, required });
  }
  return [...byField.values()];
}

/** Returns the description of a field; '' if it only describes the format of times and addresses. */
function descriptionOf(field: Schema): string {
  const description = field.description ?? withoutNull(field).description ?? '';
  return [DateTime.description, Url.description].includes(description) ? '' : description;
}

/** Returns the type of a value for a person: "text", "number or null", "list of text". */
function typeOf(schema: Schema): string {
  const { type, items, const: constant, anyOf } = schema;
  if (isText(schema)) return 'Markdown';
  if (constant !== undefined) return JSON.stringify(constant);
  if (anyOf !== undefined) {
    const types = new Set(anyOf.filter((one) => one.type !== 'null').map(typeOf));
    return [...types, ...(takesNull(schema) ? ['null'] : [])].join(' or ');
  }
  if (type === 'array') return items === undefined ? 'list' : `list of ${typeOf(items)}`;
  const { enum: choices } = schema;
  if (choices !== undefined) return choices.length > 8 ? 'choice' : choices.join('|');
  const byFormat: Readonly<Record<string, string>> = {
    'date-time': 'time',
    uri: 'URL',
    url: 'URL',
    email: 'email',
  };
  if (type === 'string') return byFormat[schema.format ?? ''] ?? 'text';
  return type === 'integer' ? 'number' : (type ?? 'any');
}
