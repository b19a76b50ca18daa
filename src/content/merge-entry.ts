import type { WriteTransaction } from '../core/store.ts';
import { mergeTexts } from '../richtext/merge-text.ts';
import { putText, readBody } from './blobs.ts';
import { withText } from './edit-page.ts';
import { gitOid } from './hashing.ts';
import type { Side } from './merge-sides.ts';
import type { ConflictResolver } from './conflict-resolver.ts';
import { readText } from './page-text.ts';
import type { Entry, FileEntry, PageEntry, TextEntry } from './rows.ts';
import { defined } from '../contract/values.ts';

interface EntryMerge {
  readonly tx: WriteTransaction;
  readonly verdicts: ConflictResolver;
}

/** One entry as the base has it (undefined where both sides put it) and as each side has it. */
interface ThreeWay<E extends Entry> {
  readonly base: E | undefined;
  readonly ours: E;
  readonly theirs: E;
}

/** What is merged in a way of its own; all other fields are merged one by one. */
const specialFields = new Set([
  'kind',
  'id',
  'parent',
  'position',
  'createdAt',
  'updatedAt',
  'frontMatter',
  'blob',
  'size',
  'contentType',
  'dimensions',
  'git',
]);

/** Merges an entry that both sides changed: each field on its own, texts line by line. */
export async function mergeEntry(
  context: EntryMerge,
  base: Entry | undefined,
  ours: Entry,
  theirs: Entry,
): Promise<Entry> {
  if (ours.kind === 'page' && theirs.kind === 'page')
    return mergePage(context, { base: base?.kind === 'page' ? base : undefined, ours, theirs });
  if (ours.kind === 'file' && theirs.kind === 'file')
    return mergeFile(context, { base: base?.kind === 'file' ? base : undefined, ours, theirs });
  return mergeText(context, {
    base: base?.kind === 'text' ? base : undefined,
    ours: ours as TextEntry,
    theirs: theirs as TextEntry,
  });
}

async function mergePage({ tx, verdicts }: EntryMerge, three: ThreeWay<PageEntry>): Promise<PageEntry> {
  const { base, ours, theirs } = three;
  const clashes = new LineConflicts(verdicts, ours);
  const place = await mergeValue(clashes, 'place', three, ({ parent, position }) => ({ parent, position }));
  const path = await mergeValue(clashes, 'path in the folder', three, ({ git }) => git?.path);
  const frontMatter = await mergeLines(clashes, 'front matter', [
    base?.frontMatter ?? '',
    ours.frontMatter ?? '',
    theirs.frontMatter ?? '',
  ]);
  const body = await mergeLines(clashes, 'text', [
    await bodyOf(tx, base),
    await bodyOf(tx, ours),
    await bodyOf(tx, theirs),
  ]);
  const fields = await mergeFields(clashes, three);
  const page: PageEntry = {
    ...(fields as unknown as PageEntry),
    kind: 'page',
    id: ours.id,
    ...place,
    createdAt: base?.createdAt ?? earlierTime(ours.createdAt, theirs.createdAt),
    updatedAt: ours.updatedAt > theirs.updatedAt ? ours.updatedAt : theirs.updatedAt,
    size: 0,
  };
  if (page.type !== 'document') return withText(tx, page, undefined, path);
  return withText(tx, page, { frontMatter, body }, path);
}

/** The entry with a text that somebody gave to resolve its conflicts; a text without front matter leaves that of a page alone. */
export async function withEditedText(tx: WriteTransaction, entry: Entry, markdown: string): Promise<Entry> {
  if (entry.kind === 'text') return withWholeText(tx, entry, markdown, entry.git.path);
  if (entry.kind === 'file' || entry.type !== 'document') return entry;
  const { metadata, frontMatter, body } = await readText(markdown);
  return withText(
    tx,
    { ...entry, ...metadata },
    { frontMatter: frontMatter === '' ? (entry.frontMatter ?? '') : frontMatter, body },
    entry.git?.path,
  );
}

async function mergeFile({ verdicts }: EntryMerge, three: ThreeWay<FileEntry>): Promise<FileEntry> {
  const clashes = new LineConflicts(verdicts, three.ours);
  const bytes = await mergeValue(clashes, 'bytes', three, ({ blob, size, contentType, dimensions }) =>
    defined({ blob, size, contentType, dimensions }),
  );
  const path = await mergeValue(clashes, 'path in the folder', three, ({ git }) => git?.path);
  const oid =
    [three.ours, three.theirs].find(({ blob, git }) => blob === bytes.blob && git !== undefined)?.git?.oid ??
    '';
  const fields = (await mergeFields(clashes, three)) as unknown as FileEntry;
  return {
    ...fields,
    kind: 'file',
    id: three.ours.id,
    ...bytes,
    ...(path === undefined ? {} : { git: { oid, path } }),
  };
}

async function mergeText({ tx, verdicts }: EntryMerge, three: ThreeWay<TextEntry>): Promise<TextEntry> {
  const { base, ours, theirs } = three;
  const clashes = new LineConflicts(verdicts, ours);
  const path = await mergeValue(clashes, 'path in the folder', three, ({ git }) => git.path);
  const merged = await mergeLines(clashes, 'text', [
    await bodyOf(tx, base),
    await bodyOf(tx, ours),
    await bodyOf(tx, theirs),
  ]);
  const fields = (await mergeFields(clashes, three)) as unknown as TextEntry;
  return withWholeText(tx, { ...fields, kind: 'text', id: ours.id }, merged, path);
}

async function withWholeText(
  tx: WriteTransaction,
  entry: Omit<TextEntry, 'blob' | 'size' | 'git'>,
  text: string,
  path: string,
): Promise<TextEntry> {
  return {
    ...entry,
    blob: await putText(tx, text),
    size: Buffer.byteLength(text),
    git: { oid: gitOid(text), path },
  };
}

/** The conflicts of one entry: asks for the side to take at each. */
class LineConflicts {
  readonly #verdicts: ConflictResolver;
  readonly #entry: Entry;

  constructor(verdicts: ConflictResolver, entry: Entry) {
    this.#verdicts = verdicts;
    this.#entry = entry;
  }

  async decide(place: string, base: unknown, ours: unknown, theirs: unknown): Promise<Side> {
    const edited = await this.#verdicts.editedText(this.#entry);
    // A text that was given says all that its front matter says.
    if (edited !== undefined && (await readText(edited)).metadata[place as 'title'] !== undefined)
      return 'ours';
    return this.#verdicts.decide(this.#entry, {
      place,
      base: describeValue(base),
      ours: describeValue(ours),
      theirs: describeValue(theirs),
    });
  }

  async decideLines(place: string, merge: (take: Side) => ReturnType<typeof mergeTexts>): Promise<string> {
    const { text, conflicts } = merge('ours');
    if (conflicts.length === 0) return text;
    if ((await this.#verdicts.editedText(this.#entry)) !== undefined) return text;
    let side: Side = 'ours';
    for (const conflict of conflicts) side = await this.#verdicts.decide(this.#entry, { place, ...conflict });
    return side === 'ours' ? text : merge(side).text;
  }
}

function mergeLines(
  clashes: LineConflicts,
  place: string,
  [base, ours, theirs]: readonly [string, string, string],
): Promise<string> {
  return clashes.decideLines(place, (take) => mergeTexts(base, ours, theirs, take));
}

async function mergeFields<E extends Entry>(
  clashes: LineConflicts,
  three: ThreeWay<E>,
): Promise<Record<string, unknown>> {
  const merged: Record<string, unknown> = {};
  const names = [...Object.keys(three.ours), ...Object.keys(three.theirs)].filter(
    (name) => !specialFields.has(name),
  );
  for (const name of new Set(names)) {
    const value = await mergeValue(
      clashes,
      name,
      three,
      (entry) => (entry as unknown as Record<string, unknown>)[name],
    );
    if (value !== undefined) merged[name] = value;
  }
  return merged;
}

/** The value of the side that changed it; where both did, of the side that is decided on. */
async function mergeValue<E extends Entry, V>(
  clashes: LineConflicts,
  place: string,
  { base, ours, theirs }: ThreeWay<E>,
  valueOf: (entry: E) => V,
): Promise<V> {
  const [before, one, other] = [
    base === undefined ? undefined : valueOf(base),
    valueOf(ours),
    valueOf(theirs),
  ];
  if (isSame(one, other) || (base !== undefined && isSame(other, before))) return one;
  if (base !== undefined && isSame(one, before)) return other;
  return (await clashes.decide(place, before, one, other)) === 'ours' ? one : other;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A value as the report of a conflict shows it. */
function describeValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return value === undefined ? '' : String(value);
  const { size, contentType } = value as Partial<FileEntry>;
  return size === undefined ? '' : `${size} bytes of ${contentType}`;
}

async function bodyOf(tx: WriteTransaction, entry: PageEntry | TextEntry | undefined): Promise<string> {
  return entry === undefined ? '' : readBody(tx, entry);
}

function earlierTime(one: string, other: string): string {
  return one < other ? one : other;
}
