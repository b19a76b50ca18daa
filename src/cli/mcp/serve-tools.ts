import { Readable, Writable } from 'node:stream';
import {
  fromJsonSchema,
  McpServer,
  STDIO_DEFAULT_MAX_BUFFER_SIZE as maxMessage,
  type CallToolResult,
  type JsonSchemaType,
  type JsonSchemaValidator,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
import type { RichDocumentValue } from '../../contract/shapes.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { isRecord } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import type { CommandEntry } from '../commands/commands.ts';
import { run } from '../program.ts';
import { memorySink } from '../output/stream-sink.ts';
import type { Runtime, Sink, Terminal } from '../runtime.ts';
import { AnsweringTransport, parse } from './answering-transport.ts';
import { limitCalls } from './limit-calls.ts';
import { argvOf, isReading, textForTools, toolsOf, type Tool, type Toolbox } from './tools.ts';

interface ToolServerOptions {
  readonly commands: readonly CommandEntry[];
  /** Flags of `docsctl mcp` that are added to every call. They select the store or server, and the caller. */
  readonly flags: readonly string[];
  /** Whether a few tools run all commands, instead of one tool for each command. */
  readonly isCompact: boolean;
  /** The organization's instructions for agents (default: none). */
  readonly instructions?: string;
}

/** Maximum length of these instructions, in characters. */
const maxInstructions = 8000;
/** Maximum milliseconds to read them: the client is waiting for the server, and the tools work without them. */
const instructionsWait = 10_000;

/** Maximum number of calls that run at the same time; further calls wait for them. */
const maxCalls = 8;

/** Maximum length of an answer, in characters. A model cannot use more. */
const maxAnswer = 200_000;

/**
 * Serves commands as MCP tools on the standard streams, until the client has closed its stream and all its requests are
 * answered, or the process is interrupted.
 */
export async function serveTools(runtime: Runtime, options: ToolServerOptions): Promise<void> {
  const { terminal, signal } = runtime;
  const instructions = await readInstructions(runtime, options.flags);
  const transport = new AnsweringTransport(terminal.stdin as Readable, writableOf(terminal.stdout));
  const server = serveStdio(() => createToolServer(runtime, { ...options, instructions }), { transport });
  const close = () => void server.close();
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  await transport.closed;
  signal.removeEventListener('abort', close);
  if (transport.hasOverflowed)
    throw new Problem(
      'too-large',
      `The client sent a message of over ${maxMessage >> 20} MiB, so the connection was closed.`,
      {
        hint: 'Send the text of a large page in several calls, or import it with `docsctl spaces import`.',
      },
    );
}

/** Creates the MCP server. The caller connects its transport. */
function createToolServer(
  runtime: Runtime,
  { commands, flags, isCompact, instructions = '' }: ToolServerOptions,
): McpServer {
  const validator = new PlainValidator();
  const { tools, fields } = toolsOf(commands);
  const server = new McpServer(
    { name: 'docsctl', version: runtime.version },
    {
      instructions: [
        'Administers a documentation platform: organizations, spaces, change requests, sites.',
        ...(tools.every(({ command }) => isReading(command))
          ? [
              'Only tools that read are offered; `docsctl mcp --allow-write` also offers those that change something.',
            ]
          : []),
        ...(instructions === '' ? [] : [`Instructions of the organization for agents:\n${instructions}`]),
        fields,
      ].join('\n\n'),
      jsonSchemaValidator: validator,
    },
  );
  const runLimited = limitCalls(maxCalls);
  const register = <T>({ name, inputSchema, ...more }: Tool, call: Call<T>) =>
    server.registerTool(
      name,
      { ...more, inputSchema: fromJsonSchema<T>(inputSchema, validator) },
      (input, { mcpReq: { signal } }) => runLimited(signal, () => call(input, signal)),
    );
  const byName = new Map(tools.map((one) => [one.tool.name, one]));
  register<{ tool?: string }>(helpTool(fields), async ({ tool: name }, signal) => {
    if (name === undefined) return listTools(tools);
    const known = byName.get(name);
    return known === undefined ? unknownTool(name) : showHelp(runtime, known, signal);
  });
  if (!isCompact) {
    for (const { command, tool } of tools)
      register<Input>(tool, (input, signal) =>
        callCommand(runtime, { command, inputSchema: tool.inputSchema, flags, input, signal }),
      );
    return server;
  }
  for (const runTool of runTools) {
    const isRun = ({ command }: Toolbox['tools'][number]) => isReading(command) === runTool.reads;
    if (!tools.some(isRun)) continue;
    register<{ tool: string; input?: Input }>(runTool.tool, async (given, signal) => {
      const { tool: name, input = {} } = given;
      const known = byName.get(name);
      if (known === undefined || !isRun(known)) return unknownTool(name);
      const { properties, required = [] } = known.tool.inputSchema;
      // Without one, the values of the others would take its place.
      const missing = required.filter((key) => [input[key] ?? []].flat().length === 0);
      if (missing.length > 0) return failed(`${name} needs these fields: ${missing.join(', ')}.`);
      const unknown = Object.keys(input).find((key) => !Object.hasOwn(properties, key));
      if (unknown !== undefined)
        return failed(`${name} has no field "${unknown}". It has: ${Object.keys(properties).join(', ')}.`);
      const { inputSchema } = known.tool;
      return callCommand(runtime, { command: known.command, inputSchema, flags, input, signal });
    });
  }
  return server;
}

/** Validates the input of tools, takes one value as a list, and describes missing and unknown fields in plain words. */
class PlainValidator extends CfWorkerJsonSchemaValidator {
  override getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const validate = super.getValidator<T>(schema);
    const { properties = {} } = schema as Partial<Tool['inputSchema']>;
    const known = Object.keys(properties);
    return (input) => {
      const result = validate(isRecord(input) ? withLists(input, properties) : input);
      if (result.valid) return result;
      const errorMessage = result.errorMessage
        .replaceAll(/; #\S*: False boolean schema\./g, '')
        .replaceAll(/Instance does not have required property ("[^"]*")/g, '$1 is required')
        .replaceAll(
          /Property "([^"]*)" does not match additional properties schema/g,
          (_, name: string) => `"${name}" is not a known field${didYouMean(name, known)}`,
        )
        .replaceAll(/(?<=^|; )#: |\.(?=;)|(?<=\?)\.$/g, '');
      return { ...result, errorMessage };
    };
  }
}

/** Returns the input of a tool with lists where its schema has lists. Models often give a single value instead. */
function withLists(input: Input, properties: Tool['inputSchema']['properties']): Input {
  const entries = Object.entries(input).map(([name, value]) => [
    name,
    properties[name]?.['type'] === 'array' && typeof value === 'string' ? [value] : value,
  ]);
  return Object.fromEntries(entries) as Input;
}

/** Returns the organization's instructions for agents as Markdown; '' if there are none, or they cannot be read. */
async function readInstructions(runtime: Runtime, flags: readonly string[]): Promise<string> {
  const argv = ['agent-instructions', 'get', ...flags, '--output=json', '--quiet'];
  const { exit, stdout } = await runInside(runtime, argv, AbortSignal.timeout(instructionsWait));
  const answer = exit === 0 ? parse(stdout) : undefined;
  if (!isRecord(answer)) return '';
  const { documentToMarkdown } = await import('../../richtext/markdown.ts');
  const text = documentToMarkdown(answer['instructions'] as RichDocumentValue);
  return text.trim().slice(0, maxInstructions);
}

type Input = Readonly<Record<string, unknown>>;
type Call<T> = (input: T, signal: AbortSignal) => Promise<CallToolResult>;

function helpTool(fields: string): Tool {
  return {
    name: 'help',
    description: `Show all that a tool does, with its fields and examples, as the help of its command. Without a tool, list all tools. Fields that tools do not describe:\n${fields}`,
    inputSchema: {
      type: 'object',
      properties: { tool: { type: 'string', description: 'name of a tool, such as spaces_list' } },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  };
}

/** The tools of --compact that run other commands: one for reading, one for changes. */
const runTools = ([true, false] as const).map((reads) => ({
  reads,
  tool: {
    name: reads ? 'run' : 'change',
    description: `Run a tool that ${reads ? 'only reads' : 'creates, changes or deletes something'}. \`help\` lists the tools and shows their fields.`,
    inputSchema: {
      type: 'object',
      properties: {
        tool: { type: 'string', description: 'name of a tool, such as spaces_list' },
        input: { type: 'object', description: 'fields of the tool, such as { "limit": 10 }' },
      },
      required: ['tool'],
      additionalProperties: false,
    },
    annotations: reads ? { readOnlyHint: true } : {},
  } satisfies Tool,
}));

async function listTools(tools: Toolbox['tools']): Promise<CallToolResult> {
  const lines = tools.map(({ command, tool: { name, description } }) => {
    const change = isReading(command) ? '' : ' (changes)';
    return `${name}${change}: ${description}`;
  });
  return { content: [{ type: 'text', text: lines.join('\n') }] };
}

async function showHelp(
  runtime: Runtime,
  { command, tool }: Toolbox['tools'][number],
  signal: AbortSignal,
): Promise<CallToolResult> {
  const words = command.id.split(' ');
  const { stdout } = await runInside(runtime, [...words, '--help'], signal);
  // The help of a command does not show all fields of a JSON value.
  const skeleton = command.options.some(({ type }) => type === 'json')
    ? await runInside(runtime, [...words, '--skeleton', '--output=table'], signal)
    : undefined;
  const { properties, required = [] } = tool.inputSchema;
  const fields = Object.entries(properties).map(
    ([name, { type }]) =>
      `${name}${type === 'array' ? ' (list)' : ''}${required.includes(name) ? ' (required)' : ''}`,
  );
  const note = `Fields of the tool ${tool.name}: ${fields.join(', ')}. Other options are not offered, and you give text directly instead of the name of a file.`;
  const body = skeleton?.exit === 0 ? `\n${skeleton.stdout}` : '';
  return { content: [{ type: 'text', text: `${stdout}${body}\n${note}` }] };
}

function unknownTool(name: string): CallToolResult {
  return failed(`There is no tool "${name}" here. \`help\` without a tool lists all of them.`);
}

interface CommandCall {
  readonly command: CommandEntry;
  readonly inputSchema: Tool['inputSchema'];
  readonly flags: readonly string[];
  readonly input: Input;
  readonly signal: AbortSignal;
}

async function callCommand(
  runtime: Runtime,
  { command, inputSchema, flags, input, signal }: CommandCall,
): Promise<CallToolResult> {
  const words = command.id.split(' ');
  const argv = [...words, ...flags, '--output=json', '--yes', ...argvOf(command, input)];
  const { exit, stdout, stderr } = await runInside(runtime, argv, signal);
  const notes = stderr
    .trim()
    .split('\n')
    .map((line) => forTool(line, inputSchema))
    .join('\n');
  const tooLong =
    stdout.length > maxAnswer
      ? `The result has ${stdout.length} characters, more than ${maxAnswer}. Select a part of it with query, or take fewer items with limit.`
      : undefined;
  if (exit !== 0) {
    const failure = failed(notes || `exit ${exit}`);
    // For example the findings of a check, or what was changed before the failure.
    const result = tooLong ?? stdout.trim();
    if (result !== '') failure.content.push({ type: 'text', text: result });
    return failure;
  }
  if (tooLong !== undefined) return failed(tooLong);
  const text = stdout.trim() || 'Done.';
  const value = parse(text);
  return {
    content: [
      { type: 'text', text },
      // For example the number of a change request that is still to be merged, or a warning.
      ...(notes === '' ? [] : [{ type: 'text' as const, text: notes }]),
    ],
    ...(isRecord(value) ? { structuredContent: value } : {}),
  };
}

/** Returns a line of standard error, such as a note or an error as JSON, in words for MCP clients. */
function forTool(line: string, schema: Tool['inputSchema']): string {
  const { error } = (parse(line) ?? {}) as { error?: Record<'message' | 'hint', unknown> };
  if (error === undefined) return textForTools(line, schema);
  const texts = (['message', 'hint'] as const).flatMap((name) => {
    const text = error[name];
    return typeof text === 'string' ? [[name, textForTools(text, schema)]] : [];
  });
  return JSON.stringify({ error: { ...error, ...Object.fromEntries(texts) } });
}

function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Runs a command in this process without a terminal, and returns its output. Values cannot read files. */
async function runInside(
  runtime: Runtime,
  argv: readonly string[],
  signal: AbortSignal,
): Promise<{ exit: number; stdout: string; stderr: string }> {
  const [out, err] = [memorySink(), memorySink()];
  const terminal: Terminal = {
    stdout: out,
    stderr: err,
    stdin: Readable.from([]),
    stdoutIsTTY: false,
    stderrIsTTY: false,
    stdinIsTTY: false,
    columns: 80,
    color: false,
  };
  const exit = await run({
    ...runtime,
    argv,
    terminal,
    literalValues: true,
    signal: AbortSignal.any([runtime.signal, signal]),
  });
  return { exit, stdout: out.text(), stderr: err.text() };
}

function writableOf(sink: Sink): Writable {
  const writable = new Writable({
    write: (chunk: Buffer, _, done) => {
      const written = sink.write(chunk);
      if (written === undefined) done();
      else void finished(written, done);
    },
  });
  // Each answer that waits has a listener.
  return writable.setMaxListeners(0);
}

async function finished(written: Promise<void>, done: (error?: Error) => void): Promise<void> {
  let failure: Error | undefined;
  try {
    await written;
  } catch (error) {
    failure = error as Error;
  }
  done(failure);
}
