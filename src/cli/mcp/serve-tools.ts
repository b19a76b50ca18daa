import { Readable, Writable } from 'node:stream';
import { fromJsonSchema, McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
import { isRecord } from '../../contract/values.ts';
import type { CommandEntry } from '../commands/commands.ts';
import { run } from '../program.ts';
import type { Runtime, Sink, Terminal } from '../runtime.ts';
import { argvOf, toolOf } from './tools.ts';

interface ToolServerOptions {
  readonly commands: readonly CommandEntry[];
  /** Flags of `docsctl mcp` that are passed to every call. They select the store or server, and the caller. */
  readonly flags: readonly string[];
}

/** Characters of an answer; a model cannot use more. */
const maxAnswer = 200_000;

/** Serves commands as MCP tools on the standard streams until the client closes them or the process is interrupted. */
export async function serveTools(runtime: Runtime, options: ToolServerOptions): Promise<void> {
  const { terminal, signal } = runtime;
  const transport = new StdioServerTransport(terminal.stdin as Readable, writableOf(terminal.stdout));
  const server = serveStdio(() => createToolServer(runtime, options), { transport });
  await new Promise<void>((resolve) => {
    terminal.stdin.once('end', resolve);
    terminal.stdin.once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.close();
}

/** Creates the MCP server; its transport is connected by the caller. */
export function createToolServer(runtime: Runtime, { commands, flags }: ToolServerOptions): McpServer {
  const validator = new CfWorkerJsonSchemaValidator();
  const server = new McpServer(
    { name: 'docsctl', version: runtime.version },
    {
      instructions:
        'Administers a documentation platform: organizations, spaces, change requests, sites. Things can be named by title, path, email or ID. Lists take `limit`, `all` and a JMESPath `query`.',
      jsonSchemaValidator: validator,
    },
  );
  for (const command of commands) {
    const { name, inputSchema, ...tool } = toolOf(command);
    server.registerTool(
      name,
      { ...tool, inputSchema: fromJsonSchema<Readonly<Record<string, unknown>>>(inputSchema, validator) },
      (input, { mcpReq }) => callCommand(runtime, { command, flags, input, signal: mcpReq.signal }),
    );
  }
  return server;
}

interface CommandCall {
  readonly command: CommandEntry;
  readonly flags: readonly string[];
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

async function callCommand(
  runtime: Runtime,
  { command, flags, input, signal }: CommandCall,
): Promise<CallToolResult> {
  const words = command.id.split(' ');
  const argv = [...words, ...flags, '--output=json', '--yes', ...argvOf(command, input)];
  const { exit, stdout, stderr } = await runInside(runtime, argv, signal);
  if (exit !== 0) return failed(stderr.trim() || `exit ${exit}`);
  if (stdout.length > maxAnswer)
    return failed(
      `The result has ${stdout.length} characters, more than ${maxAnswer}. Select a part of it with query, or take fewer items with limit.`,
    );
  const text = stdout.trim() || 'Done.';
  const value = parse(text);
  return { content: [{ type: 'text', text }], ...(isRecord(value) ? { structuredContent: value } : {}) };
}

function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Runs a command in this process without a terminal, and returns what it printed. Values read no files. */
async function runInside(
  runtime: Runtime,
  argv: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly exit: number; readonly stdout: string; readonly stderr: string }> {
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

function memorySink(): Sink & { text(): string } {
  const chunks: Buffer[] = [];
  return {
    write: (chunk) => void chunks.push(Buffer.from(chunk as string)),
    flush: () => Promise.resolve(),
    closed: false,
    text: () => Buffer.concat(chunks).toString(),
  };
}

function writableOf(sink: Sink): Writable {
  return new Writable({
    write: (chunk: Buffer, _, done) => {
      const written = sink.write(chunk);
      if (written === undefined) done();
      else void finished(written, done);
    },
  });
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
