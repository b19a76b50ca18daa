import type { CommandEntry } from '../commands/commands.ts';
import { compositeCommands } from '../commands/index.ts';
import type { OptionDescription } from '../help/describe-command.ts';

/** A command that an MCP client can call. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: false;
  };
}

/** A JSON Schema. */
type Schema = Record<string, string | number | boolean | string[] | { readonly type?: string }>;

interface InputSchema {
  readonly [more: string]: unknown;
  readonly type: 'object';
  readonly properties: Record<string, Schema>;
  readonly required: string[];
  readonly additionalProperties: false;
}

/** Commands without an operation that only read, and neither read nor write files. */
const readingCommands: ReadonlySet<string> = new Set([
  'change-requests diff',
  'commands',
  'conversations clusters show',
  'pages show',
  'saml get',
  'sites structure',
  'spaces links',
  'whoami',
]);

/** Options that read or write files of this machine, or ask other servers from it, which a client may not do. */
const fileOptions: ReadonlySet<string> = new Set([
  'allow-host',
  'body',
  'delay',
  'edit',
  'external',
  'force',
  'max-age',
  'out',
  'skeleton',
  'web',
]);

/** Operations that a store in this process does with git repositories and settings of this machine. */
const machineCommands: ReadonlySet<string> = new Set([
  'spaces git connect',
  'spaces git export',
  'spaces git import',
]);

/** Commands that read a secret: who has the key of visitor tokens can sign in as any visitor. */
const secretCommands: ReadonlySet<string> = new Set(['sites publishing-auth get']);

/** The method of an operation, or undefined for a command that is not one operation. */
function methodOf({ request }: CommandEntry): string | undefined {
  return request?.split(' ')[0];
}

/** Whether a command changes nothing and reads no secret. */
export function isReading(command: CommandEntry): boolean {
  return readingCommands.has(command.id) || (methodOf(command) === 'GET' && !secretCommands.has(command.id));
}

/**
 * Whether a client may call a command: it is one operation that answers with JSON, or only reads. Commands that work on
 * files, start servers or change the settings of this machine are left out.
 */
export function isCallable({ id, operation, file }: CommandEntry): boolean {
  return (
    readingCommands.has(id) ||
    (operation !== null &&
      !file &&
      !machineCommands.has(id) &&
      !compositeCommands.some(({ words }) => words === id))
  );
}

/** Makes the tool of a command: `spaces list` is `spaces_list`. */
export function toolOf(command: CommandEntry): Tool {
  const { id, summary, description, arguments: args, request } = command;
  const method = methodOf(command);
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const { name, summary: text, required: isRequired, variadic } of args) {
    const key = keyOf(name);
    properties[key] = variadic
      ? { type: 'array', items: { type: 'string' }, minItems: isRequired ? 1 : 0, description: text }
      : { type: 'string', description: text };
    if (isRequired) required.push(key);
  }
  for (const option of command.options) {
    if (fileOptions.has(option.name) || properties[option.name] !== undefined) continue;
    properties[option.name] = schemaOf(option);
    if (option.required) required.push(option.name);
  }
  properties['query'] ??= {
    type: 'string',
    description: 'JMESPath expression that selects a part of the result, such as items[].title',
  };
  return {
    name: id.replaceAll(' ', '_'),
    title: summary,
    description: [`${summary}.`, description, request === null ? '' : `Sends ${request}.`]
      .filter(Boolean)
      .join('\n\n'),
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    annotations: {
      readOnlyHint: isReading(command),
      destructiveHint: method === 'DELETE' || '9' in command.exitCodes,
      idempotentHint: method !== 'POST',
      openWorldHint: false,
    },
  };
}

/** The flags and arguments of a call. `input` fits the schema of the tool. */
export function argvOf(command: CommandEntry, input: Readonly<Record<string, unknown>>): string[] {
  const flags: string[] = [];
  const words: string[] = [];
  const names = new Set(command.arguments.map(({ name }) => keyOf(name)));
  for (const { name } of command.arguments) words.push(...textsOf(input[keyOf(name)]));
  for (const [name, value] of Object.entries(input)) {
    if (names.has(name)) continue;
    const option = command.options.find((one) => one.name === name);
    if (option?.type === 'switch') {
      if (value === true) flags.push(`--${name}`);
    } else for (const text of textsOf(value)) flags.push(`--${name}=${text}`);
  }
  // Words after "--" are no flags, whatever they begin with.
  return [...flags, ...(words.length > 0 ? ['--', ...words] : [])];
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

function schemaOf({ type, summary, choices, repeatable }: OptionDescription): Schema {
  const one: Schema =
    type === 'choice'
      ? { type: 'string', enum: [...(choices ?? [])] }
      : type === 'switch' || type === 'boolean'
        ? { type: 'boolean' }
        : type === 'number'
          ? { type: 'number' }
          : type === 'json'
            ? {}
            : { type: 'string' };
  return repeatable ? { type: 'array', items: one, description: summary } : { ...one, description: summary };
}
