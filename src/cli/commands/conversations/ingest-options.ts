import type { Command } from 'commander';
import { Problem } from '../../../errors/problem.ts';
import { inputFormats, type InputFormat } from '../../../ingest/source-record.ts';
import { readMapping, type Mapping } from '../../../ingest/mapping.ts';
import { redactKinds, type RedactKind } from '../../../ingest/redact/kinds.ts';
import { withSuggestion } from '../../../ingest/suggestion.ts';
import { duplicatePolicies, type DuplicatePolicy } from '../../../ingest/send.ts';
import type { CommandHelp } from '../../command-help.ts';
import { collect } from '../../fields.ts';

/** What `docsctl conversations ingest` takes. */
export interface IngestOptions {
  readonly file?: readonly string[];
  readonly format?: string;
  readonly map?: readonly string[];
  readonly role?: readonly string[];
  readonly source?: string;
  readonly redact?: string;
  readonly onDuplicate: string;
  readonly idFrom?: string;
  readonly concurrency: string;
  readonly rejects?: string;
  readonly resume?: boolean;
  readonly wait?: boolean;
}

export function addIngestOptions(command: Command): Command {
  return command
    .option('-f, --file <file...>', 'CSV, NDJSON, JSON or YAML: files, patterns, - for standard input')
    .option(
      '--format <format>',
      `how they are written; without it their names say it: ${inputFormats.join(', ')}`,
    )
    .option(
      '--map <target=path>',
      'where a field of the conversation is in the record; may be repeated',
      collect,
    )
    .option(
      '--role <word=role>',
      'what a writer of messages is: user, assistant or team-member; * is all others; may be repeated',
      collect,
    )
    .option('--source <name>', 'what the attribute "source" says')
    .option('--redact <kinds>', `take out before anything is sent: ${redactKinds.join(', ')}`)
    .option(
      '--on-duplicate <way>',
      'what to do with one that is there with another content: replace, skip or fail',
      'replace',
    )
    .option('--id-from <what>', 'content: a record without an id gets one made of its content')
    .option('--concurrency <number>', 'batches under way at once', '2')
    .option('--rejects <file>', 'write what was not taken there, with the reason, one JSON line each')
    .option('--resume', 'go on after what the last run of the same files got done')
    .option('--wait', 'wait until they are analysed; where the store is here, do that too');
}

/** Checks the options. @throws Problem(usage) */
export function readOptions(options: IngestOptions): {
  readonly format: InputFormat | undefined;
  readonly mapping: Mapping | undefined;
  readonly redact: readonly RedactKind[];
  readonly onDuplicate: DuplicatePolicy;
  readonly idFromContent: boolean;
  readonly concurrency: number;
} {
  const concurrency = Number(options.concurrency);
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 64)
    throw new Problem('usage', '--concurrency takes a number from 1 to 64.');
  const { format, map = [], role = [], source, redact, idFrom } = options;
  return {
    format: format === undefined ? undefined : oneOf(format, inputFormats, '--format'),
    mapping: readMapping(map, role, source),
    redact: redact?.split(',').map((kind) => oneOf(kind.trim(), redactKinds, '--redact')) ?? [],
    onDuplicate: oneOf(options.onDuplicate, duplicatePolicies, '--on-duplicate'),
    idFromContent: idFrom !== undefined && oneOf(idFrom, ['content'], '--id-from') === 'content',
    concurrency,
  };
}

function oneOf<T extends string>(given: string, words: readonly T[], flag: string): T {
  const found = words.find((word) => word === given);
  if (found !== undefined) return found;
  throw new Problem('usage', withSuggestion(`${flag} does not take "${given.slice(0, 60)}"`, given, words), {
    hint: `It takes ${words.join(', ')}.`,
  });
}

/** The text below the options in --help. */
export const help: CommandHelp = {
  description: `
Ingesting a conversation again changes nothing: its id tells. Without --map a record is a conversation as the API has it:
{ "id", "subject", "metadata": { "url", "attributes", "createdAt" }, "parts": [{ "type": "message", "role", "body" }] }.
JSON is an array of records, or an object with such an array as "conversations" or "items"; YAML the same, or documents
between lines of "---". The first line of CSV (RFC 4180, UTF-8; comma, semicolon or tab) names its columns; those that are
called as a target below are taken without --map.

Targets of --map:
  id, subject, url      texts, or numbers
  createdAt             RFC 3339, "2026-02-24 15:02:39" (UTC), a date, or seconds or milliseconds since 1970
  body                  the text of the one message of the conversation, which its user wrote
  parts                 the list of its messages; then body and role are paths inside each of them (a text is its own body)
  role                  who wrote a message: words such as customer, agent and bot are known, --role adds others
  source                kept as the attribute "source", as --source is
  attributes.NAME       any other text; a list becomes "a, b"
What is not mapped is taken from the field of the same name. A path is .field, .outer.inner, .list[0], ."odd name", or the
name of a column. A path that leads nowhere in the first records stops it, before anything is sent.

--dry-run reads and checks everything and prints the conversations as they would be sent; nothing is.

--redact replaces what it finds in subjects, messages, attributes and links by [email], [phone]… before it is sent, and in
what --rejects writes; ids and times stay. Cards and IBANs are known by their check digits; telephone numbers are guessed,
rather too many than too few.
`,
  examples: [
    'docsctl conversations ingest -f support.ndjson',
    'zcat support.ndjson.gz | docsctl conversations ingest -f -',
    "docsctl conversations ingest 'export/*.csv' --map 'id=Ticket ID' --map body=Description --map attributes.plan=Plan",
    'docsctl conversations ingest tickets.json --map id=.ticket --map subject=.title --map parts=.comments --map body=.text --map role=.author.kind --role agent_bot=assistant --source zendesk --redact email,phone,card',
    'docsctl conversations ingest tickets.csv --map id=Number --redact email --dry-run -o ndjson > to-be-sent.ndjson',
    'docsctl conversations ingest support.ndjson --wait --timeout 600',
  ],
};
