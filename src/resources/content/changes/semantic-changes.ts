import type { VariableValue } from '../../../richtext/page-settings.ts';
import { revisions } from '../../../core/rows/revisions.ts';
import { getExisting } from '../../../core/store.ts';
import { readSpaceVariables } from '../../../content/folder-text.ts';
import { diffRevisions, readPage } from '../../../content/revisions.ts';
import { shapeFile } from '../shape.ts';
import { isSamePlace } from '../../../content/merge-sides.ts';
import type { EntryChange } from '../../../content/trie.ts';
import type { SemanticChangeBody } from './schemas.ts';
import type { Entry, FileEntry, PageEntry, TextEntry } from '../../../content/rows.ts';
import type { ContentSource } from '../../../content/content-source.ts';
import { defined } from '../../../contract/values.ts';

type ChangedPage = Extract<SemanticChangeBody, { type: 'page_created' }>['page'];
type Attributes = Record<string, { before?: unknown; after?: unknown }>;
interface OrderedChange {
  /** The sort key of the change. */
  readonly order: string;
  readonly change: () => Promise<SemanticChangeBody> | SemanticChangeBody;
}

const pageAttributes = [
  'title',
  'linkTitle',
  'description',
  'slug',
  'emoji',
  'icon',
  'condition',
  'frontMatter',
  'hidden',
  'noIndex',
  'noRobotsIndex',
] as const;

/** Lists at most `limit` differences between two revisions: pages by path, then files, reusable contents and variables. */
export async function listSemanticChanges(
  content: ContentSource,
  from: string,
  to: string,
  limit: number,
): Promise<{ changes: SemanticChangeBody[]; more?: number }> {
  const differences = await diffRevisions(content.tx, from, to);
  const pages = new PageNames(content, from, to, differences);
  const found: OrderedChange[] = [];
  for (const { before, after } of differences) {
    const entry = after ?? before;
    if (entry?.kind === 'page')
      found.push(
        ...(await pageChanges(pages, before as PageEntry | undefined, after as PageEntry | undefined)),
      );
    else if (entry?.kind === 'file')
      found.push(
        ...fileChanges(content, [from, to], before as FileEntry | undefined, after as FileEntry | undefined),
      );
    else if (entry?.role === 'include')
      found.push(...reusableChanges(before as TextEntry | undefined, after as TextEntry | undefined));
  }
  found.push(...(await variableChanges(content, differences)));
  found.sort((one, other) => (one.order < other.order ? -1 : 1));
  const changes: SemanticChangeBody[] = [];
  for (const { change } of found.slice(0, limit)) changes.push(await change());
  return defined({ changes, more: found.length > limit ? found.length - limit : undefined });
}

/** Returns pages of both revisions with their paths. Reads each parent once. */
class PageNames {
  readonly #content: ContentSource;
  readonly #revision: Readonly<Record<'before' | 'after', string>>;
  readonly #changed: ReadonlyMap<string, EntryChange>;
  readonly #paths = { before: new Map<string, string>(), after: new Map<string, string>() };

  constructor(content: ContentSource, from: string, to: string, differences: readonly EntryChange[]) {
    this.#content = content;
    this.#revision = { before: from, after: to };
    this.#changed = new Map(differences.map((change) => [change.id, change]));
  }

  async page(when: 'before' | 'after', id: string): Promise<PageEntry | undefined> {
    const changed = this.#changed.get(id);
    if (changed === undefined) return readPage(this.#content.tx, this.#revision[when], id);
    return changed[when]?.kind === 'page' ? changed[when] : undefined;
  }

  async path(when: 'before' | 'after', page: PageEntry): Promise<string> {
    const known = this.#paths[when].get(page.id);
    if (known !== undefined) return known;
    const parent = page.parent === null ? undefined : await this.page(when, page.parent);
    const path = parent === undefined ? page.slug : `${await this.path(when, parent)}/${page.slug}`;
    this.#paths[when].set(page.id, path);
    return path;
  }

  async name(when: 'before' | 'after', page: PageEntry): Promise<ChangedPage> {
    const { id, type, title } = page;
    return defined({ id, type, title, path: type === 'link' ? undefined : await this.path(when, page) });
  }

  async parent(when: 'before' | 'after', page: PageEntry): Promise<ChangedPage | undefined> {
    const parent = page.parent === null ? undefined : await this.page(when, page.parent);
    return parent === undefined ? undefined : this.name(when, parent);
  }
}

async function pageChanges(
  pages: PageNames,
  before: PageEntry | undefined,
  after: PageEntry | undefined,
): Promise<OrderedChange[]> {
  const page = after ?? before;
  if (page === undefined) return [];
  const when = after === undefined ? 'before' : 'after';
  const order = `1 ${await pages.path(when, page)} `;
  const named = () => pages.name(when, page);
  if (before === undefined)
    return [{ order, change: async () => ({ type: 'page_created', page: await named() }) }];
  if (after === undefined)
    return [{ order, change: async () => ({ type: 'page_deleted', page: await named() }) }];
  const found: OrderedChange[] = [];
  const attributes: Attributes = diffAttributes(before, after, pageAttributes);
  if (before.blob !== after.blob) attributes['document'] = beforeAndAfter(before.blob, after.blob);
  if (before.href !== after.href) attributes['target'] = beforeAndAfter(targetOf(before), targetOf(after));
  if (Object.keys(attributes).length > 0)
    found.push({
      order: `${order}1`,
      change: async () => ({ type: 'page_edited', page: await named(), attributes }),
    });
  if (!isSamePlace(before, after)) {
    const parent = async () =>
      beforeAndAfter(await pages.parent('before', before), await pages.parent('after', after));
    found.push({
      order: `${order}2`,
      change: async () => ({ type: 'page_moved', page: await named(), parent: await parent() }),
    });
  }
  return found;
}

function fileChanges(
  content: ContentSource,
  [from, to]: readonly [string, string],
  before: FileEntry | undefined,
  after: FileEntry | undefined,
): OrderedChange[] {
  const named = async (revision: string, file: FileEntry) => {
    const row = await getExisting(content.tx, revisions, revision);
    return {
      id: file.id,
      name: file.name,
      contentType: file.contentType,
      downloadURL: shapeFile({ ...content, revision: row }, file, {}).downloadURL,
    };
  };
  const current = after ?? before;
  if (current === undefined) return [];
  const order = `2 ${current.name} ${current.id}`;
  if (before === undefined)
    return [{ order, change: async () => ({ type: 'file_created', file: await named(to, current) }) }];
  if (after === undefined)
    return [{ order, change: async () => ({ type: 'file_deleted', file: await named(from, before) }) }];
  const attributes: Attributes = diffAttributes(before, after, ['name', 'size', 'contentType', 'dimensions']);
  const isOther = before.blob !== after.blob;
  if (!isOther && Object.keys(attributes).length === 0) return [];
  const change = async (): Promise<SemanticChangeBody> => {
    const file = await named(to, after);
    if (isOther)
      attributes['downloadURL'] = beforeAndAfter((await named(from, before)).downloadURL, file.downloadURL);
    return { type: 'file_edited', file, attributes };
  };
  return [{ order, change }];
}

function reusableChanges(before: TextEntry | undefined, after: TextEntry | undefined): OrderedChange[] {
  const named = ({ id, title, blob }: TextEntry) => ({ id, title, document: blob });
  const current = after ?? before;
  if (current === undefined) return [];
  const order = `3 ${current.title} ${current.id}`;
  if (before === undefined)
    return [{ order, change: () => ({ type: 'reusable_content_created', reusableContent: named(current) }) }];
  if (after === undefined)
    return [{ order, change: () => ({ type: 'reusable_content_deleted', reusableContent: named(before) }) }];
  const attributes: Attributes = diffAttributes(before, after, ['title']);
  if (before.blob !== after.blob) attributes['document'] = beforeAndAfter(before.blob, after.blob);
  if (Object.keys(attributes).length === 0) return [];
  return [
    { order, change: () => ({ type: 'reusable_content_edited', reusableContent: named(after), attributes }) },
  ];
}

async function variableChanges(
  { tx }: ContentSource,
  differences: readonly EntryChange[],
): Promise<OrderedChange[]> {
  const read = (when: 'before' | 'after') =>
    readSpaceVariables(tx, differences.map((change) => change[when]).filter(isVariables));
  const [before, after] = [await read('before'), await read('after')];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const variables = diffAttributes(before, after, [...names]) as Record<
    string,
    { before?: VariableValue; after?: VariableValue }
  >;
  return Object.keys(variables).length === 0
    ? []
    : [{ order: '4', change: () => ({ type: 'variables_edited', variables }) }];
}

function isVariables(entry: Entry | undefined): entry is TextEntry {
  return entry?.kind === 'text' && entry.role === 'variables';
}

/** Returns the fields that differ, each with its values before and after. */
function diffAttributes<T extends object>(
  before: T,
  after: T,
  names: readonly (keyof T & string)[],
): Attributes {
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => [name, beforeAndAfter(before[name], after[name])]),
  );
}

function beforeAndAfter<T>(before: T | undefined, after: T | undefined): { before?: T; after?: T } {
  return defined({ before, after });
}

function targetOf({ href }: PageEntry): { kind: 'url'; url: string } | undefined {
  return href === undefined ? undefined : { kind: 'url', url: href };
}
