import { defined } from '../../contract/values.ts';
import type { WriteTransaction } from '../../core/store.ts';
import { readPageText } from '../../richtext/front-matter.ts';
import { mergeEdits, type MergedEdits } from '../../translation/merge-edits.ts';
import { segmentMarkdown } from '../../translation/segment-markdown.ts';
import { createProtector } from '../../translation/pieces.ts';
import { putText, readBody } from '../../content/blobs.ts';
import { withText } from '../../content/edit-page.ts';
import { gitOid } from '../../content/hashing.ts';
import { diffRevisions, readRevision } from '../../content/revisions.ts';
import { isSameEntry, readEntry } from '../../content/trie.ts';
import type { Entry, PageEntry, TextEntry } from '../../content/rows.ts';

/** Numbers of edits by people in places that the new translation also changed: lines, titles, descriptions and whole pages. */
export interface EditCounts {
  readonly kept: number;
  readonly replaced: number;
}

/** An entry that both the new translation and people changed: in the source and in the translation, before and after. */
interface EditedEntry {
  readonly id: string;
  readonly sourceBefore: Entry | undefined;
  readonly sourceAfter: Entry | undefined;
  readonly before: Entry;
  readonly after: Entry | undefined;
  /** The entry with the edits of people; undefined if they removed it. */
  readonly edited: Entry | undefined;
}

export type RevisionPair = readonly [before: string, after: string];

export interface Revisions {
  readonly source: RevisionPair;
  /** The translation without edits of people. */
  readonly written: RevisionPair;
  readonly edited: string;
}

/** Finds the entries that both the new translation and people changed since the last translation. */
export async function findEditedEntries(
  tx: WriteTransaction,
  { source, written, edited }: Revisions,
): Promise<EditedEntry[]> {
  const changes = new Map((await diffRevisions(tx, ...written)).map((change) => [change.id, change]));
  const [from, to] = [await readRevision(tx, source[0]), await readRevision(tx, source[1])];
  const found: EditedEntry[] = [];
  for (const { id, before, after } of await diffRevisions(tx, written[0], edited)) {
    const change = changes.get(id);
    if (before === undefined || change === undefined) continue;
    found.push({
      id,
      sourceBefore: await readEntry(tx, from.root, id),
      sourceAfter: await readEntry(tx, to.root, id),
      before,
      after: change.after,
      edited: after,
    });
  }
  return found;
}

/** Whether people removed an entry and the source has not changed it, so that it remains removed. */
export function staysRemoved({ sourceBefore, sourceAfter, edited }: EditedEntry): boolean {
  return (
    edited === undefined &&
    sourceBefore !== undefined &&
    sourceAfter !== undefined &&
    isSameEntry(sourceBefore, sourceAfter)
  );
}

/** The versions of an entry, and the entry that results from merging them field by field. */
type Versions<E> = Readonly<Record<'merged' | Exclude<keyof EditedEntry, 'id'>, E>>;
type MergedEntry = { readonly entry: Entry } & EditCounts;

/** Merges the edits of people into an entry that was merged field by field. Edits are kept where the source did not change. */
export async function mergeEntryEdits(
  tx: WriteTransaction,
  { sourceBefore, sourceAfter, before, after, edited }: EditedEntry,
  merged: Entry,
): Promise<MergedEntry> {
  const entries = { sourceBefore, sourceAfter, before, after, edited, merged };
  if (areAll(entries, (entry) => entry.kind === 'page')) return mergePage(tx, entries);
  if (areAll(entries, (entry) => entry.kind === 'text')) return mergeIncludedText(tx, entries);
  return { entry: merged, kept: 0, replaced: 0 };
}

function areAll<E extends Entry>(
  versions: Versions<Entry | undefined>,
  is: (entry: Entry) => entry is E,
): versions is Versions<E> {
  return Object.values(versions).every((entry) => entry !== undefined && is(entry));
}

async function mergePage(tx: WriteTransaction, pages: Versions<PageEntry>): Promise<MergedEntry> {
  const [title, description] = [mergeField(pages, 'title'), mergeField(pages, 'description')];
  const { description: _, ...merged } = pages.merged;
  const page: PageEntry = {
    ...merged,
    title: title.value ?? merged.title,
    ...defined({ description: description.value }),
  };
  const counts = [title, description];
  if (page.type !== 'document') return { entry: page, ...sumCounts(counts) };
  const frontMatter = await mergeTexts(pages, (each) => each.frontMatter ?? '');
  const body = await mergeTexts(pages, (each) => readBody(tx, each), normalizeBody);
  return {
    entry: await withText(tx, page, { frontMatter: frontMatter.text, body: body.text }, page.git?.path),
    ...sumCounts([...counts, body]),
  };
}

async function mergeIncludedText(tx: WriteTransaction, texts: Versions<TextEntry>): Promise<MergedEntry> {
  const title = mergeField(texts, 'title');
  const whole = await mergeTexts(texts, (each) => readBody(tx, each), normalizeText);
  const { text } = whole;
  const { merged } = texts;
  const entry = {
    ...merged,
    title: title.value ?? merged.title,
    blob: await putText(tx, text),
    size: Buffer.byteLength(text),
    git: { path: merged.git.path, oid: gitOid(text) },
  };
  return { entry, ...sumCounts([title, whole]) };
}

/** Merges a title or description. An edit is kept unless the source changed. */
function mergeField<N extends 'title' | 'description'>(
  entries: Versions<{ readonly [name in N]?: string }>,
  name: N,
): { value: string | undefined } & EditCounts {
  const [before, after, edited] = [entries.before[name], entries.after[name], entries.edited[name]];
  if (edited === before || edited === after) return { value: after, kept: 0, replaced: 0 };
  if (after === before) return { value: edited, kept: 0, replaced: 0 };
  return entries.sourceBefore[name] === entries.sourceAfter[name]
    ? { value: edited, kept: 1, replaced: 0 }
    : { value: after, kept: 0, replaced: 1 };
}

async function mergeTexts<E>(
  { sourceBefore, sourceAfter, before, after, edited }: Versions<E>,
  read: (entry: E) => string | Promise<string>,
  normalize?: (text: string) => string,
): Promise<MergedEdits> {
  const source = { before: await read(sourceBefore), after: await read(sourceAfter) };
  const written = { before: await read(before), after: await read(after) };
  const text = await read(edited);
  return written.after === written.before
    ? { text, kept: 0, replaced: 0 }
    : mergeEdits(source, written, text, normalize);
}

const noTerms = createProtector([]);

/** Converts a text to the form in which translations are written, without changing its words. */
function normalizeBody(markdown: string): string {
  return segmentMarkdown(markdown, noTerms).translate(() => undefined);
}

function normalizeText(text: string): string {
  const { frontMatter, body } = readPageText(text);
  return frontMatter + normalizeBody(body);
}

function sumCounts(counts: readonly EditCounts[]): EditCounts {
  return {
    kept: counts.reduce((sum, { kept }) => sum + kept, 0),
    replaced: counts.reduce((sum, { replaced }) => sum + replaced, 0),
  };
}
