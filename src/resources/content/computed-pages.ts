import { defaultLayout } from '../../contract/page-layout.ts';
import { sha256 } from '../../content/hashing.ts';
import type { ComputedSource } from '../../content/computed-source.ts';
import { readBlob } from '../../content/blobs.ts';
import { revisionOf, type ContentSource } from '../../content/content-source.ts';
import { readPages } from '../../content/revisions.ts';
import { freeSlug, toSlug } from '../../content/slugs.ts';
import { buildTree, type PageNode } from '../../content/tree.ts';
import type { PageEntry } from '../../content/rows.ts';
import type { Static } from '../../contract/schema.ts';
import type { RichDocumentValue } from '../../contract/shapes.ts';
import { isRecord } from '../../contract/values.ts';
import { findOne } from '../../core/store.ts';
import {
  computePages,
  type GeneratedPage,
  type SpecificationName,
} from '../../specification/computed-pages.ts';
import { parseSource } from '../../specification/parse-source.ts';
import { specs, specVersions } from '../openapi/rows.ts';
import type { ComputedDocument, PageBody } from './schemas.ts';
import { appUrl } from './shape.ts';

/** Which texts generated pages get. */
export interface ComputedFlags {
  readonly text: 'none' | 'markdown' | 'document';
}

/** The specifications that were read last, by the hashes of their texts. */
const recent = new Map<string, Record<string, unknown> | undefined>();
const maxRecent = 4;

/** A specification that pages are generated from. */
interface OpenedSpecification {
  readonly root: Record<string, unknown>;
  readonly name: SpecificationName;
  readonly createdAt: string;
}

/** Where generated pages are placed. */
interface Place {
  readonly source: ComputedSource;
  /** What the IDs of the pages are made of: the same seed gives the same IDs. */
  readonly seed: string;
  /** The path of the pages above, with a slash at its end, or ''. */
  readonly prefix: string;
  /** The slugs that pages beside them have. */
  readonly taken: Set<string>;
  readonly page?: PageEntry;
}

/**
 * Generates the pages of a page of the type computed, which take its place. Undefined where its specification does not exist
 * or has no valid version.
 */
export async function shapeComputed(
  content: ContentSource,
  { page, path }: PageNode,
  siblings: readonly PageNode[],
  flags: ComputedFlags,
): Promise<PageBody[] | undefined> {
  const { computed } = page;
  if (computed === undefined) return undefined;
  const taken = new Set(siblings.flatMap((node) => (node.page.type === 'link' ? [] : [node.page.slug])));
  const prefix = path.slice(0, path.length - page.slug.length);
  return shapeGenerated(content, { source: computed, seed: page.id, prefix, taken, page }, flags);
}

/** Generates the pages of a source. Undefined where its specification does not exist or has no valid version. */
export async function shapeGenerated(
  content: ContentSource,
  { source, seed, prefix, taken, page }: Place,
  flags: ComputedFlags,
): Promise<PageBody[] | undefined> {
  const opened = await openSpecification(content, source.dependencies.spec.ref.spec);
  if (opened === undefined) return undefined;
  const { root, name, createdAt } = opened;
  const updatedAt = page !== undefined && page.updatedAt > createdAt ? page.updatedAt : createdAt;
  const shape = async (
    pages: readonly GeneratedPage[],
    at: string,
    slugs: Set<string>,
  ): Promise<PageBody[]> => {
    const shaped: PageBody[] = [];
    for (const generated of pages) {
      const slug = freeSlug(toSlug(generated.title), slugs);
      slugs.add(slug);
      const own = at + slug;
      shaped.push({
        id: `${seed}-${sha256(generated.key).slice(0, 12)}`,
        type: 'document',
        kind: 'sheet',
        title: generated.title,
        ...(generated.icon === undefined ? {} : { icon: generated.icon }),
        createdAt: page?.createdAt ?? createdAt,
        updatedAt,
        slug,
        path: own,
        pages: await shape(generated.children, `${own}/`, new Set()),
        ...(generated.description === undefined ? {} : { description: generated.description }),
        ...(page?.hidden === true ? { hidden: true } : {}),
        ...(await textOf(generated, flags)),
        layout: defaultLayout,
        tags: [],
        computed: { type: source.type, dependencies: source.dependencies, props: { ...generated.props } },
        computedSeed: seed,
        urls: { app: appUrl(content, `/${own}`) },
      });
    }
    return shaped;
  };
  return shape(computePages(root, name, source.props), prefix, taken);
}

/** Generates one document of a specification. Undefined where the specification, or what it is to show, does not exist. */
export async function readGenerated(
  content: ContentSource,
  { dependencies, props }: Static<typeof ComputedDocument>,
): Promise<RichDocumentValue | undefined> {
  const opened = await openSpecification(content, dependencies.spec.ref.spec);
  if (opened === undefined) return undefined;
  const isByOperation = props.doc === 'operation' || props.doc === 'tag';
  const grouping = isByOperation ? 'by-operation' : 'by-tag';
  const open = computePages(opened.root, opened.name, { models: true, grouping });
  for (const page of open) {
    const { doc, page: of, method }: Static<typeof ComputedDocument>['props'] = page.props;
    if (doc === props.doc && of === props.page && method === props.method) {
      const { markdownToDocument } = await import('../../richtext/markdown.ts');
      return markdownToDocument(page.markdown());
    }
    open.push(...page.children);
  }
  return undefined;
}

/** Opens the latest version of a specification of the organization; undefined where it has no valid one. */
async function openSpecification(
  content: ContentSource,
  slug: string,
): Promise<OpenedSpecification | undefined> {
  const { organization } = content.space;
  const spec = await findOne(content.tx, specs, 'bySlug', [organization, slug]);
  const version =
    spec?.lastVersion === undefined ? undefined : await content.tx.get(specVersions, spec.lastVersion);
  if (version === undefined) return undefined;
  const root = await readSpecification(content, version.text);
  if (root === undefined) return undefined;
  const url = content.url(`/v1/orgs/${organization}/openapi/${slug}/versions/latest/content/raw`);
  return { root, name: { slug, url }, createdAt: version.createdAt };
}

/** Finds a generated page by its ID or path, with the pages below it. */
export async function findComputed(
  content: ContentSource,
  wanted: { readonly id?: string; readonly path?: string },
  flags: ComputedFlags,
): Promise<PageBody | undefined> {
  const [, source] = /^(pag_\w+)-[\da-f]{12}$/.exec(wanted.id ?? '') ?? [];
  if (wanted.id !== undefined && source === undefined) return undefined;
  const { byId, roots } = buildTree(await readPages(content.tx, revisionOf(content)));
  for (const node of byId.values()) {
    if (node.page.computed === undefined || (source !== undefined && node.page.id !== source)) continue;
    const siblings = node.page.parent === null ? roots : (byId.get(node.page.parent)?.children ?? []);
    const pages = await shapeComputed(content, node, siblings, flags);
    const open = [...(pages ?? [])];
    for (const page of open) {
      if (page.id === wanted.id || page.path === wanted.path) return page;
      open.push(...(page.pages ?? []));
    }
  }
  return undefined;
}

async function textOf(
  page: GeneratedPage,
  { text }: ComputedFlags,
): Promise<Pick<PageBody, 'markdown' | 'document'>> {
  if (text === 'none') return {};
  const markdown = page.markdown();
  if (text === 'markdown') return { markdown };
  const { markdownToDocument } = await import('../../richtext/markdown.ts');
  return { document: markdownToDocument(markdown) };
}

/** Reads a specification, which was checked when it became a version, and keeps it for the next pages. */
async function readSpecification(
  { tx }: ContentSource,
  hash: string,
): Promise<Record<string, unknown> | undefined> {
  if (recent.has(hash)) return recent.get(hash);
  const source = parseSource(await readBlob(tx, hash));
  const value = 'value' in source && isRecord(source.value) ? source.value : undefined;
  const [oldest] = recent.keys();
  if (recent.size >= maxRecent && oldest !== undefined) recent.delete(oldest);
  recent.set(hash, value);
  return value;
}
