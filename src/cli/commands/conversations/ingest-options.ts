import type { Command } from 'commander';
import { Problem } from '../../../errors/problem.ts';
import { inputFormats, type InputFormat } from '../../../ingest/source-record.ts';
import { readMapping, type Mapping } from '../../../ingest/mapping.ts';
import { redactKinds, type RedactKind } from '../../../redaction/kinds.ts';
import type { IngestResult } from '../../../ingest/run-ingest.ts';
import { hintAtList, withSuggestion } from '../../../ingest/suggestion.ts';
import { duplicatePolicies, type DuplicatePolicy } from '../../../ingest/send.ts';
import type { CommandHelp } from '../../composite-command.ts';
import { collect } from '../../input/collect.ts';
import { refuseTogether } from '../../input/given-twice.ts';
import { readWholeNumber } from '../../input/whole-number.ts';

/** The options of `docsctl conversations ingest`. */
export interface IngestOptions {
  readonly file?: readonly string[];
  readonly format?: string;
  readonly map?: readonly string[];
  readonly groupBy?: string;
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

/** The options with the mapping that they state. */
export type MappedOptions = IngestOptions & { readonly mapping: Mapping | undefined };

/** Adds the options of an ingest. */
export function addIngestOptions(command: Command): Command {
  return command
    .option(
      '-f, --file <file...>',
      'file of conversations as CSV, NDJSON, JSON or YAML, a pattern, or - for standard input',
    )
    .option(
      '--format <format>',
      `format of the files: ${inputFormats.join(', ')} (default: by the name of the file, or else by its content, except csv and tsv)`,
    )
    .option('--map <target=path>', 'field of the record to read a target from, such as id=.ticket', collect)
    .option(
      '--group-by <field>',
      'field with the ID of the conversation, if each record is one message, such as ticket_id (default: each record is a conversation)',
    )
    .option(
      '--role <word=role>',
      'role that a word in the files means: user, assistant or team-member, such as agent=team-member; * means all other words',
      collect,
    )
    .option(
      '--source <name>',
      'value of the attribute "source" of conversations whose record has none (default: none)',
    )
    .option(
      '--redact <kinds>',
      `private data to replace before anything is sent, separated by commas: ${redactKinds.join(', ')} (default: none)`,
    )
    .option(
      '--on-duplicate <way>',
      'what to do if a conversation already exists with different content: replace it, skip the record, or fail, which rejects the record',
      'replace',
    )
    .option(
      '--id-from <what>',
      'how to make an ID for a record without one; content: from the content of the record (default: such records are rejected)',
    )
    .option('--concurrency <number>', 'number of batches to send at the same time, from 1 to 64', '2')
    .option('--rejects <file>', 'file to write rejected records to, one JSON object per line with the reason')
    .option('--resume', 'continue where the last run of the same command stopped')
    .option('--wait', 'wait until the conversations are analyzed; with an embedded store, analyze them');
}

/** Returns where all rejected records are, or how to get them. */
export function whereRejects({ rejects }: Pick<IngestOptions, 'rejects'>): string {
  return rejects === undefined
    ? '--rejects FILE writes the rejected records to a file.'
    : `All rejected records are in ${rejects}.`;
}

/** Checks the options. @throws Problem(invalid-input) */
export function readOptions(options: IngestOptions): {
  format: InputFormat | undefined;
  mapping: Mapping | undefined;
  redact: readonly RedactKind[];
  onDuplicate: DuplicatePolicy;
  idFromContent: boolean;
  concurrency: number;
} {
  const concurrency = readWholeNumber('--concurrency', options.concurrency, { min: 1, max: 64 });
  const { format, map = [], role = [], source, groupBy, redact, idFrom } = options;
  refuseTogether({ groupBy, idFrom });
  return {
    format: format === undefined ? undefined : oneOf(format, inputFormats, '--format'),
    mapping: readMapping(map, role, source, groupBy),
    redact: redact?.split(',').map((kind) => oneOf(kind.trim(), redactKinds, '--redact')) ?? [],
    onDuplicate: oneOf(options.onDuplicate, duplicatePolicies, '--on-duplicate'),
    idFromContent: idFrom !== undefined && oneOf(idFrom, ['content'], '--id-from') === 'content',
    concurrency,
  };
}

/** Returns what to do about rejected records. If all were rejected, they probably have another form. */
export function adviseRejected(done: IngestResult, total: number, options: IngestOptions): string {
  const { counts, listField, hasOtherFields } = done;
  const list = total === 1 && listField !== undefined ? `${hintAtList(listField)} ` : '';
  const advice =
    counts.failed === total && options.map === undefined && hasOtherFields
      ? `${list}If your records have other fields, map them: \`--map id=FIELD\` (or \`--id-from content\`) for the ID, and \`--map body=FIELD\` for the only message or \`--map parts=FIELD\` for a list of messages. `
      : '';
  return `The lines above say why. ${advice}${whereRejects(options)}`;
}

function oneOf<T extends string>(given: string, words: readonly T[], flag: string): T {
  const found = words.find((word) => word === given);
  if (found !== undefined) return found;
  throw new Problem(
    'invalid-input',
    withSuggestion(`${flag} does not take "${given.slice(0, 60)}"`, given, words),
    {
      hint: `Allowed: ${words.join(', ')}.`,
    },
  );
}

export const help: CommandHelp = {
  description: `
Reads conversations from files and sends them in batches. Sending the same conversation again
changes nothing, because docsctl already knows its ID. Conversations are analyzed in the background; --wait waits for that.

Without --map, each record must be a conversation in the form of the API:
  { "id", "subject", "metadata": { "url", "attributes", "createdAt" }, "parts": [{ "type": "message", "role", "body" }] }
In JSON, NDJSON and YAML, any other field is an error. With --map, docsctl ignores all fields that are neither mapped nor
named like a target (see below). In CSV, docsctl always ignores such columns.

A JSON file is an array of records, or an object with an array in the field "conversations", "items", "tickets" or
"results". A YAML file has the same form, or one document per record. The first line of a CSV file (UTF-8; comma, semicolon or tab) names its columns. A
column that has the name of a target below needs no --map.

Targets of --map:
  id, subject, url      a text or a number
  createdAt             RFC 3339, "2026-02-24 15:02", "24.02.2026 15:02", "Feb 24, 2026" (UTC without a time zone), or
                        seconds or milliseconds since 1970
  body                  the text, if a conversation has a single message, which the user wrote
  parts                 the list of messages; body and role are then paths inside each message
  role                  who wrote a message: customer, agent, bot and similar words are known; --role adds others
  source                stored as the attribute "source", like --source
  attributes.NAME       any other value, as text; a list becomes "a, b"

With --group-by, each record is one message, and the records with the same ID become one conversation, in the order of
their times. body, role and createdAt are then those of the message. The records can be in any order, but all records
of a conversation must be in one file. Records of the APIs of Intercom and Freshdesk need no --map.

A path is .field, .outer.inner, .list[0], ."odd name" or the name of a column. A target without --map is read from the
field of the same name. If a path is not a column of a CSV file, the command stops before it sends a record of this
file. In other formats, a field can be missing in some records. If none of the first records has the field, docsctl
prints a warning. It stops instead if the target is id, body or parts, or if another field has a similar name.

With --map and in CSV, a record with a subject and no message becomes a conversation without messages. If the
conversation already has messages, such a record is rejected, and the messages are kept. To delete the messages of a
conversation, ingest its ID with "parts": [].

--dry-run reads and checks everything and prints the conversations that would be sent.

--redact replaces private data in subjects, messages, attributes and links with [email], [phone] and so on before it
is sent, and in the file of --rejects. IDs and times are kept. docsctl recognizes cards and IBANs by their check
digits, and cards also by words such as "card number" before them. It guesses phone numbers, so it can also replace
other numbers. Rules for several languages find names, addresses and passwords, and replace each of them
everywhere in the conversation. The rules can miss a name that no phrase in the conversation introduces.
`,
  examples: [
    'docsctl conversations ingest support.ndjson --wait',
    'cat support.ndjson | docsctl conversations ingest -f -',
    "docsctl conversations ingest tickets.csv --map 'id=Ticket ID' --map body=Description --map attributes.plan=Plan --redact name,address,password,email,phone,card",
    "docsctl conversations ingest tickets.csv --map 'id=Ticket ID' --map body=Description --dry-run -o ndjson",
    'docsctl conversations ingest comments.csv --group-by ticket_id --map body=text --map role=author',
  ],
};
