import type { WriteTransaction } from '../core/store.ts';
import { mergeTexts } from '../richtext/merge-text.ts';
import { putText, readBody } from './blobs.ts';
import { withText } from './edit-page.ts';
import { gitOid } from './hashing.ts';
import type { Side } from './merge-sides.ts';
import type { ConflictResolver } from './conflict-resolver.ts';
import { readText } from './page-text.ts';
import type { Entry, FileEntry, PageEntry, TextEntry } from './rows.ts';
import { defined, isObject } from '../contract/values.ts';

interface EntryMerge {
  readonly tx: WriteTransaction;
  readonly resolver: ConflictResolver;
}

/** An entry of the base (undefined if both sides added it) and of each side. */
interface ThreeWay<E extends Entry> {
  readonly base: E | undefined;
  readonly ours: E;
  readonly theirs: E;
}

/** Fields with special rules for merging. All other fields are merged one by one. */
const specialFields = new Set([
  'kind',
  'id',
  'parent',
  'position',
  'createdAt',
  'updatedAt',
  'frontMatter',
  'settings',
  'blob',
  'size',
  'contentType',
  'dimensions',
  'git',
]);

/** Merges an entry that both sides changed: each field separately, and texts line by line. */
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

async function mergePage({ tx, resolver }: EntryMerge, versions: ThreeWay<PageEntry>): Promise<PageEntry> {
  const { base, ours, theirs } = versions;
  const conflicts = new EntryConflicts(resolver, ours);
  const place = await mergeValue(conflicts, 'place', versions, ({ parent, position }) => ({
    parent,
    position,
  }));
  const path = await mergeValue(conflicts, 'path in the folder', versions, ({ git }) => git?.path);
  const frontMatter = await mergeLines(conflicts, 'front matter', [
    base?.frontMatter ?? '',
    ours.frontMatter ?? '',
    theirs.frontMatter ?? '',
  ]);
  const body = await mergeBodies(tx, conflicts, versions);
  const fields = await mergeFields(conflicts, versions);
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

/** Sets the edited text that resolves the conflicts of an entry. If the text has no front matter, a page keeps its own. */
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

async function mergeFile({ resolver }: EntryMerge, versions: ThreeWay<FileEntry>): Promise<FileEntry> {
  const conflicts = new EntryConflicts(resolver, versions.ours);
  const bytes = await mergeValue(conflicts, 'bytes', versions, ({ blob, size, contentType, dimensions }) =>
    defined({ blob, size, contentType, dimensions }),
  );
  const path = await mergeValue(conflicts, 'path in the folder', versions, ({ git }) => git?.path);
  const oid =
    [versions.ours, versions.theirs].find(({ blob, git }) => blob === bytes.blob && git !== undefined)?.git
      ?.oid ?? '';
  const fields = (await mergeFields(conflicts, versions)) as unknown as FileEntry;
  return {
    ...fields,
    kind: 'file',
    id: versions.ours.id,
    ...bytes,
    ...(path === undefined ? {} : { git: { oid, path } }),
  };
}

async function mergeText({ tx, resolver }: EntryMerge, versions: ThreeWay<TextEntry>): Promise<TextEntry> {
  const conflicts = new EntryConflicts(resolver, versions.ours);
  const path = await mergeValue(conflicts, 'path in the folder', versions, ({ git }) => git.path);
  const merged = await mergeBodies(tx, conflicts, versions);
  const fields = (await mergeFields(conflicts, versions)) as unknown as TextEntry;
  return withWholeText(tx, { ...fields, kind: 'text', id: versions.ours.id }, merged, path);
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

/** The conflicts of one entry. It chooses a side for each. */
class EntryConflicts {
  readonly #resolver: ConflictResolver;
  readonly #entry: Entry;

  constructor(resolver: ConflictResolver, entry: Entry) {
    this.#resolver = resolver;
    this.#entry = entry;
  }

  async decide(place: string, base: unknown, ours: unknown, theirs: unknown): Promise<Side> {
    const edited = await this.#resolver.editedText(this.#entry);
    // Fields in the front matter of an edited text take precedence.
    if (edited !== undefined && (await readText(edited)).metadata[place as 'title'] !== undefined)
      return 'ours';
    return this.#resolver.decide(this.#entry, {
      place,
      base: describeValue(base),
      ours: describeValue(ours),
      theirs: describeValue(theirs),
    });
  }

  async decideLines(place: string, merge: (take: Side) => ReturnType<typeof mergeTexts>): Promise<string> {
    const { text, conflicts } = merge('ours');
    if (conflicts.length === 0) return text;
    if ((await this.#resolver.editedText(this.#entry)) !== undefined) return text;
    let side: Side = 'ours';
    for (const conflict of conflicts) side = await this.#resolver.decide(this.#entry, { place, ...conflict });
    return side === 'ours' ? text : merge(side).text;
  }
}

function mergeLines(
  conflicts: EntryConflicts,
  place: string,
  [base, ours, theirs]: readonly [string, string, string],
): Promise<string> {
  return conflicts.decideLines(place, (take) => mergeTexts(base, ours, theirs, take));
}

async function mergeBodies(
  tx: WriteTransaction,
  conflicts: EntryConflicts,
  { base, ours, theirs }: ThreeWay<PageEntry | TextEntry>,
): Promise<string> {
  return mergeLines(conflicts, 'text', [
    await readBody(tx, base ?? {}),
    await readBody(tx, ours),
    await readBody(tx, theirs),
  ]);
}

async function mergeFields<E extends Entry>(
  conflicts: EntryConflicts,
  versions: ThreeWay<E>,
): Promise<Record<string, unknown>> {
  const merged: Record<string, unknown> = {};
  const names = [...Object.keys(versions.ours), ...Object.keys(versions.theirs)].filter(
    (name) => !specialFields.has(name),
  );
  for (const name of new Set(names)) {
    const value = await mergeValue(
      conflicts,
      name,
      versions,
      (entry) => (entry as unknown as Record<string, unknown>)[name],
    );
    if (value !== undefined) merged[name] = value;
  }
  return merged;
}

/** Returns the value of the side that changed it. If both sides did, the resolver chooses the side. */
async function mergeValue<E extends Entry, V>(
  conflicts: EntryConflicts,
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
  return (await conflicts.decide(place, before, one, other)) === 'ours' ? one : other;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!isObject(value)) return value === undefined ? '' : String(value);
  const { size, contentType } = value as Partial<FileEntry>;
  return size === undefined ? '' : `${size} bytes of ${contentType}`;
}

function earlierTime(one: string, other: string): string {
  return one < other ? one : other;
}
