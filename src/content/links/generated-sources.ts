import type { GeneratedFrom, RevisionRow } from '../../core/rows/revisions.ts';
import { spaces } from '../../core/rows/spaces.ts';
import { getExisting, type ReadTransaction } from '../../core/store.ts';
import { textOfSpecification } from '../generated/open-specification.ts';
import {
  eachPlaced,
  readComputedPage,
  readGeneratedPages,
  type ComputedPage,
  type PlacedPage,
} from '../generated/place-pages.ts';
import type { PageEntry } from '../rows.ts';
import type { EntryChange } from '../trie.ts';
import type { LinkIndex } from './link-index.ts';
import type { LinkTargetId } from './link-targets.ts';
import type { AffectedSource } from './sources.ts';

/** The previous and the current pages that are generated in place of a page. */
interface GeneratedSources {
  /** The page of the type computed. */
  readonly target: LinkTargetId;
  readonly affected: readonly AffectedSource[];
  readonly targets: readonly LinkTargetId[];
}

/**
 * Returns the generated pages whose names, links or anchors may differ from the index: those whose specification has another
 * text, and those whose place in the space has changed. Updates in the index which texts they are generated from.
 */
export async function findGeneratedSources(
  view: ReadTransaction,
  index: LinkIndex,
  to: RevisionRow,
  changes: readonly EntryChange[],
): Promise<GeneratedSources[]> {
  const ids = new Set([...(to.computed ?? []), ...Object.keys(index.generated)]);
  if (ids.size === 0) return [];
  const { organization } = await getExisting(view, spaces, to.space);
  const sources: { id: string; page: ComputedPage | undefined; from: GeneratedFrom | undefined }[] = [];
  const generated: Record<string, GeneratedFrom> = {};
  const parents = parentsOf(changes);
  for (const id of ids) {
    const page = await readComputedPage(view, to, id);
    const from = page && (await generatedFrom(view, organization, page));
    if (from !== undefined) generated[id] = from;
    if (page !== undefined && index.generated[id]?.text !== from?.text) parents.add(page.entry.parent);
    sources.push({ id, page, from });
  }
  const found: GeneratedSources[] = [];
  for (const { id, page, from } of sources) {
    if (page !== undefined && !parents.has(page.entry.parent) && !isAffected(page, changes)) continue;
    const target = `page:${id}`;
    const before = (await index.get('sources', target))?.generated ?? [];
    const pages = page === undefined ? [] : await readGeneratedPages(view, organization, to, page);
    found.push({ target, ...compare(before, eachPlaced(pages), id, from?.spec ?? '') });
  }
  index.generated = generated;
  return found;
}

/** Whether the specifications of a revision still have the texts from which its index was made. */
export async function isGeneratedFresh(
  view: ReadTransaction,
  { space, links }: RevisionRow,
): Promise<boolean> {
  const generated = Object.values(links?.generated ?? {});
  if (generated.length === 0) return true;
  const { organization } = await getExisting(view, spaces, space);
  for (const { spec, text } of generated)
    if ((await textOfSpecification(view, organization, spec)) !== text) return false;
  return true;
}

async function generatedFrom(
  view: ReadTransaction,
  organization: string,
  { entry }: ComputedPage,
): Promise<GeneratedFrom> {
  const { spec } = entry.computed.dependencies.spec.ref;
  return { spec, text: await textOfSpecification(view, organization, spec) };
}

/** Whether changes affect the pages that a page generates, or their paths. */
function isAffected({ entry, above }: ComputedPage, changes: readonly EntryChange[]): boolean {
  const ancestors = new Set(above.map(({ id }) => id));
  return changes.some(({ id, before, after }) => {
    if (id === entry.id) return true;
    const [old, now] = [pageOf(before), pageOf(after)];
    const isMoved = old?.slug !== now?.slug || old?.parent !== now?.parent;
    const isBeside = old?.parent === entry.parent || now?.parent === entry.parent;
    return isMoved && (ancestors.has(id) || (isBeside && (old ?? now) !== undefined));
  });
}

/** Returns the parents of changed pages of the type computed. The paths of generated pages depend on earlier siblings. */
function parentsOf(changes: readonly EntryChange[]): Set<string | null> {
  const pages = changes.flatMap(({ before, after }) => [pageOf(before) ?? [], pageOf(after) ?? []].flat());
  return new Set(pages.flatMap(({ computed, parent }) => (computed === undefined ? [] : [parent])));
}

function pageOf(entry: EntryChange['before']): PageEntry | undefined {
  return entry?.kind === 'page' ? entry : undefined;
}

function compare(
  before: readonly LinkTargetId[],
  placed: readonly PlacedPage[],
  parent: string,
  spec: string,
): Pick<GeneratedSources, 'affected' | 'targets'> {
  const gone = new Set(before);
  const affected: AffectedSource[] = placed.map(({ id, path, slug, page }) => {
    const target = `page:${id}`;
    const wasThere = gone.delete(target);
    const entry = entryOf(id, parent, page.title, slug);
    return {
      target,
      before: wasThere ? entry : undefined,
      after: entry,
      source: { path, title: page.title },
      generated: { markdown: page.markdown, spec },
    };
  });
  for (const target of gone) {
    const entry = entryOf(target.slice('page:'.length), parent, '', '');
    affected.push({ target, before: entry, after: undefined, source: undefined });
  }
  return { affected, targets: placed.map(({ id }) => `page:${id}`) };
}

/** Returns an entry for a generated page, for updating the index. */
function entryOf(id: string, parent: string, title: string, slug: string): PageEntry {
  return {
    kind: 'page',
    id,
    type: 'document',
    parent,
    position: '',
    title,
    slug,
    createdAt: '',
    updatedAt: '',
    size: 0,
  };
}
