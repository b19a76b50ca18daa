import type { JobContext } from '../../core/jobs.ts';
import { translationMemory, translations } from './rows.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import type { Provider, TranslationRequest } from '../../translation/provider.ts';
import { translateSegments, type TranslatedSegment } from '../../translation/translate-segments.ts';
import { countWords } from '../../translation/wire.ts';
import { sha256 } from '../../content/hashing.ts';

/** What a run asks with. */
export interface MemoryQuery {
  readonly translation: string;
  readonly fingerprint: string;
  readonly provider: Provider;
  readonly request: TranslationRequest;
}

/** Answers by segment; null where none fitted. */
export type Known = Map<string, string | null>;

/** What is known of segments without asking. */
export async function recall(
  view: ReadTransaction,
  asking: MemoryQuery,
  wires: Iterable<string>,
): Promise<Known> {
  const known: Known = new Map();
  for (const wire of new Set(wires)) {
    const row = await view.get(translationMemory, idOf(asking, wire));
    if (row !== undefined) known.set(wire, row.text);
  }
  return known;
}

/** Asks for segments that are not known, and remembers every answer before the next is asked for: a kill costs no more than the round that was under way. */
export async function learn(
  context: JobContext,
  asking: MemoryQuery,
  wires: readonly string[],
  known: Known,
): Promise<void> {
  const missing = wires.filter((wire) => !known.has(wire));
  if (missing.length === 0) return;
  for await (const round of translateSegments(asking.provider, missing, asking.request)) {
    if (round.length > 0) await remember(context, asking, round);
    for (const [wire, answer] of round) known.set(wire, answer ?? null);
    if (context.signal.aborted) throw new Problem('interrupted', 'Stopped; what is translated is kept.');
  }
}

function remember(
  { write }: JobContext,
  asking: MemoryQuery,
  round: readonly TranslatedSegment[],
): Promise<void> {
  const { translation, fingerprint } = asking;
  return write(async (tx) => {
    let words = 0;
    for (const [wire, answer] of round) {
      const id = idOf(asking, wire);
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

/** Rows that one transaction forgets. */
const atOnce = 500;

/** Forgets what was remembered for a translation, all of it or that of other days. */
export async function forget(
  { read, write, signal }: Pick<JobContext, 'read' | 'write' | 'signal'>,
  translation: string,
  fingerprint?: string,
): Promise<void> {
  while (!signal.aborted) {
    const rows = await read((view) =>
      fingerprint === undefined
        ? view.find(translationMemory, { index: 'byTranslation', equals: [translation], limit: atOnce })
        : view.find(translationMemory, {
            index: 'byFingerprint',
            equals: [translation, fingerprint],
            limit: atOnce,
          }),
    );
    if (rows.length === 0) return;
    await write(async (tx) => {
      for (const { id } of rows) await tx.remove(translationMemory, id);
    });
  }
  throw new Problem('interrupted', 'Stopped; the rest is forgotten later.');
}

function idOf({ translation, fingerprint }: MemoryQuery, wire: string): string {
  return sha256(JSON.stringify([translation, fingerprint, wire]));
}
