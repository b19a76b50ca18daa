import { yieldToEvents } from '../contract/event-loop.ts';
import { unlessEmpty } from '../contract/values.ts';
import type { ReadTransaction, WriteTransaction } from '../core/store.ts';
import { scanSections } from '../richtext/scan-sections.ts';
import type { RevisionRow } from '../core/rows/revisions.ts';
import type { SpaceRow } from '../core/rows/spaces.ts';
import { readBody } from './blobs.ts';
import type { ContentSource } from './content-source.ts';
import { mayHaveSpecificationBlocks } from '../richtext/specification-blocks.ts';
import { describeBlocks } from './describe-blocks.ts';
import { dependsOnTexts, evaluateText } from './evaluate.ts';
import { textOfSpecification } from './generated/open-specification.ts';
import type { EntryChange } from './trie.ts';
import { type PageEntry, sections, type SectionRow } from './rows.ts';

/** Maximum characters of descriptions of OpenAPI blocks on a page, and in an update. A longer update ends early. */
const maxDescribed = { page: 250_000, update: 500_000 };
/** Maximum number of specifications of a space whose changes are noticed. */
const maxSpecifications = 100;
/** If more pages than this include others, all pages are read again when an included page changes. */
const maxIncluding = 100;
/** No other name can be the slug of a specification. */
const slugPattern = /^[a-z\d-]{1,100}$/i;

interface UpdatedSections {
  /** The number of changes that were applied, in the order of their IDs. */
  readonly done: number;
  /** New values of fields of the space. */
  readonly fields: Pick<SpaceRow, 'described' | 'including'>;
}

/**
 * Updates the searchable sections of a space after changes of its content. Only changed sections are written. Pages are read from
 * `revision`. A page whose entry is the same before and after is read again if it depends on other texts or on specifications.
 */
export async function updateSearchSections(
  tx: WriteTransaction,
  { space: row, revision }: { readonly space: SpaceRow; readonly revision: RevisionRow },
  changes: readonly EntryChange[],
): Promise<UpdatedSections> {
  const content: ContentSource = { tx, space: row, revision, url: (path) => path };
  const space = row.id;
  const specifications = new Set<string>();
  const including = new Set(row.including === true ? [] : row.including);
  let done = 0;
  let length = 0;
  // Rows with ascending IDs are inserted several times as fast.
  const inOrder = [...changes].sort((one, other) => (one.id < other.id ? -1 : 1));
  for (const { id, before, after } of inOrder) {
    if (length > maxDescribed.update) break;
    done++;
    const [old, now] = [documentOf(before), documentOf(after)];
    if (old === undefined && now === undefined) continue;
    const isWritten = old !== now && (old === undefined || now === undefined || !saysTheSame(old, now));
    if (old !== now && !isWritten) continue;
    const body = now === undefined ? '' : await readBody(tx, now);
    if (!isWritten && !dependsOnTexts(body) && !mayHaveSpecificationBlocks(body)) continue;
    including.delete(id);
    const evaluated =
      now !== undefined && dependsOnTexts(body)
        ? await evaluateText(content, now, body, () => including.add(id))
        : body;
    const text = await describeBlocks(content, evaluated, {
      maxLength: maxDescribed.page,
      onSpecification: (slug) => specifications.add(slug),
    });
    length += text.length - evaluated.length;
    await replaceSections(tx, space, `${space}.${id}.`, now === undefined ? [] : rowsOf(space, now, text));
  }
  const described = new Map(Object.entries(row.described ?? {}));
  for (const slug of specifications)
    if (!described.has(slug) && described.size < maxSpecifications && slugPattern.test(slug))
      described.set(slug, await textOfSpecification(tx, row.organization, slug));
  const isMany = row.including === true || including.size > maxIncluding;
  return {
    done,
    fields: {
      described: unlessEmpty(Object.fromEntries(described)),
      including: isMany || (including.size === 0 ? undefined : [...including]),
    },
  };
}

export interface GeneratedText {
  readonly id: string;
  readonly title: string;
  readonly description?: string | undefined;
  readonly markdown: string;
}

/** Updates the searchable sections of the pages that are generated in place of a page of the type computed. */
export async function updateGeneratedSections(
  tx: WriteTransaction,
  space: string,
  computed: string,
  pages: readonly GeneratedText[],
): Promise<void> {
  const rows: SectionRow[] = [];
  for (const page of pages) {
    rows.push(...rowsOf(space, page, page.markdown));
    await yieldToEvents();
  }
  rows.sort((one, other) => (one.id < other.id ? -1 : 1));
  await replaceSections(tx, space, `${space}.${computed}-`, rows);
}

/** Replaces the sections whose IDs start with `start`. Only changed ones are written. */
async function replaceSections(
  tx: WriteTransaction,
  space: string,
  start: string,
  rows: readonly SectionRow[],
): Promise<void> {
  const oldRows = await readSections(tx, space, start);
  for (const row of rows) {
    const other = oldRows.get(row.id);
    oldRows.delete(row.id);
    if (other === undefined) await tx.insert(sections, row);
    else if (!isSame(row, other)) await tx.update(sections, row.id, row);
  }
  for (const removedId of oldRows.keys()) await tx.remove(sections, removedId);
}

async function readSections(
  view: ReadTransaction,
  space: string,
  start: string,
): Promise<Map<string, SectionRow>> {
  const known = new Map<string, SectionRow>();
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

/** Returns the entry if it is a document. Groups and links have no text to search. Hidden pages are searched like others. */
function documentOf(entry: EntryChange['before']): PageEntry | undefined {
  return entry?.kind === 'page' && entry.type === 'document' ? entry : undefined;
}

/** Whether two states of a page have the same words: the text, the variables, and the start of its includes are equal. */
function saysTheSame(one: PageEntry, other: PageEntry): boolean {
  const [before, after] = [one, other].map(({ title, description, blob, frontMatter, settings, git }) =>
    JSON.stringify([title, description, blob, frontMatter, settings, git?.path]),
  );
  return before === after;
}

/** Whether changes may affect the words of any other page. */
export function changeOtherPages(changes: readonly EntryChange[]): boolean {
  return changes.some(({ before, after }) =>
    [before, after].some(
      (entry) => entry?.kind === 'text' && ['include', 'snippet', 'variables'].includes(entry.role),
    ),
  );
}

/** Whether changes may affect the words of pages that include other pages. */
export function changeIncludedPages(changes: readonly EntryChange[]): boolean {
  return changes.some(({ before, after }) => {
    const [old, now] = [documentOf(before), documentOf(after)];
    if (old?.git === undefined && now?.git === undefined) return false;
    return old === undefined || now === undefined || !saysTheSame(old, now);
  });
}

function rowsOf(
  space: string,
  page: Pick<GeneratedText, 'id' | 'title' | 'description'>,
  markdown: string,
): SectionRow[] {
  const found = scanSections(markdown);
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
