import { Option, type Command } from 'commander';
import { formats } from './output/format.ts';

/**
 * Adds the options of every command. Help shows them only in `docsctl help options`. `format` is an output format that
 * only this command has, so its help shows --output too.
 */
export function addGlobalOptions(command: Command, format?: string): void {
  const offered = [...formats, ...(format === undefined ? [] : [format])];
  // For help and completion only: the session checks the format, which may also come from the settings.
  const output = Object.assign(new Option('-o, --output <format>', 'output format'), { argChoices: offered });
  if (format !== undefined) output.helpGroup('Options:');
  command
    .optionsGroup(globalGroups[0])
    .option('--store <url>', 'embedded store: sqlite:PATH, json:PATH or memory:')
    .option('--server <url>', 'server to run against, such as https://docs.example.com')
    .option('--token-file <file>', 'file that holds the API token; - reads it from standard input')
    .option('--org <organization>', 'organization, by title, hostname or ID')
    .option('--profile <name>', 'saved settings to use (see docsctl profiles --help)')
    .option('--as <email>', 'act as this member; embedded stores only')
    .optionsGroup(globalGroups[1])
    .addOption(output)
    .option('--columns <list>', 'columns to print, separated by commas: id,title,urls.app')
    .option('--sort-by <column>', 'sort the whole list by a column; -column sorts in descending order')
    .option('--query <jmespath>', 'print the part of the result that a JMESPath expression selects')
    .option('--no-headers', 'leave out the header line of tables')
    .option('--wide', 'show every column of a table, with whole IDs and times, on a terminal')
    .option('--no-pager', 'print long output without a pager (see DOCSCTL_PAGER)')
    .option('--color <when>', 'use color: auto, always or never (default: auto)')
    .optionsGroup(globalGroups[2])
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--dry-run', 'print the requests of a changing command instead of sending them')
    .option('--debug', 'print the details of an error');
}

/** The headings of the global options. */
export const globalGroups = ['Where:', 'Output:', 'Running:'] as const;

/** Whether an option is one of every command. */
export function isGlobal({ helpGroupHeading }: Option): boolean {
  return globalGroups.some((group) => group === helpGroupHeading);
}
