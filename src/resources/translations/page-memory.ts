import { translationMemory } from './rows.ts';
import type { ReadTransaction, WriteTransaction } from '../../core/store.ts';
import { sha256 } from '../../content/hashing.ts';
import type { TranslationQuery } from './memory.ts';
import type { PageEntry, TextEntry } from '../../content/rows.ts';
import { defined } from '../../contract/values.ts';

/** A page, or a text that pages include. */
export type TranslatableEntry = PageEntry | TextEntry;

/** The fields of an entry in another language. The text is a blob, and `oid` is the git hash of its file with front matter. */
export interface TranslatedFields {
  readonly title: string;
  readonly description?: string;
  /** Only for pages. Included texts contain their front matter. */
  readonly frontMatter?: string;
  readonly text?: { readonly blob: string; readonly size: number; readonly oid: string };
}

/** Replaces the fields of an entry by those in another language. */
export function applyTranslation(
  entry: TranslatableEntry,
  { title, description, frontMatter, text }: TranslatedFields,
): TranslatableEntry {
  const { git } = entry;
  return {
    ...entry,
    title,
    ...defined({ description, frontMatter, blob: text?.blob, size: text?.size }),
    ...(text === undefined || git === undefined ? {} : { git: { path: git.path, oid: text.oid } }),
  };
}

/** Looks up the entries that were translated before, so that they need not be read, parsed and translated again. */
export async function recallPages(
  view: ReadTransaction,
  query: TranslationQuery,
  entries: readonly TranslatableEntry[],
  linkedTo: (id: string) => readonly string[],
): Promise<Map<string, TranslatedFields>> {
  const known = new Map<string, TranslatedFields>();
  for (const entry of entries) {
    const row = await view.get(translationMemory, idOf(query, entry, linkedTo(entry.id)));
    if (typeof row?.text === 'string') known.set(entry.id, JSON.parse(row.text) as TranslatedFields);
  }
  return known;
}

/** Stores a translated entry. Call this only if all of its segments have an answer, so that other entries are tried again. */
export async function rememberPage(
  tx: WriteTransaction,
  query: TranslationQuery,
  entry: TranslatableEntry,
  linkedTo: readonly string[],
  fields: TranslatedFields,
): Promise<void> {
  const id = idOf(query, entry, linkedTo);
  if ((await tx.get(translationMemory, id)) !== undefined) return;
  await tx.insert(translationMemory, {
    id,
    translation: query.translation,
    fingerprint: query.fingerprint,
    text: JSON.stringify(fields),
    isKept: 0,
  });
}

/** Entries with the same fields have the same translation, whatever their place. */
function idOf(
  { translation, fingerprint }: TranslationQuery,
  entry: TranslatableEntry,
  linkedTo: readonly string[],
): string {
  const { kind, title, blob } = entry;
  const { description, frontMatter } = kind === 'page' ? entry : {};
  return sha256(
    JSON.stringify([
      translation,
      fingerprint,
      'page with front matter',
      kind,
      title,
      description ?? null,
      blob ?? null,
      frontMatter ?? null,
      linkedTo,
    ]),
  );
}
