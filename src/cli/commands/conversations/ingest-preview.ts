import { Problem } from '../../../errors/problem.ts';
import type { Session } from '../../session.ts';
import { redactedOf } from '../../../ingest/counts.ts';
import type { Ingested } from '../../../ingest/run-ingest.ts';

/** Conversations that a drawn table shows: what was not taken shall stay on the screen. */
const most = 20;

interface Preview {
  /** Prints the next conversations as they would be sent. False: nobody reads any more. */
  readonly show: (conversations: readonly unknown[]) => Promise<boolean>;
  /** Says what all came to. */
  readonly end: (done: Ingested) => Promise<void>;
}

/** What a dry run prints: the conversations themselves, streamed; in a table the first of them with their first words. */
export async function openPreview(session: Session): Promise<Preview> {
  const { format, isInteractive, flags, note } = session;
  const inRows = ['table', 'csv', 'tsv'].includes(format) && flags.query === undefined;
  const isCut =
    format === 'table' && isInteractive && flags.query === undefined && flags.sortBy === undefined;
  const printer = await session.printer({
    columns: ['id', 'subject', 'metadata.createdAt=createdAt', 'messages', 'text'],
    noun: 'conversations',
    all: true,
  });
  let shown = 0;
  return {
    show: async (conversations) => {
      const some = isCut ? conversations.slice(0, most - shown) : conversations;
      shown += some.length;
      return some.length === 0 || printer.page({ items: inRows ? some.map(rowOf) : some });
    },
    end: async ({ checked, counts, redacted, failure, interrupted }) => {
      if (failure === undefined && shown === 0) await printer.page({ items: [] });
      await printer.end();
      if (session.terminal.stdout.closed) return;
      if (shown < checked)
        note(`… and ${checked - shown} more; -o ndjson prints them all, as they would be sent.`);
      note(
        `Dry run: nothing was sent. ${redactedOf(redacted)}${checked} can be taken, ${counts.failed} cannot.`,
      );
      if (failure !== undefined) throw failure as Error;
      if (interrupted) throw new Problem('interrupted', 'Stopped by a signal; nothing was sent.');
      if (counts.failed > 0)
        throw new Problem(
          'partly-failed',
          `${counts.failed} of ${checked + counts.failed} conversations would not be taken.`,
          {
            hint: 'The lines above say why; --rejects FILE collects them all.',
          },
        );
    },
  };
}

function rowOf(conversation: unknown): object {
  const { parts, ...rest } = conversation as { readonly parts: readonly { readonly body: string }[] };
  return { ...rest, messages: parts.length, text: parts[0]?.body };
}
