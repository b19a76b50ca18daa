import { Problem } from '../../errors/problem.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';
import { isCallable, isReading } from '../mcp/tools.ts';
import type { Session } from '../session/session.ts';
import { listCommands } from './commands.ts';

interface Options {
  readonly allowWrite?: boolean;
  readonly only?: readonly string[];
  readonly compact?: boolean;
}

export const help: CommandHelp = {
  description: `
Serves the commands of docsctl as tools of the Model Context Protocol on standard input and output, for AI assistants and editors. Each command is a tool: \`spaces list\` is \`spaces_list\`. A tool returns what its command prints with \`-o json\`, including notes.

Unless you give --allow-write, docsctl offers only commands that change nothing, and leaves out those that show invite
links, share links or the key that signs visitor tokens. It never offers commands that read or write files of this
machine, and takes values such as @file as plain text.

Assistants put the list of tools into the context of their model. The list therefore describes each tool only briefly.
The tool \`help\` describes a tool completely, with its fields and examples.
--only makes the list shorter: with \`--only spaces,pages,change-requests\`, it is less than half as long. With --compact,
two tools replace the list: \`help\` lists and explains the commands, and \`run\` runs commands that change nothing.
With --allow-write, a third tool, \`change\`, runs the other commands.

The assistant also gets the instructions that the organization has for agents; see \`docsctl agent-instructions --help\`.

The store or server, the organization and the token come from the settings, as for every other command. A token with a lower role limits what the assistant can do.

Configuration of an MCP client:
  { "mcpServers": { "docsctl": { "command": "docsctl", "args": ["mcp", "--org", "Acme"] } } }
`,
  examples: [
    'docsctl mcp < /dev/null',
    'docsctl mcp --allow-write --only spaces,change-requests < /dev/null',
    'docsctl mcp --compact < /dev/null',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .option('--allow-write', 'also offer commands that create, change or delete')
    .option(
      '--only <noun...>',
      'offer only these groups of commands, separated by commas, such as spaces,sites',
    )
    .option(
      '--compact',
      'offer tools that list, explain and run commands, instead of one tool for each command',
    )
    .action(inSession(serve));
};

async function serve(session: Session, { allowWrite, only, compact = false }: Options): Promise<void> {
  const { runtime, flags, terminal } = session;
  if (terminal.stdinIsTTY)
    throw new Problem(
      'usage',
      '`docsctl mcp` must be started by an AI assistant or another program, not on a terminal.',
      {
        hint: 'Add `docsctl mcp` to the configuration of your assistant as an MCP server. `docsctl mcp --help` shows how.',
      },
    );
  if (flags.tokenFile === '-')
    throw new Problem(
      'usage',
      '--token-file - cannot be used here: standard input belongs to the MCP client.',
      {
        hint: 'Name a file, or set DOCSCTL_TOKEN.',
      },
    );
  const { commands, nouns } = await listCommands(runtime);
  const wanted = only?.flatMap((words) => words.split(','));
  const known = new Set([...nouns.map(({ id }) => id), ...commands.map(({ id }) => id)]);
  const unknown = wanted?.find((word) => !known.has(word));
  if (unknown !== undefined)
    throw new Problem('invalid-input', `There is no command or group of commands "${unknown}".`, {
      hint: 'To see the commands, run `docsctl --help`.',
    });
  const isWanted = (id: string) =>
    wanted === undefined || wanted.some((word) => `${id} `.startsWith(`${word} `));
  const offered = commands.filter(
    (command) => isCallable(command) && isWanted(command.id) && (allowWrite === true || isReading(command)),
  );
  if (offered.length === 0)
    throw new Problem('invalid-input', 'None of the commands given with --only can be offered as a tool.', {
      hint: allowWrite === true ? undefined : 'To offer commands that change something, add --allow-write.',
    });
  const { serveTools } = await import('../mcp/serve-tools.ts');
  await serveTools(runtime, { commands: offered, flags: placeFlags(flags), isCompact: compact });
}

/** Returns the flags that select the store or server, the caller and the organization, and say how to reach the server. */
function placeFlags(flags: Session['flags']): string[] {
  const { store, server, tokenFile, org, profile, as, caFile, retryMaxWait, allowHttp } = flags;
  const given = {
    store,
    server,
    'token-file': tokenFile,
    org,
    profile,
    as,
    'ca-file': caFile,
    'retry-max-wait': retryMaxWait,
  };
  const words = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
  return allowHttp === true ? [...words, '--allow-http'] : words;
}
