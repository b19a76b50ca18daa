import { plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { noteRepeated, summarizeRedaction } from '../../../ingest/summarize-ingest.ts';
import type { IngestResult } from '../../../ingest/run-ingest.ts';
import { adviseRejected, type MappedOptions } from './ingest-options.ts';
import { wantsTable, type Session } from '../../session/session.ts';

/** Maximum number of conversations in a table on a terminal, so that rejected ones stay on the screen. */
const maxShown = 20;

interface Preview {
  /** Prints the next conversations. Returns false if the reader has closed the output. */
  readonly show: (conversations: readonly unknown[]) => Promise<boolean>;
  readonly end: (done: IngestResult) => Promise<void>;
}

/** Opens the output of a dry run: streamed conversations, or a table of the first ones with their first words. */
export async function openPreview(session: Session, options: MappedOptions): Promise<Preview> {
  const { format, isInteractive, flags, note } = session;
  const inRows = ['table', 'csv', 'tsv'].includes(format) && flags.query === undefined;
  const isCut = wantsTable(session) && isInteractive && flags.sortBy === undefined;
  const printer = await session.printer({
    columns: ['id', 'subject', 'metadata.createdAt=createdAt', 'messages', 'text'],
    noun: 'conversations',
    all: true,
  });
  let shown = 0;
  return {
    show: async (conversations) => {
      const some = isCut ? conversations.slice(0, maxShown - shown) : conversations;
      shown += some.length;
      return some.length === 0 || printer.page({ items: inRows ? some.map(rowOf) : some });
    },
    end: async (done) => {
      const { checked, counts, redacted, failure, interrupted } = done;
      if (failure === undefined && shown === 0) await printer.page({ items: [] });
      await printer.end();
      if (session.terminal.stdout.closed) return;
      if (shown < checked) note(`… and ${checked - shown} more. To print all of them, add -o ndjson.`);
      noteRepeated(done, { mapping: options.mapping, groupBy: '--group-by' }, note);
      note(
        `Dry run: nothing was sent. ${summarizeRedaction(redacted)}${plural(checked, 'conversation')} would be sent, ${counts.failed} rejected.`,
      );
      if (failure !== undefined) throw failure as Error;
      if (interrupted) throw new Problem('interrupted', 'Interrupted. Nothing was sent.');
      if (counts.failed > 0)
        throw new Problem(
          'partly-failed',
          `${counts.failed} of ${plural(checked + counts.failed, 'conversation')} would be rejected.`,
          { hint: adviseRejected(done, checked + counts.failed, options) },
        );
    },
  };
}

function rowOf(conversation: unknown): object {
  const { parts, ...rest } = conversation as { parts: readonly { body: string }[] };
  return { ...rest, messages: parts.length, text: parts[0]?.body };
}
