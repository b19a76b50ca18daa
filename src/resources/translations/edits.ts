import type { WriteTransaction } from '../../core/store.ts';
import { readPageText } from '../../richtext/front-matter.ts';
import { mergeEdits, type MergedEdits } from '../../translation/merge-edits.ts';
import { segmentMarkdown } from '../../translation/segment-markdown.ts';
import { createProtector } from '../../translation/pieces.ts';
import { putText, readBlob } from '../../content/blobs.ts';
import { withText } from '../../content/edit-page.ts';
import { gitOid } from '../../content/hashing.ts';
import { diffRevisions, readRevision } from '../../content/revisions.ts';
import { isSameEntry, readEntry } from '../../content/trie.ts';
import type { Entry, PageEntry, TextEntry } from '../../content/rows.ts';

/** What became of what people edited where the translation is another one now: lines, titles, descriptions, whole pages. */
export interface EditsCount {
  readonly kept: number;
  readonly replaced: number;
}

/** One entry in the source and in the translation, before and now, and as people left it. */
interface Edited {
  readonly id: string;
  readonly source: readonly [before: Entry | undefined, after: Entry | undefined];
  readonly written: readonly [before: Entry, after: Entry | undefined];
  readonly edited: Entry | undefined;
}

/** Two revisions of a space. */
export type RevisionPair = readonly [before: string, after: string];

export interface Revisions {
  readonly source: RevisionPair;
  /** The translation alone. */
  readonly written: RevisionPair;
  /** What the target holds. */
  readonly edited: string;
}

/** What both the translation and people changed since the translation was written last. */
export async function editedEntries(
  tx: WriteTransaction,
  { source, written, edited }: Revisions,
): Promise<Edited[]> {
  const mine = new Map((await diffRevisions(tx, ...written)).map((change) => [change.id, change]));
  const [before, after] = [await readRevision(tx, source[0]), await readRevision(tx, source[1])];
  const found: Edited[] = [];
  for (const { id, before: old, after: theirs } of await diffRevisions(tx, written[0], edited)) {
    const now = mine.get(id);
    if (old === undefined || now === undefined) continue;
    found.push({
      id,
      source: [await readEntry(tx, before.root, id), await readEntry(tx, after.root, id)],
      written: [old, now.after],
      edited: theirs,
    });
  }
  return found;
}

/** Whether somebody took an entry out of the target that the source has as it was: then it stays away. */
export function staysAway({ source: [before, after], edited }: Edited): boolean {
  return edited === undefined && before !== undefined && after !== undefined && isSameEntry(before, after);
}

/** An entry that was merged field by field, with the edits that stay: those of words that the source did not change. */
export async function settleEdits(
  tx: WriteTransaction,
  each: Edited,
  merged: Entry,
): Promise<{ entry: Entry } & EditsCount> {
  const [source, written] = [each.source, [...each.written, each.edited]];
  const pages = allOf(isDocument, [...source, ...written, merged]);
  if (pages !== undefined) return settlePage(tx, pages);
  const texts = allOf(isText, [...source, ...written, merged]);
  return texts === undefined ? { entry: merged, kept: 0, replaced: 0 } : settleText(tx, texts);
}

/** Source before and now, translation before and now, as it was edited, as it was merged. */
type Six<E> = readonly [E, E, E, E, E, E];

function allOf<E extends Entry>(
  is: (entry: Entry) => entry is E,
  entries: readonly (Entry | undefined)[],
): Six<E> | undefined {
  return entries.every((entry) => entry !== undefined && is(entry))
    ? (entries as unknown as Six<E>)
    : undefined;
}
const isDocument = (entry: Entry): entry is PageEntry => entry.kind === 'page';
const isText = (entry: Entry): entry is TextEntry => entry.kind === 'text';

async function settlePage(
  tx: WriteTransaction,
  pages: Six<PageEntry>,
): Promise<{ entry: Entry } & EditsCount> {
  const [title, description] = [settleField(pages, 'title'), settleField(pages, 'description')];
  const { description: _description, ...merged } = pages[5];
  const page: PageEntry = {
    ...merged,
    title: title.value ?? merged.title,
    ...(description.value === undefined ? {} : { description: description.value }),
  };
  const counts = [title, description];
  if (page.type !== 'document') return { entry: page, ...sumOf(counts) };
  const frontMatter = mergeFive(pages.map((each) => each.frontMatter ?? ''));
  const body = await mergeBlobs(tx, pages, normalBody);
  return {
    entry: await withText(tx, page, { frontMatter: frontMatter.text, body: body.text }, page.git?.path),
    ...sumOf([...counts, body]),
  };
}

async function settleText(
  tx: WriteTransaction,
  texts: Six<TextEntry>,
): Promise<{ entry: Entry } & EditsCount> {
  const [title, whole] = [settleField(texts, 'title'), await mergeBlobs(tx, texts, normalText)];
  const { text } = whole;
  const entry = {
    ...texts[5],
    title: title.value ?? texts[5].title,
    blob: await putText(tx, text),
    size: Buffer.byteLength(text),
    git: { path: texts[5].git.path, oid: gitOid(text) },
  };
  return { entry, ...sumOf([title, whole]) };
}

/** A title or description: an edit stays unless the source has another one now. */
function settleField<N extends 'title' | 'description'>(
  entries: Six<{ readonly [name in N]?: string }>,
  name: N,
): { readonly value: string | undefined } & EditsCount {
  const [source, next, before, after, edited] = entries.map((each) => each[name]);
  if (edited === before || edited === after) return { value: after, kept: 0, replaced: 0 };
  if (after === before) return { value: edited, kept: 0, replaced: 0 };
  return source === next ? { value: edited, kept: 1, replaced: 0 } : { value: after, kept: 0, replaced: 1 };
}

async function mergeBlobs(
  tx: WriteTransaction,
  entries: Six<{ readonly blob?: string }>,
  normal: (text: string) => string,
): Promise<MergedEdits> {
  const texts: string[] = [];
  for (const { blob } of entries.slice(0, 5)) texts.push(blob === undefined ? '' : await readBlob(tx, blob));
  return mergeFive(texts, normal);
}

function mergeFive(texts: readonly string[], normal?: (text: string) => string): MergedEdits {
  const [source, next, before, after, edited] = texts as Six<string>;
  return after === before
    ? { text: edited, kept: 0, replaced: 0 }
    : mergeEdits({ before: source, after: next }, { before, after }, edited, normal);
}

const noTerms = createProtector([]);

/** A text as translations are written, in its own words. */
function normalBody(markdown: string): string {
  return segmentMarkdown(markdown, noTerms).translate(() => undefined);
}

function normalText(text: string): string {
  const { frontMatter, body } = readPageText(text);
  return frontMatter + normalBody(body);
}

function sumOf(counts: readonly EditsCount[]): EditsCount {
  return {
    kept: counts.reduce((sum, { kept }) => sum + kept, 0),
    replaced: counts.reduce((sum, { replaced }) => sum + replaced, 0),
  };
}
