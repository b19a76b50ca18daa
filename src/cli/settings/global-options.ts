import { Option, type Command } from 'commander';
import { formats } from '../output/format.ts';

/**
 * Adds the global options. Help shows them only in `docsctl help options`. `format` is an output format that only this command
 * has; its help then shows --output too.
 */
export function addGlobalOptions(command: Command, format?: string): void {
  const offered = [...formats, ...(format === undefined ? [] : [format])];
  // Only for help and completion. The session checks the format, which may also come from the settings.
  const isWholeList = command.name() === 'list' && !command.options.some(({ long }) => long === '--all');
  // Accepted so that scripts can use --all with every list. The answers of these commands have no further pages.
  if (isWholeList) command.addOption(new Option('--all', 'list everything, as without it').hideHelp());
  const output = Object.assign(new Option('-o, --output <format>', 'output format'), { argChoices: offered });
  if (format !== undefined) output.helpGroup('Options:');
  const add = (group: number, options: readonly Option[]): void => {
    command.optionsGroup(globalGroups[group] ?? '');
    for (const option of options) command.addOption(option);
  };
  add(0, [
    new Option(
      '--store <url>',
      'embedded store: sqlite:PATH, json:PATH, postgres://USER@HOST/DATABASE or memory:',
    ),
    new Option('--server <url>', 'server to run against, such as https://docs.example.com'),
    new Option('--token-file <file>', 'file that holds the API token; - reads it from standard input'),
    new Option('--org <organization>', 'organization, by title, hostname or ID'),
    new Option('--profile <name>', 'profile to use (see `docsctl profiles --help`)'),
    new Option('--as <email>', 'act as this member; embedded stores only'),
    new Option('--ca-file <file>', 'file with the certificates of authorities to trust, in PEM form'),
    new Option('--allow-http', 'send the token without encryption to a server in a private network'),
  ]);
  add(1, [
    output,
    new Option('--columns <list>', 'columns to print, separated by commas, such as id,title,urls.app'),
    new Option('--sort-by <column>', 'sort the whole list by a column; -column sorts in descending order'),
    new Option('--query <jmespath>', 'print the part of the result that a JMESPath expression selects'),
    new Option('--no-headers', 'leave out the header line of tables'),
    new Option('--wide', 'show every column of a table, with whole IDs and times, on a terminal'),
    new Option('--no-pager', 'print long output without a pager (see DOCSCTL_PAGER)'),
    new Option(
      '--color <when>',
      'when to use color: auto, always or never (default: auto); with always, pipes get tables too',
    ),
    new Option('--quiet', 'print no notes, warnings or progress; errors are still printed'),
  ]);
  add(2, [
    new Option('-y, --yes', 'do not ask for confirmation'),
    new Option('--no-input', 'never ask; fail when something is missing'),
    new Option('--watch', 'repeat a read-only command until Ctrl-C, and print what changes'),
    new Option('--interval <seconds>', 'seconds between the repetitions of --watch (default: 2)'),
    new Option('--dry-run', 'print the requests of a changing command instead of sending them'),
    new Option(
      '--timeout <seconds>',
      'stop the command after this time with exit code 69 (default: no limit)',
    ),
    new Option(
      '--retry-max-wait <seconds>',
      'wait no longer than this before repeating a request (default: 20)',
    ),
    new Option('--trace', 'print each request with its status, time and request ID on standard error'),
    new Option('--record <file.har>', 'write all requests and responses to a HAR file, without secrets'),
    new Option('--debug', 'print the details of an error'),
  ]);
}

const globalGroups = ['Where:', 'Output:', 'Running:'] as const;

/** Whether an option is global. */
export function isGlobal({ helpGroupHeading }: Option): boolean {
  return globalGroups.some((group) => group === helpGroupHeading);
}

/** The long names of the global options, without dashes. Fields cannot have these names. */
export const globalNames: ReadonlySet<string> = new Set([
  'store',
  'server',
  'token-file',
  'org',
  'profile',
  'ca-file',
  'allow-http',
  'output',
  'columns',
  'sort-by',
  'query',
  'wide',
  'quiet',
  'watch',
  'interval',
  'timeout',
  'retry-max-wait',
  'trace',
  'record',
]);
