import { groupBy } from '../../contract/values.ts';
import type { CommandEntry } from '../commands/commands.ts';
import { compositeCommands } from '../commands/index.ts';
import {
  separateByCommas,
  type ArgumentDescription,
  type OptionDescription,
} from '../help/describe-command.ts';
import { isWords, severalNotes } from '../input/positionals.ts';

/**
 * A command that an MCP client can call. Clients add all tools to the context of their model, so descriptions are brief; the tool
 * `help` shows more.
 */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  /** Only the annotations that differ from the defaults of the protocol. */
  readonly annotations: {
    readonly readOnlyHint?: true;
    readonly destructiveHint?: false;
    readonly idempotentHint?: true;
  };
}

/** Minimum number of tools with the same field for which it is described only once. */
const minSharing = 4;

/** Descriptions of fields that occur in all kinds of tools. */
const commonFields = `
Things can be named by title, path, slug, email, number or ID.
\`limit\`: items of a page of a list (default 50, at most 1000; 0 returns only the count). \`page\`: the value of next.page in the previous page. \`all\`: every page.
\`query\`: JMESPath expression that selects a part of the result, such as items[].title.
\`set\`: sets nested fields, such as source.language=en. \`unset\`: fields whose value is removed.
Errors and notes name commands and options: \`docsctl spaces get Guide\` is the tool spaces_get, --title is the field \`title\`. Options that read files or open an editor are not offered; give text directly.
`.trim();
/** How the descriptions begin that these lines replace. Some commands have other fields with these names. */
const commonSummaries =
  /^(?:get every page of|page to get:|number of .* in a page, up to 1000|set a field, or a field inside it|remove the value of a field)/;

type Schema = Record<string, string | number | boolean | string[] | { readonly type?: string }>;

interface InputSchema {
  readonly [more: string]: unknown;
  readonly type: 'object';
  readonly properties: Record<string, Schema>;
  readonly required?: string[];
  readonly additionalProperties: false;
}

/** Commands with more than one operation that only read, and work without files of this machine. */
const readingCommands: ReadonlySet<string> = new Set([
  'access explain',
  'access report',
  'audit list',
  'change-requests diff',
  'change-requests list',
  'collections permissions list',
  'commands',
  'conversations clusters show',
  'openapi diff',
  'pages list',
  'pages show',
  'revisions diff',
  'saml get',
  'sites check',
  'sites permissions list',
  'sites redirects check',
  'sites structure',
  'spaces links',
  'spaces permissions list',
  'teams members get',
  'tokens get',
  'whoami',
]);

/** Commands with more than one operation that change something, and work without files of this machine. */
const changingCommands: ReadonlySet<string> = new Set([
  'change-requests merge',
  'change-requests sync',
  'collections permissions remove',
  'conversations clusters draft',
  'openapi refresh',
  'pages copy',
  'pages create',
  'pages delete',
  'pages edit',
  'pages move',
  'pages rename',
  'revisions restore',
  'saml create',
  'saml update',
  'sites permissions remove',
  'spaces permissions remove',
  'translations create',
  'translations run',
  'translations update',
]);

/**
 * Options that open an editor or a browser, overwrite files, or send requests to other servers, and those that only these options
 * need. MCP clients may not use them.
 */
const machineOptions: ReadonlySet<string> = new Set([
  'allow-host',
  'concurrency',
  'delay',
  'edit',
  'external',
  'force',
  'max-age',
  'skeleton',
  'web',
]);

/** Whether MCP clients may not use an option, because it concerns this machine. */
function isMachineOption({ name, value }: OptionDescription): boolean {
  return machineOptions.has(name) || /^<(?:file|folder)\b/.test(value ?? '');
}

/** Operations for which an embedded store uses git repositories and settings of this machine. */
const machineCommands: ReadonlySet<string> = new Set([
  'spaces git connect',
  'spaces git export',
  'spaces git import',
]);

/**
 * Commands that return a secret which gives others access: an invite link makes its holder a member, a share link opens a site,
 * and the key of visitor tokens can sign in as any visitor.
 */
const secretCommands: ReadonlySet<string> = new Set([
  'invites list',
  'sites publishing-auth get',
  'sites share-links list',
]);

/** Returns the method of the operation of a command; undefined for a command without one. */
function methodOf({ request }: CommandEntry): string | undefined {
  return request?.split(' ')[0];
}

/** Whether a command changes nothing and returns no secret. */
export function isReading(command: CommandEntry): boolean {
  return readingCommands.has(command.id) || (methodOf(command) === 'GET' && !secretCommands.has(command.id));
}

/**
 * Whether a client may call a command. Commands that access files, start servers or change the settings of this machine are not
 * allowed.
 */
export function isCallable({ id, operation, file }: CommandEntry): boolean {
  return (
    readingCommands.has(id) ||
    changingCommands.has(id) ||
    (operation !== null &&
      !file &&
      !machineCommands.has(id) &&
      !compositeCommands.some(({ words }) => words === id))
  );
}

/** The tools of commands, and the descriptions of common fields, which their schemas do not repeat. */
export interface Toolbox {
  readonly tools: readonly { readonly command: CommandEntry; readonly tool: Tool }[];
  readonly fields: string;
}

/** Makes the tools of commands. */
export function toolsOf(commands: readonly CommandEntry[]): Toolbox {
  const tools = commands.map((command) => ({ command, tool: toolOf(command) }));
  const all = tools.flatMap(({ tool }) => Object.entries(tool.inputSchema.properties));
  const shared = new Map<string, unknown>();
  for (const [name, same] of groupBy(all, ([key]) => key)) {
    const described = same.filter(([, { description }]) => description !== undefined);
    const [most] = [...groupBy(described, ([, { description }]) => description).values()].sort(
      (one, other) => other.length - one.length,
    );
    if (most !== undefined && most.length >= minSharing) shared.set(name, most[0][1]['description']);
  }
  for (const [name, schema] of all)
    if (shared.has(name) && schema['description'] === shared.get(name)) delete schema['description'];
  const lines = [...shared].map(([name, description]) => `\`${name}\`: ${String(description)}.`);
  return { tools, fields: [commonFields, ...lines].join('\n') };
}

/** Creates the tool of a command: `spaces_list` for `spaces list`. */
export function toolOf(command: CommandEntry): Tool {
  const { id, summary } = command;
  const method = methodOf(command);
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const argument of argumentsOf(command)) {
    const key = keyOf(argument.name);
    properties[key] = schemaOfArgument(argument);
    if (argument.required) required.push(key);
  }
  for (const option of command.options) {
    if (isMachineOption(option) || properties[option.name] !== undefined) continue;
    properties[option.name] = schemaOf(option);
    // Without a text, `pages edit` would open an editor.
    if (option.required || (id === 'pages edit' && option.name === 'text')) required.push(option.name);
  }
  properties['query'] ??= { type: 'string' };
  const isDestructive = method === 'DELETE' || '9' in command.exitCodes;
  return {
    name: id.replaceAll(' ', '_'),
    description: summary.replace(' in your editor', ''),
    inputSchema: {
      type: 'object',
      properties,
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
    annotations: isReading(command)
      ? { readOnlyHint: true }
      : {
          ...(isDestructive ? {} : { destructiveHint: false }),
          ...(method === undefined || method === 'POST' ? {} : { idempotentHint: true }),
        },
  };
}

/** Returns the flags and arguments of a call. `input` must match the schema of the tool. */
export function argvOf(command: CommandEntry, input: Readonly<Record<string, unknown>>): string[] {
  const flags: string[] = [];
  const words: string[] = [];
  const args = argumentsOf(command);
  const names = new Set(args.map(({ name }) => keyOf(name)));
  for (const { name } of args) words.push(...textsOf(input[keyOf(name)]));
  for (const [name, value] of Object.entries(input)) {
    if (names.has(name)) continue;
    const option = command.options.find((one) => one.name === name);
    if (option?.type === 'switch') {
      // With any other value, the command says that it takes none.
      if (value !== false) flags.push(value === true ? `--${name}` : `--${name}=${textsOf(value).join()}`);
    } else for (const text of textsOf(value)) flags.push(`--${name}=${text}`);
  }
  // Words after "--" are not parsed as flags.
  return [...flags, ...(words.length > 0 ? ['--', ...words] : [])];
}

/**
 * Returns the arguments of a command without a corresponding option. Options are preferred because they accept any text, whereas
 * "-" as an argument means standard input.
 */
function argumentsOf({ arguments: args, options }: CommandEntry): readonly ArgumentDescription[] {
  return args.filter(({ name, required }) => required || !options.some((one) => one.name === keyOf(name)));
}

function textsOf(value: unknown): string[] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map((one) =>
    typeof one === 'string' ? one : JSON.stringify(one),
  );
}

function keyOf(argument: string): string {
  return argument.replace(/[^\w-]+/g, '-');
}

function schemaOfArgument({ name, summary, required, variadic }: ArgumentDescription): Schema {
  const more = describe(name, summary);
  if (!variadic || isWords(name)) return { type: 'string', ...more };
  return { type: 'array', items: { type: 'string' }, ...(required ? { minItems: 1 } : {}), ...more };
}

function schemaOf({
  name,
  type,
  value,
  summary,
  choices,
  repeatable,
  commaSeparated,
}: OptionDescription): Schema {
  const one: Schema =
    type === 'choice' && !commaSeparated
      ? { type: 'string', enum: [...(choices ?? [])] }
      : type === 'switch' || type === 'boolean'
        ? { type: 'boolean' }
        : type === 'number'
          ? { type: 'number' }
          : type === 'json'
            ? {}
            : { type: 'string' };
  // A value in two parts, such as <page=@file>.
  const form = /^<(.+=.+)>$/.exec(value ?? '')?.[1]?.toUpperCase();
  const note =
    form !== undefined
      ? `, as ${form.replace('@FILE', 'TEXT')}`
      : commaSeparated && choices !== null
        ? ` (${choices.join(', ')}; ${separateByCommas})`
        : '';
  const more = describe(name, summary + note);
  return repeatable ? { type: 'array', items: one, ...more } : { ...one, ...more };
}

/**
 * Returns the description of a field, without information that is in its schema or name, or that is only for the command line.
 */
function describe(name: string, summary: string): { description?: string } {
  if (commonSummaries.test(summary)) return {};
  let text = summary
    .replaceAll(/; --no-[\w-]+ sends false|; @FILE reads a file(?:, - standard input)?/g, '')
    .replaceAll('the text of this file', 'this text')
    .replaceAll(/, or (?:a file\b|the latest one if --to is a file)/g, '');
  for (const note of Object.values(severalNotes)) if (note !== '') text = text.replace(note, '');
  // "title or ID of the space" of the field `space`.
  const isName = new RegExp(`^[a-z, ]*\\bID of the ${name.replaceAll('-', ' ')}$`).test(text);
  return isName ? {} : { description: text };
}

/**
 * Returns a note or error of a command for MCP clients: options are fields of the tool, and nothing is suggested that clients cannot
 * do, such as to give a file instead of a text, to open an editor, or to confirm.
 */
export function textForTools(text: string, { properties }: InputSchema): string {
  const known = text
    .replaceAll('@FILE', 'TEXT')
    .replaceAll(' You can also give the whole body with --body FILE.', '')
    .replaceAll(' `--edit` opens the conflicts in your editor.', '')
    .replaceAll(/with --edit and [^,]+, or add/g, 'and add')
    .replaceAll(/run `[^`]+ --skeleton`/g, 'call the tool `help`')
    .replaceAll(/(?<=`docsctl\s[^`]*) (?:--yes|-y)(?=[ `])/g, '');
  const fieldOr = (written: string, name: string, value: string | undefined = '') =>
    Object.hasOwn(properties, name) ? `\`${name}\`${value}` : written;
  return known
    .split(/(`docsctl\s[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replaceAll(/`--([\w-]+)( [^`]*)?`/g, fieldOr)
            .replaceAll(/(?<![\w`-])--([\w-]+)/g, (written, name: string) => fieldOr(written, name)),
    )
    .join('');
}
