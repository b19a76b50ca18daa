import { translationMemory } from './rows.ts';
import type { ReadTransaction, WriteTransaction } from '../../core/store.ts';
import { sha256 } from '../../content/hashing.ts';
import type { MemoryQuery } from './memory.ts';
import type { PageEntry, TextEntry } from '../../content/rows.ts';
import { defined } from '../../contract/values.ts';

/** What has words: a page, or a text that pages include. */
export type Spoken = PageEntry | TextEntry;

/** All that a translation has other than its source; the text is a blob, and `oid` that of the file with its front matter. */
export interface Words {
  readonly title: string;
  readonly description?: string;
  /** That of a page; an include has it in its text. */
  readonly frontMatter?: string;
  readonly text?: { readonly blob: string; readonly size: number; readonly oid: string };
}

/** What an entry looks like with the words of another language. */
export function withWords(entry: Spoken, { title, description, frontMatter, text }: Words): Spoken {
  const git =
    text === undefined || entry.git === undefined ? {} : { git: { path: entry.git.path, oid: text.oid } };
  const more = defined({
    description,
    frontMatter,
  });
  return {
    ...entry,
    title,
    ...more,
    ...(text === undefined ? {} : { blob: text.blob, size: text.size }),
    ...git,
  };
}

/** The words of entries that were put together before: nothing of them is read, parsed or asked for again. */
export async function recallPages(
  view: ReadTransaction,
  asking: MemoryQuery,
  entries: readonly Spoken[],
  linkedTo: (id: string) => readonly string[],
): Promise<Map<string, Words>> {
  const known = new Map<string, Words>();
  for (const entry of entries) {
    const row = await view.get(translationMemory, idOf(asking, entry, linkedTo(entry.id)));
    if (typeof row?.text === 'string') known.set(entry.id, JSON.parse(row.text) as Words);
  }
  return known;
}

/** Remembers the words of an entry all of whose segments have an answer; others are tried again when somebody asks. */
export async function rememberPage(
  tx: WriteTransaction,
  asking: MemoryQuery,
  entry: Spoken,
  linkedTo: readonly string[],
  words: Words,
): Promise<void> {
  const id = idOf(asking, entry, linkedTo);
  if ((await tx.get(translationMemory, id)) !== undefined) return;
  await tx.insert(translationMemory, {
    id,
    translation: asking.translation,
    fingerprint: asking.fingerprint,
    text: JSON.stringify(words),
    isKept: 0,
  });
}

/** Two entries of the same words have the same translation, wherever they are. */
function idOf({ translation, fingerprint }: MemoryQuery, entry: Spoken, linkedTo: readonly string[]): string {
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
