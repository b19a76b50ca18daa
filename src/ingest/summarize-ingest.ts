import { plural } from '../contract/values.ts';
import type { IngestResult } from './run-ingest.ts';

/** Summarizes the result of an ingest in one line, including what was redacted. */
export function summarizeIngest({ counts, redacted }: Pick<IngestResult, 'counts' | 'redacted'>): string {
  const { created, updated, unchanged, kept, failed } = counts;
  return `${summarizeRedaction(redacted)}${created} new, ${updated} changed, ${unchanged} unchanged, ${kept === 0 ? '' : `${kept} kept, `}${failed} failed.`;
}

/** Notes if records replaced each other because they have the same ID, as in a file with one message per record. */
export function noteRepeated(
  { repeated, checked, counts }: IngestResult,
  note: (line: string) => void,
): void {
  // Records that are the same change nothing. A dry run does not know.
  if (repeated > 0 && (counts.updated + counts.kept > 0 || checked > 0))
    note(
      `warning: ${plural(repeated, 'record')} ${repeated === 1 ? 'has' : 'have'} the ID of an earlier record, and docsctl stores only one record of each ID. If each record is a single message, put all messages of a conversation in one record.`,
    );
}

/** Returns a sentence about redacted data, with a trailing space, or an empty text. */
export function summarizeRedaction(redacted: IngestResult['redacted']): string {
  const kinds = Object.entries(redacted).map(([kind, count]) => `${count} ${kind}`);
  return kinds.length === 0 ? '' : `Redacted ${kinds.join(', ')}. `;
}

/** Returns the counts of an ingest as JSON output; `kept` and `redacted` only if requested. */
export function reportCounts(
  { counts, redacted }: Pick<IngestResult, 'counts' | 'redacted'>,
  include: { readonly kept: boolean; readonly redacted: boolean },
): Record<string, unknown> {
  const { created, updated, unchanged, kept, failed } = counts;
  return {
    created,
    updated,
    unchanged,
    ...(include.kept && { kept }),
    failed,
    ...(include.redacted && { redacted }),
  };
}
