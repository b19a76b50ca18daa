import { yieldToEvents } from '../contract/event-loop.ts';
import { unlessEmpty } from '../contract/values.ts';
import { RecentMap } from '../core/recent-map.ts';
import { StaleIndexError, type IndexProgress } from '../core/stale-index-error.ts';
import { spaces, wordsVersion, type SpaceRow } from '../core/rows/spaces.ts';
import { revisions } from '../core/rows/revisions.ts';
import type { ReadTransaction, WriteTransaction } from '../core/store.ts';
import { readContent, readRevision } from './revisions.ts';
import { diffRoots, type EntryChange } from './trie.ts';
import type { GeneratedFrom } from '../core/rows/revisions.ts';
import { haveSameTexts, textOfSpecification } from './generated/open-specification.ts';
import { eachPlaced, readComputedPage, readGeneratedPages } from './generated/place-pages.ts';
import {
  changeIncludedPages,
  changeOtherPages,
  updateGeneratedSections,
  updateSearchSections,
  type GeneratedText,
} from './search-sections.ts';

/** Bytes of text that one write indexes: few, so that other requests do not wait long; more if each write is expensive. */
const pieceSize = { min: 64 * 1024, max: 512 * 1024 };
/** If ending a write takes more than this many times as long as its indexing, the next piece is larger. */
const maxOverhead = 3;

/**
 * The size of the pieces of one space. It grows if writes are expensive: a JSON file store, for example, is written as a whole.
 */
class PieceSize {
  bytes = pieceSize.min;
  #began = 0;
  #ended = 0;

  begin(): void {
    this.#began = performance.now();
  }

  end(): void {
    this.#ended = performance.now();
  }

  written(): void {
    const [work, overhead] = [this.#ended - this.#began, performance.now() - this.#ended];
    if (work >= 0 && overhead > maxOverhead * work) this.bytes = Math.min(2 * this.bytes, pieceSize.max);
  }
}

/** The last compared changes, cached until all of them are indexed, because comparing takes as long as indexing some pieces. */
const compared = new RecentMap<readonly EntryChange[]>(1);

/** Returns the state of the search for generated pages of a space after changes of its content. New ones are not indexed yet. */
export async function markGenerated(
  tx: WriteTransaction,
  { id: space, generated }: Pick<SpaceRow, 'id' | 'generated'>,
  changes: readonly EntryChange[],
): Promise<SpaceRow['generated']> {
  const marked: Record<string, GeneratedFrom> = { ...generated };
  let isChanged = false;
  for (const { id, before, after } of changes) {
    const computed = after?.kind === 'page' ? after.computed : undefined;
    if (computed !== undefined) {
      marked[id] = { spec: computed.dependencies.spec.ref.spec };
      isChanged = true;
    } else if (before?.kind === 'page' && before.computed !== undefined) {
      await updateGeneratedSections(tx, space, id, []);
      delete marked[id];
      isChanged = true;
    }
  }
  if (!isChanged) return generated;
  return unlessEmpty(marked);
}

/** Returns the state of the search for generated pages of a revision that is indexed for the first time. */
export async function generatedOf(view: ReadTransaction, revision: string): Promise<SpaceRow['generated']> {
  const row = await readRevision(view, revision);
  const generated: Record<string, GeneratedFrom> = {};
  for (const id of row.computed ?? []) {
    const page = await readComputedPage(view, row, id);
    if (page !== undefined) generated[id] = { spec: page.entry.computed.dependencies.spec.ref.spec };
  }
  return unlessEmpty(generated);
}

/** Indexes the pages of a specification again if its text has changed since. */
async function catchUpGenerated(
  tx: WriteTransaction,
  space: SpaceRow,
  page: string,
  { spec }: GeneratedFrom,
): Promise<IndexProgress> {
  const { organization, revision, generated } = space;
  const text = await textOfSpecification(tx, organization, spec);
  const row = await readRevision(tx, revision);
  const computed = await readComputedPage(tx, row, page);
  const pages = computed === undefined ? [] : await readGeneratedPages(tx, organization, row, computed);
  const shown: GeneratedText[] = [];
  for (const { id, page: generatedPage } of eachPlaced(pages)) {
    const { title, description, markdown } = generatedPage;
    shown.push({
      id,
      title,
      description,
      // The link to the specification is not part of the text.
      markdown: markdown().replaceAll(`[OpenAPI ${spec}](openapi:${spec})`, ''),
    });
    await yieldToEvents();
  }
  await updateGeneratedSections(tx, space.id, page, shown);
  await tx.update(spaces, space.id, { generated: { ...generated, [page]: { spec, text } } });
  return { done: shown.length, left: 0, isFresh: false };
}

/** Returns the first page whose generated pages are not indexed, or have another text now. */
async function staleGenerated(
  view: ReadTransaction,
  { organization, generated = {} }: SpaceRow,
): Promise<readonly [page: string, from: GeneratedFrom] | undefined> {
  for (const [page, from] of Object.entries(generated))
    if ((await textOfSpecification(view, organization, from.spec)) !== from.text) return [page, from];
  return undefined;
}

/**
 * Checks that the search index of spaces is up to date.
 * @throws StaleIndexError if it lags behind; `catchUp` updates it in short writes
 */
export async function requireFreshSearch(view: ReadTransaction, all: Iterable<SpaceRow>): Promise<void> {
  const staleIds: string[] = [];
  for (const space of all)
    if (
      space.words !== undefined ||
      isOfEarlierVersion(space) ||
      (await staleGenerated(view, space)) !== undefined ||
      !(await isDescribed(view, space))
    )
      staleIds.push(space.id);
  if (staleIds.length === 0) return;
  const size = new PieceSize();
  const catchUp = async (tx: WriteTransaction): Promise<IndexProgress> => {
    size.begin();
    for (const id of staleIds) {
      let space = await tx.get(spaces, id);
      if (space === undefined) continue;
      if (space.words === undefined && isOfEarlierVersion(space)) space = await readAgain(tx, space);
      else if (space.words === undefined) {
        const generated = await staleGenerated(tx, space);
        if (generated !== undefined) return catchUpGenerated(tx, space, ...generated);
        if (await isDescribed(tx, space)) continue;
        // The revision stays the same. Only dependent pages are read again.
        const words = { at: space.revision, to: space.revision };
        space = await tx.update(spaces, id, { words, described: undefined });
      }
      const piece = await catchUpSearch(tx, space, space.words ?? { at: null }, size.bytes);
      size.end();
      const isLast = id === staleIds.at(-1) && space.generated === undefined;
      return { ...piece, isFresh: piece.isFresh && isLast };
    }
    return { done: 0, left: 0, isFresh: true };
  };
  throw new StaleIndexError('indexing pages', catchUp, () => size.written());
}

/** Whether the index has the current texts of the specifications that blocks of pages show. */
async function isDescribed(
  view: ReadTransaction,
  { organization, described = {} }: SpaceRow,
): Promise<boolean> {
  return haveSameTexts(view, organization, new Map(Object.entries(described)));
}

function isOfEarlierVersion(space: SpaceRow): boolean {
  return (space.wordsVersion ?? 0) < wordsVersion;
}

/** Marks all pages of a space, including generated ones, to be read again. */
async function readAgain(tx: WriteTransaction, { id, generated }: SpaceRow): Promise<SpaceRow> {
  return tx.update(spaces, id, {
    words: { at: null },
    described: undefined,
    including: undefined,
    ...(generated === undefined
      ? {}
      : {
          generated: Object.fromEntries(
            Object.entries(generated).map(([page, { spec }]) => [page, { spec }]),
          ),
        }),
  });
}

/** Indexes one piece of the changes in a space. Returns true when the search index is up to date. */
async function catchUpSearch(
  tx: WriteTransaction,
  space: SpaceRow,
  { at, to = space.revision, after = '' }: NonNullable<SpaceRow['words']>,
  maxSize: number,
): Promise<IndexProgress> {
  const { id, revision, including } = space;
  const [from, target] = [at === null ? undefined : await tx.get(revisions, at), await readRevision(tx, to)];
  const key = `${from?.root ?? ''} ${target.root} ${at === to}`;
  const all =
    compared.get(key) ??
    (
      await withDependents(tx, target.id, await diffRoots(tx, from?.root, target.root), {
        including,
        isEvery: at === to,
      })
    ).sort((one, other) => (one.id < other.id ? -1 : 1));
  compared.set(key, all);
  const changes = all.filter((change) => change.id > after);
  const piece = takeUpToSize(changes, maxSize);
  const { done, fields } = await updateSearchSections(tx, { space, revision: target }, piece);
  const last = done < changes.length ? piece[done - 1] : undefined;
  if (last === undefined) compared.delete(key);
  if (last !== undefined) await tx.update(spaces, id, { words: { at, to, after: last.id }, ...fields });
  else
    await tx.update(spaces, id, {
      ...fields,
      words: to === revision ? undefined : { at: to },
      ...(at === null ? { wordsVersion } : {}),
    } as Partial<SpaceRow>);
  return {
    done,
    left: changes.length - done,
    isFresh: last === undefined && to === revision,
  };
}

/**
 * Adds all other pages if specifications (`isEvery`), or texts that pages may include or show, have changed, and those that
 * include pages if pages have changed. Dependent pages are then read again.
 */
async function withDependents(
  view: ReadTransaction,
  revision: string,
  changes: readonly EntryChange[],
  { including, isEvery }: Pick<SpaceRow, 'including'> & { readonly isEvery: boolean },
): Promise<EntryChange[]> {
  const isAny = isEvery || changeOtherPages(changes);
  if (!isAny && (including === undefined || !changeIncludedPages(changes))) return [...changes];
  const changed = new Set(changes.map(({ id }) => id));
  const others = (await readContent(view, revision)).filter(
    ({ id, kind }) =>
      kind === 'page' && !changed.has(id) && (isAny || including === true || including?.includes(id)),
  );
  return [...changes, ...others.map((entry) => ({ id: entry.id, before: entry, after: entry }))];
}

function takeUpToSize(changes: readonly EntryChange[], maxSize: number): readonly EntryChange[] {
  let size = 0;
  const end = changes.findIndex(({ after }) => (size += after?.kind === 'page' ? after.size : 0) > maxSize);
  return end === -1 ? changes : changes.slice(0, end + 1);
}
