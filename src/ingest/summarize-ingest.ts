import { plural } from '../contract/values.ts';
import type { Mapping } from './mapping.ts';
import type { IngestResult } from './run-ingest.ts';

/** Summarizes the result of an ingest in one line, including what was redacted. */
export function summarizeIngest({ counts, redacted }: Pick<IngestResult, 'counts' | 'redacted'>): string {
  const { created, updated, unchanged, kept, failed } = counts;
  return `${summarizeRedaction(redacted)}${created} new, ${updated} changed, ${unchanged} unchanged, ${kept === 0 ? '' : `${kept} kept, `}${failed} failed.`;
}

/**
 * Notes if records replaced each other because they have the same ID, as in a file with one message per record. `groupBy` is the
 * name of the option or field that joins such records.
 */
export function noteRepeated(
  { repeated, checked, counts }: IngestResult,
  { mapping, groupBy }: { mapping: Mapping | undefined; groupBy: string },
  note: (line: string) => void,
): void {
  // Records that are the same change nothing. A dry run does not know.
  if (repeated === 0 || counts.updated + counts.kept + checked === 0) return;
  const [is, has] = repeated === 1 ? ['is', 'has'] : ['are', 'have'];
  note(
    mapping?.isGrouped === true
      ? `warning: ${plural(repeated, 'conversation')} ${is} in several files, and docsctl stores the messages of only one file. Put all messages of a conversation in one file.`
      : `warning: ${plural(repeated, 'record')} ${has} the ID of an earlier record, and docsctl stores only one record of each ID. If each record is one message, use ${groupBy} ${mapping?.paths.get('id')?.text ?? 'id'}.`,
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
  include: { kept: boolean; redacted: boolean },
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
