import type { Reason } from '../../errors/catalog.ts';
import type { RichDocumentValue } from '../../contract/shapes.ts';
import { table } from '../../core/store.ts';

/** What the last run that came to its end was made of. */
export interface TranslationState {
  /** Revision of the source that was translated. */
  readonly source: string;
  /** Revision that holds the translation alone, without what people edited in the target; edits are merged on top of it. */
  readonly written: string;
  /** Revision of the target that came of it. */
  readonly published: string;
  /** What the translations depend on: service, languages, instructions. */
  readonly fingerprint: string;
}

export interface TranslationStats {
  readonly runs: number;
  readonly totalWords: number;
  readonly totalPages: number;
  /** Milliseconds, as is the next. */
  readonly totalDuration: number;
  readonly latestRunDuration: number;
  readonly latestPages: number;
  readonly latestWords: number;
  /** Segments that keep their words, because no answer fitted them. */
  readonly latestKept?: number;
  /** Edits by hand that stayed where the translation changed, and those that it replaced because the source had changed. */
  readonly latestEditsKept?: number;
  readonly latestEditsReplaced?: number;
}

/** A space that is kept in another language. */
export interface TranslationRow {
  readonly id: string;
  readonly organization: string;
  /** Id of the space. */
  readonly source: string;
  readonly from: string;
  readonly language: string;
  readonly instructions: RichDocumentValue;
  readonly status: 'pending' | 'running' | 'completed';
  /** Who asked for it, and so whose edits those of the target are. */
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The space that it is written to. */
  readonly target?: string | undefined;
  readonly state?: TranslationState | undefined;
  /** Somebody asked for a run: the next one looks at every page. */
  readonly whole?: boolean | undefined;
  /** The run that is under way, which a kill does not end. */
  readonly run?: { readonly startedAt: string; readonly words: number } | undefined;
  readonly problem?:
    | { readonly reason: Reason; readonly message: string; readonly hint?: string; readonly at: string }
    | undefined;
  readonly stats: TranslationStats;
}
export const translations = table<TranslationRow>()('translations', {
  byOrganization: { on: ['organization'], by: ['createdAt'] },
  byPair: { on: ['source', 'language'], unique: true },
  bySource: { on: ['source'] },
});

/** What a service made of a segment, or the words of a whole page, so that neither is done again. The id is a hash of all that it depends on. */
export interface TranslationMemoryRow {
  readonly id: string;
  readonly translation: string;
  readonly fingerprint: string;
  /** Null: no answer fitted, and the segment keeps its words. */
  readonly text: string | null;
  readonly isKept: 0 | 1;
}
export const translationMemory = table<TranslationMemoryRow>()('translation_memory', {
  byTranslation: { on: ['translation'] },
  byFingerprint: { on: ['translation', 'fingerprint'] },
  byKept: { on: ['translation', 'isKept'] },
});
