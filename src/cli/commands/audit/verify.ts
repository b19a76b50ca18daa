import { eachItem } from '../../../contract/each-page.ts';
import { defined, isRecord, plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import type { ChainedEvent, Checkpoint } from '../../../resources/audit/chain.ts';
import { listAuditEvents } from '../../../resources/audit/contract.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { readLines } from '../../input/files.ts';
import { resolveOrganization } from '../../names/names.ts';
import type { Session } from '../../session/session.ts';

interface Options {
  readonly checkpoint?: string;
}

export const help: CommandHelp = {
  description: `
Verifies that no audit event of the organization, or of a file from \`docsctl audit export\`, was changed, removed or
inserted. Each event holds two hashes: its own hash, and the hash of the event before it. The command calculates the hashes
again and checks that the numbers of the events have no gap.

The command prints a checkpoint: the number and hash of the newest event that can no longer change. (An event that
counts repeated actions can change while it is the newest one.) Keep the checkpoint outside the store, and pass it with
--checkpoint the next time. The command then detects every change to the events up to the checkpoint, even by a person
who can write to the store and calculate all hashes again. Without a checkpoint, it cannot detect such a change, or the
removal of the newest events.

Exits with 69 if the chain of hashes is broken, and with 5 if the event of the checkpoint was removed because of its age.

Changes nothing. A file can be verified only if \`docsctl audit export\` wrote it without --action, --actor, --target
and --request, because these options leave out events.
`,
  examples: [
    'docsctl audit verify',
    'docsctl audit verify -o json --query checkpoint',
    'docsctl audit export -O audit.ndjson && docsctl audit verify audit.ndjson',
  ],
  exitCodes: { 5: 'The event of the checkpoint was removed because of its age.', 69: 'The chain is broken.' },
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument(
      '[file]',
      'file from `docsctl audit export`, or - for standard input (default: the events of the organization)',
    )
    .option(
      '--checkpoint <checkpoint>',
      'checkpoint that an earlier verification printed, such as 120:9f86…, with the whole hash',
    )
    .action(inSession(verify));
};

async function verify(session: Session, file: string | undefined, options: Options): Promise<void> {
  const expected = options.checkpoint === undefined ? undefined : readCheckpoint(options.checkpoint);
  const { ChainVerifier } = await import('../../../resources/audit/chain.ts');
  const verifier = new ChainVerifier(expected);
  const events = file === undefined ? readStored(session) : readExport(session, file);
  for await (const event of events) verifier.add(event);
  const { checkpoint, ...verified } = verifier.end();
  const printed = checkpoint === undefined ? undefined : `${checkpoint.number}:${checkpoint.hash}`;
  const { first } = verified;
  await session.print({ object: 'audit-verification', ...verified, ...defined({ checkpoint: printed }) });
  if (session.format !== 'table') return;
  if (first !== undefined && first > 1)
    session.note(`Events before number ${first} were removed because of their age, or are not in the file.`);
  session.note(
    `The chain of ${plural(verified.events, 'event')} is intact.${printed === undefined ? '' : ' Keep the checkpoint outside the store.'}`,
  );
}

function readCheckpoint(text: string): Checkpoint {
  const [, number, hash] = /^([1-9]\d{0,14}):([\da-f]{64})$/.exec(text) ?? [];
  if (number === undefined || hash === undefined)
    throw new Problem(
      'invalid-input',
      `--checkpoint is "${text.slice(0, 100)}", which is not a checkpoint.`,
      {
        hint: 'A checkpoint is a number, a colon and 64 hexadecimal digits. To print one, run `docsctl audit verify`.',
      },
    );
  return { number: Number(number), hash };
}

/** Yields all events of the organization, newest first. */
async function* readStored(session: Session): AsyncGenerator<ChainedEvent> {
  const organizationId = await resolveOrganization(session);
  yield* eachItem(session, listAuditEvents, {
    params: { organizationId },
    query: { details: true, limit: 100 },
  }) as AsyncGenerator<ChainedEvent>;
}

/** Yields the events of an export. @throws Problem(invalid-input) for a line that is not an event with its details */
async function* readExport(session: Session, file: string): AsyncGenerator<ChainedEvent> {
  let number = 0;
  for await (const line of readLines(session, file)) {
    number += 1;
    if (line.trim() === '') continue;
    yield readEvent(line, `${file === '-' ? 'Standard input' : file}, line ${number}`);
  }
}

function readEvent(line: string, place: string): ChainedEvent {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch {
    event = undefined;
  }
  const payload = isRecord(event) ? event['payload'] : undefined;
  const isEvent =
    isRecord(event) &&
    [event['actor'], event['target'], event['urls']].every(isRecord) &&
    isRecord(payload) &&
    isRecord(payload['chain']);
  if (!isEvent)
    throw new Problem('invalid-input', `${place}: this is not a complete audit event.`, {
      hint: 'Verify a file that `docsctl audit export` wrote.',
    });
  return event as ChainedEvent;
}
