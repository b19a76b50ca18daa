import { requestCollection } from '../../content/collection/record-references.ts';
import type { JobContext } from '../../core/jobs.ts';
import { translationMemory, translations } from './rows.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import type { Provider, TranslationRequest } from '../../translation/provider.ts';
import { translateSegments, type TranslatedSegment } from '../../translation/translate-segments.ts';
import { countWords } from '../../translation/wire.ts';
import { sha256 } from '../../content/hashing.ts';

/** The inputs on which the answers of a run depend. */
export interface TranslationQuery {
  readonly translation: string;
  readonly fingerprint: string;
  readonly provider: Provider;
  readonly request: TranslationRequest;
}

/** The answers by segment; null if no answer was valid. */
type KnownAnswers = Map<string, string | null>;

/** Looks up the stored answers. */
export async function recallSegments(
  view: ReadTransaction,
  query: TranslationQuery,
  wires: Iterable<string>,
): Promise<KnownAnswers> {
  const known: KnownAnswers = new Map();
  for (const wire of new Set(wires)) {
    const row = await view.get(translationMemory, idOf(query, wire));
    if (row !== undefined) known.set(wire, row.text);
  }
  return known;
}

/**
 * Translates the segments without a stored answer. Stores each round of answers before the next, so that a kill loses only one
 * round.
 */
export async function learnSegments(
  context: JobContext,
  query: TranslationQuery,
  wires: readonly string[],
  known: KnownAnswers,
): Promise<void> {
  const missing = wires.filter((wire) => !known.has(wire));
  if (missing.length === 0) return;
  for await (const round of translateSegments(query.provider, missing, query.request)) {
    if (round.length > 0) await remember(context, query, round);
    for (const [wire, answer] of round) known.set(wire, answer ?? null);
    if (context.signal.aborted)
      throw new Problem('interrupted', 'Interrupted. Text that is already translated is kept.');
  }
}

function remember(
  { write }: JobContext,
  query: TranslationQuery,
  round: readonly TranslatedSegment[],
): Promise<void> {
  const { translation, fingerprint } = query;
  return write(async (tx) => {
    let words = 0;
    for (const [wire, answer] of round) {
      const id = idOf(query, wire);
      if ((await tx.get(translationMemory, id)) !== undefined) continue;
      await tx.insert(translationMemory, {
        id,
        translation,
        fingerprint,
        text: answer ?? null,
        isKept: answer === undefined ? 1 : 0,
      });
      if (answer !== undefined) words += countWords(wire);
    }
    const row = await tx.get(translations, translation);
    if (row?.run !== undefined)
      await tx.update(translations, translation, { run: { ...row.run, words: row.run.words + words } });
  });
}

const rowsPerTransaction = 500;

/** Removes the stored answers of a translation, or only those with one fingerprint. */
export async function forgetMemory(
  { read, write, signal, now }: Pick<JobContext, 'read' | 'write' | 'signal' | 'now'>,
  translation: string,
  fingerprint?: string,
): Promise<void> {
  while (!signal.aborted) {
    const selection =
      fingerprint === undefined
        ? ({ index: 'byTranslation', equals: [translation] } as const)
        : ({ index: 'byFingerprint', equals: [translation, fingerprint] } as const);
    const rows = await read((view) =>
      view.find(translationMemory, { ...selection, limit: rowsPerTransaction }),
    );
    if (rows.length === 0) return;
    await write(async (tx) => {
      for (const { id } of rows) await tx.remove(translationMemory, id);
      await requestCollection(tx, now());
    });
  }
  throw new Problem('interrupted', 'Interrupted. The remaining entries are removed later.');
}

function idOf({ translation, fingerprint }: TranslationQuery, wire: string): string {
  return sha256(JSON.stringify([translation, fingerprint, wire]));
}
