import { defined } from '../../../contract/values.ts';
import { notFound, Problem } from '../../../errors/problem.ts';
import type { Book, BookPage, LinkTarget, UndrawnReason } from '../../../pdf/book.ts';
import { addressOf } from '../../../richtext/references.ts';
import { readBlob, readBytes } from '../../../content/blobs.ts';
import { describeBlocks } from '../../../content/describe-blocks.ts';
import { evaluateText } from '../../../content/evaluate.ts';
import { readSpaceTags } from '../../../content/folder-text.ts';
import { ReferenceResolver, type FileElsewhere } from '../../../content/links/reference-resolver.ts';
import { findNamed, namesOf, resolveHref } from '../../../content/links/link-targets.ts';
import { readContent, readRevision } from '../../../content/revisions.ts';
import { appUrl, downloadUrl, shapeFile } from '../shape.ts';
import { buildTree, type PageNode, type PageTree } from '../../../content/tree.ts';
import type { Entry, FileEntry } from '../../../content/rows.ts';
import { revisionOf, type ContentSource } from '../../../content/content-source.ts';
import type { ReadTransaction } from '../../../core/store.ts';
import { scanLinks } from '../../../richtext/scan-links.ts';
import { seedOf } from '../../../content/generated/generated-id.ts';
import { wordsOf } from '../../../render/words.ts';
import { shapePages } from '../shape.ts';
import type { PageBody } from '../schemas.ts';
import { checkChoice, type PdfQuery } from './check-choice.ts';
import { bookPagesOf, parseDocument, type BookPlace, type PageChoice } from './computed-book-pages.ts';

/** Maximum size of the texts in one PDF, in bytes. */
const maxTextBytes = 32 * 1024 * 1024;

/** A book whose pages of integrations are not computed yet. */
interface UnfinishedBook extends Omit<Book, 'pages'> {
  readonly places: readonly BookPlace[];
  /** The pages of the content, if integrations compute some of them; otherwise empty. */
  readonly stored: readonly PageBody[];
  /** Registers a computed page as a target of links. */
  readonly addTarget: (page: BookPage) => void;
}

/**
 * Reads the data of a PDF: pages, texts and images. Pages of integrations are computed later.
 *
 * @throws Problem(not-found), Problem(invalid-input) for pages that cannot be printed, Problem(too-large)
 */
export async function readBook(content: ContentSource, query: PdfQuery): Promise<UnfinishedBook> {
  const revision = await readRevision(content.tx, revisionOf(content));
  const entries = await readContent(content.tx, revision.id);
  const tree = buildTree(entries.filter((entry) => entry.kind === 'page'));
  const { roots, byId } = tree;
  const chosen = [...choosePages(roots, byId, query)];
  checkSize(chosen);
  const texts = new Map<string, string>();
  for (const { page } of chosen.map(({ node }) => node))
    if (page.blob !== undefined)
      texts.set(
        page.id,
        await describeBlocks(
          content,
          await evaluateText(content, page, await readBlob(content.tx, page.blob)),
        ),
      );
  const targets = new Map<string, Target>(
    [...byId.values()].map(({ page: { id, title, linkTitle }, path }) => [
      id,
      { id, title, linkTitle, path },
    ]),
  );
  const { resolve, add } = createResolver(entries, byId);
  const addTarget = (page: BookPage): void => {
    if (targets.has(page.id)) return;
    targets.set(page.id, page);
    add(page);
  };
  const places: BookPlace[] = [];
  for (const { node, depth, choice } of chosen) {
    const own = await placesOf(content, tree, node, { depth, choice, text: texts.get(node.page.id) });
    for (const place of own) if (node.page.computed !== undefined && 'path' in place) addTarget(place);
    places.push(...own);
  }
  if (query.page !== undefined) for await (const page of generatedPages(content, tree)) addTarget(page);
  const hasPlaces = places.some((place) => 'seed' in place);
  const files = new Map(entries.filter((entry) => entry.kind === 'file').map((entry) => [entry.id, entry]));
  const references = new ReferenceResolver(content);
  const elsewhere = new Map<string, FileElsewhere>();
  const images = await readImages(content.tx, texts, async (page, href) => {
    const found = elsewhere.get(href) ?? (await references.fileElsewhere(href));
    if (found === undefined) return fileOf(resolve(page, href), files);
    elsewhere.set(href, found);
    return found.file;
  });
  const { space, changeRequest } = content;
  const tags = await readSpaceTags(
    content.tx,
    entries.filter((entry) => entry.kind === 'text'),
  );
  const words = wordsOf(space.language ?? 'en');
  return {
    words,
    title: space.title,
    subtitle:
      changeRequest === undefined
        ? undefined
        : [words.changeRequest.replace('{number}', String(changeRequest.number)), changeRequest.subject]
            .filter((part) => part !== '')
            .join(' · '),
    createdAt: revision.createdAt,
    tags,
    places,
    stored: hasPlaces ? await shapePages(content, roots, { text: 'none' }) : [],
    addTarget,
    imageOf: (address, page) => {
      const resolved = resolve(page.id, address);
      const file = elsewhere.get(address)?.file ?? fileOf(resolved, files);
      return Promise.resolve(imageAt(resolved, file, images));
    },
    linkTo: (ref, page) => {
      const address = addressOf(ref);
      const { space: other, file } = elsewhere.get(address) ?? {};
      if (other !== undefined && file !== undefined)
        return {
          url: downloadUrl({ tx: content.tx, url: content.url, space: other }, file.id),
          label: file.name,
        };
      return linkOf(content, resolve(page.id, address), address, { targets, files });
    },
  };
}

/** Returns the book page of a page. For a page of the type computed, returns the pages that are generated for it. */
async function placesOf(
  content: ContentSource,
  { roots, byId }: PageTree,
  node: PageNode,
  { depth, choice, text }: ChosenPage & { text: string | undefined },
): Promise<BookPlace[]> {
  const { id, parent, computed, source } = node.page;
  if (source !== undefined) return [{ seed: id, depth, choice }];
  if (computed === undefined) return [pageOf(node, depth, text)];
  const { shapeComputed } = await import('../computed-pages.ts');
  const siblings = parent === null ? roots : (byId.get(parent)?.children ?? []);
  const generated = await shapeComputed(content, node, siblings, { text: 'markdown' });
  return generated === undefined ? [pageOf(node, depth, text)] : bookPagesOf(generated, depth, choice);
}

/** Yields all generated pages, even those that are not printed, because links can lead to all of them. */
async function* generatedPages(content: ContentSource, tree: PageTree): AsyncGenerator<BookPage> {
  for (const node of tree.byId.values()) {
    if (node.page.computed === undefined) continue;
    for (const place of await placesOf(content, tree, node, { depth: 0, choice: {}, text: undefined }))
      if ('path' in place) yield place;
  }
}

interface ChosenPage {
  readonly depth: number;
  /** Which of the pages are printed that are generated or computed in place of this page. */
  readonly choice: PageChoice;
}

/** Yields the pages to print in reading order, without pages that are links. */
function* choosePages(
  roots: readonly PageNode[],
  byId: ReadonlyMap<string, PageNode>,
  query: PdfQuery,
  depth = 0,
): Generator<ChosenPage & { node: PageNode }> {
  const { page, only } = query;
  if (page !== undefined) {
    const seed = byId.get(seedOf(page) ?? '');
    if (seed?.page.computed !== undefined || seed?.page.source !== undefined) {
      yield { node: { ...seed, children: [] }, depth, choice: { id: page, isAlone: only === true } };
      return;
    }
    const node = byId.get(page);
    if (node === undefined) throw notFound('page', page);
    checkChoice(query, node.page);
    if (only === true) yield { node: { ...node, children: [] }, depth, choice: {} };
    else yield* choosePages([node], byId, {}, depth);
    return;
  }
  checkChoice(query, undefined);
  for (const node of roots) {
    const { type, computed, source } = node.page;
    // A page of the type computed is stored as a link to its source.
    if (type === 'link' && computed === undefined && source === undefined) continue;
    yield { node, depth, choice: {} };
    yield* choosePages(node.children, byId, {}, depth + 1);
  }
}

function checkSize(chosen: readonly { node: PageNode }[]): void {
  const size = chosen.reduce((sum, { node }) => sum + node.page.size, 0);
  if (size > maxTextBytes)
    throw new Problem('too-large', 'The text of these pages is too long for one PDF.', {
      hint: 'Make a PDF of a part: name a page with --page (page=ID).',
    });
}

function pageOf({ page, path }: PageNode, depth: number, text: string | undefined): BookPage {
  return {
    id: page.id,
    title: page.title,
    linkTitle: page.linkTitle,
    depth,
    path,
    description: page.description,
    emoji: page.emoji,
    document: text === undefined ? undefined : () => parseDocument(text),
  };
}

interface Resolved {
  readonly kind: 'url' | 'app' | 'name';
  /** "page:ID" or "file:ID", if the target exists. */
  readonly thing?: string | undefined;
  readonly anchor?: string | undefined;
}
type Resolve = (page: string, address: string) => Resolved;

type Target = Pick<BookPage, 'id' | 'title' | 'linkTitle' | 'path'>;

function createResolver(
  entries: readonly Entry[],
  byId: ReadonlyMap<string, PageNode>,
): { resolve: Resolve; add: (page: Target) => void } {
  const holders = new Map<string, { rank: number; thing: string }>();
  const places = new Map<string, Parameters<typeof namesOf>[1]>();
  const addThing = (thing: string, place: Parameters<typeof namesOf>[1]): void => {
    places.set(thing, place);
    for (const [name, rank] of namesOf(thing, place))
      if ((holders.get(name)?.rank ?? Infinity) > rank) holders.set(name, { rank, thing });
  };
  for (const entry of entries) {
    if (entry.kind === 'text') continue;
    const path = entry.kind === 'page' ? byId.get(entry.id)?.path : undefined;
    const place = {
      ...defined({ path }),
      ...(entry.git === undefined ? {} : { git: entry.git.path }),
    };
    addThing(`${entry.kind}:${entry.id}`, place);
  }
  const resolve: Resolve = (page, address) => {
    const target = resolveHref(`page:${page}`, places.get(`page:${page}`) ?? {}, address);
    return target.kind === 'name'
      ? { kind: 'name', thing: findNamed(target, (name) => holders.get(name)?.thing), anchor: target.anchor }
      : target;
  };
  return { resolve, add: ({ id, path }) => addThing(`page:${id}`, { path }) };
}

function fileOf({ thing }: Resolved, files: ReadonlyMap<string, FileEntry>): FileEntry | undefined {
  return thing?.startsWith('file:') === true ? files.get(thing.slice(5)) : undefined;
}

/** Returns the bytes of an image, or the reason why it cannot be drawn. */
function imageAt(
  resolved: Resolved,
  file: FileEntry | undefined,
  images: ReadonlyMap<string, Uint8Array | UndrawnReason>,
): Uint8Array | UndrawnReason {
  if (file === undefined) return resolved.kind === 'url' ? 'web' : 'absent';
  return images.get(file.id) ?? undrawnReasonOf(file) ?? 'absent';
}

/** Returns the target of a link in the book: a page of the space, or the address of a file or website. */
function linkOf(
  content: ContentSource,
  resolved: Resolved,
  address: string,
  { targets, files }: { targets: ReadonlyMap<string, Target>; files: ReadonlyMap<string, FileEntry> },
): LinkTarget | undefined {
  if (resolved.kind === 'url') return { url: address };
  const [, scheme, slug] = /^(openapi|tag):(.+)$/.exec(address) ?? [];
  if (scheme === 'tag') return undefined;
  if (slug !== undefined) {
    const path = `/v1/orgs/${content.space.organization}/openapi/${slug}/versions/latest/content/raw`;
    return { url: content.url(path), label: slug };
  }
  if (resolved.kind === 'app') return { url: address.startsWith('/') ? content.url(address) : address };
  const file = fileOf(resolved, files);
  if (file !== undefined) return { url: shapeFile(content, file, {}).downloadURL, label: file.name };
  const page =
    resolved.thing?.startsWith('page:') === true ? targets.get(resolved.thing.slice(5)) : undefined;
  if (page === undefined) return undefined;
  return {
    page: page.id,
    anchor: resolved.anchor,
    label: page.linkTitle ?? page.title,
    elsewhere: appUrl(content, `/${page.path}`),
  };
}

/** Maximum size of the images in one PDF, in bytes. Images above the limit are left out. */
export const maxImageBytes = 64 * 1024 * 1024;

/** Reads the images in texts, by the ids of their files; `large` for images above the limit. */
async function readImages(
  view: ReadTransaction,
  texts: ReadonlyMap<string, string>,
  findFile: (page: string, href: string) => Promise<FileEntry | undefined>,
): Promise<ReadonlyMap<string, Uint8Array | 'large'>> {
  const images = new Map<string, Uint8Array | 'large'>();
  let remainingBytes = maxImageBytes;
  for (const [page, text] of texts) {
    for (const { href } of scanLinks(text)) {
      const file = await findFile(page, href);
      if (file === undefined || images.has(file.id) || undrawnReasonOf(file) !== undefined) continue;
      if (file.size > remainingBytes) {
        images.set(file.id, 'large');
        continue;
      }
      remainingBytes -= file.size;
      images.set(file.id, await readBytes(view, file.blob));
    }
  }
  return images;
}

const formats: readonly (readonly [RegExp, UndrawnReason])[] = [
  [/\bgif\b/i, 'GIF'],
  [/\bwebp\b/i, 'WebP'],
  [/\bsvg\b/i, 'SVG'],
  [/\bbmp\b/i, 'BMP'],
  [/\b(avif|heic|heif)\b/i, 'AVIF'],
  [/\btiff?\b/i, 'TIFF'],
];

/** Returns the format of a file that cannot be drawn; undefined for a file that can be drawn. */
export function undrawnReasonOf({ contentType }: FileEntry): UndrawnReason | undefined {
  if (/^image\/(?:png|jpe?g)\b/i.test(contentType)) return undefined;
  return formats.find(([pattern]) => pattern.test(contentType))?.[1] ?? 'other';
}
