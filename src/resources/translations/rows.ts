import type { Reason } from '../../errors/catalog.ts';
import type { RichDocumentValue } from '../../contract/shapes.ts';
import { audited } from '../../core/audit/audited.ts';
import { table } from '../../core/store.ts';

/** The result of the last finished run. */
export interface TranslationState {
  readonly source: string;
  /** The revision of the translation without edits of people. Edits are merged on top of it. */
  readonly written: string;
  readonly published: string;
  /** A hash of everything that the answers depend on: service, languages, instructions. */
  readonly fingerprint: string;
}

interface TranslationStats {
  readonly runs: number;
  readonly totalWords: number;
  readonly totalPages: number;
  /** In milliseconds, like the next field. */
  readonly totalDuration: number;
  readonly latestRunDuration: number;
  readonly latestPages: number;
  readonly latestWords: number;
  /** Number of segments that remain untranslated, because no answer was valid. */
  readonly latestKept?: number;
  /**
   * Number of edits of people that were kept where the translation changed, and number of edits that it replaced because the
   * source changed.
   */
  readonly latestEditsKept?: number;
  readonly latestEditsReplaced?: number;
}

/** A translation: a source space, a target space and a language. */
export interface TranslationRow {
  readonly id: string;
  readonly organization: string;
  /** The id of the source space. */
  readonly source: string;
  readonly from: string;
  readonly language: string;
  readonly instructions: RichDocumentValue;
  readonly status: 'pending' | 'running' | 'completed';
  /** The user who created the translation. This user is the author of the revisions of the target. */
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The id of the target space. */
  readonly target?: string | undefined;
  readonly state?: TranslationState | undefined;
  /** Whether the next run translates every page, because a user requested it. */
  readonly whole?: boolean | undefined;
  /** The current run. After a kill it continues. */
  readonly run?: { readonly startedAt: string; readonly words: number } | undefined;
  readonly problem?:
    | { readonly reason: Reason; readonly message: string; readonly hint?: string; readonly at: string }
    | undefined;
  readonly stats: TranslationStats;
}
export const translations = audited(
  table<TranslationRow>()('translations', {
    byOrganization: { on: ['organization'], by: ['createdAt'] },
    byPair: { on: ['source', 'language'], unique: true },
    bySource: { on: ['source'] },
  }),
  {
    type: 'translation',
    label: 'language',
    fields: ['source', 'from', 'language', 'target', 'status'],
    sizes: ['instructions'],
    progress: ['status'],
  },
);

/** A translated segment or page, stored so that it is not translated again. The id is a hash of everything that it depends on. */
export interface TranslationMemoryRow {
  readonly id: string;
  readonly translation: string;
  readonly fingerprint: string;
  /** Null if no answer was valid, so that the segment remains untranslated. */
  readonly text: string | null;
  readonly isKept: 0 | 1;
}
export const translationMemory = table<TranslationMemoryRow>()('translation_memory', {
  byTranslation: { on: ['translation'] },
  byFingerprint: { on: ['translation', 'fingerprint'] },
  byKept: { on: ['translation', 'isKept'] },
});
