import type { ReadTransaction, WriteTransaction } from '../core/store.ts';
import { scanSections } from '../richtext/scan-sections.ts';
import { readBody } from './blobs.ts';
import type { EntryChange } from './trie.ts';
import { type PageEntry, sections, type SectionRow } from './rows.ts';

/** Updates the searchable sections of a space after changes of its content; writes only sections that changed. */
export async function updateSearchSections(
  tx: WriteTransaction,
  space: string,
  changes: readonly EntryChange[],
): Promise<void> {
  // Rows with ascending ids are inserted several times as fast.
  const inOrder = [...changes].sort((one, other) => (one.id < other.id ? -1 : 1));
  for (const { id, before, after } of inOrder) {
    const [old, now] = [documentOf(before), documentOf(after)];
    if (old === undefined && now === undefined) continue;
    if (
      old !== undefined &&
      now !== undefined &&
      old.title === now.title &&
      old.description === now.description &&
      old.blob === now.blob
    )
      continue;
    const oldRows = await readSections(tx, space, id);
    for (const row of now === undefined ? [] : await sectionsOf(tx, space, now)) {
      const other = oldRows.get(row.id);
      oldRows.delete(row.id);
      if (other === undefined) await tx.insert(sections, row);
      else if (!isSame(row, other)) await tx.update(sections, row.id, row);
    }
    for (const removedId of oldRows.keys()) await tx.remove(sections, removedId);
  }
}

async function readSections(
  view: ReadTransaction,
  space: string,
  page: string,
): Promise<Map<string, SectionRow>> {
  const known = new Map<string, SectionRow>();
  const start = `${space}.${page}.`;
  for (let after: string | undefined = start; after !== undefined;) {
    const rows: readonly SectionRow[] = await view.find(sections, {
      index: 'bySpace',
      equals: [space],
      after: [after],
      limit: 50,
    });
    const own = rows.filter(({ id }) => id.startsWith(start));
    for (const row of own) known.set(row.id, row);
    after = own.length < 50 ? undefined : own.at(-1)?.id;
  }
  return known;
}

/** The entry where it is a document: groups and links have no text to search. Hidden pages are searched like others. */
function documentOf(entry: EntryChange['before']): PageEntry | undefined {
  return entry?.kind === 'page' && entry.type === 'document' ? entry : undefined;
}

async function sectionsOf(view: ReadTransaction, space: string, page: PageEntry): Promise<SectionRow[]> {
  const found = scanSections(await readBody(view, page));
  const lead = page.description ?? '';
  // A page without text is found by its title.
  const all = lead !== '' || found.length === 0 ? [{ title: '', anchor: '', body: lead }, ...found] : found;
  return all.map((section, number) => ({
    id: `${space}.${page.id}.${number}`,
    space,
    page: page.id,
    pageTitle: page.title,
    ...section,
  }));
}

function isSame(one: SectionRow, other: SectionRow): boolean {
  return (
    one.pageTitle === other.pageTitle &&
    one.title === other.title &&
    one.anchor === other.anchor &&
    one.body === other.body
  );
}
