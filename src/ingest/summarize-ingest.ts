import type { IngestResult } from './run-ingest.ts';

/** What an ingest came to, in one line; what was redacted is said where something was. */
export function summarizeIngest({ counts, redacted }: Pick<IngestResult, 'counts' | 'redacted'>): string {
  const { created, updated, unchanged, kept, failed } = counts;
  return `${summarizeRedaction(redacted)}${created} new, ${updated} changed, ${unchanged} unchanged, ${kept === 0 ? '' : `${kept} kept as they were, `}${failed} failed.`;
}

/** What was redacted, as a sentence before another. */
export function summarizeRedaction(redacted: IngestResult['redacted']): string {
  const taken = Object.entries(redacted).map(([kind, count]) => `${count} ${kind}`);
  return taken.length === 0 ? '' : `Redacted ${taken.join(', ')}. `;
}

/** The same as data. */
export function reportCounts(
  { counts, redacted }: Pick<IngestResult, 'counts' | 'redacted'>,
  also: { readonly kept: boolean; readonly redacted: boolean },
): Record<string, unknown> {
  const { created, updated, unchanged, kept, failed } = counts;
  return {
    created,
    updated,
    unchanged,
    ...(also.kept ? { kept } : {}),
    failed,
    ...(also.redacted ? { redacted } : {}),
  };
}
