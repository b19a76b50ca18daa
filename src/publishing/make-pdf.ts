import { readBytes } from '../content/blobs.ts';
import { readRevision } from '../content/revisions.ts';
import type { RichDocumentValue } from '../contract/shapes.ts';
import { isRecord } from '../contract/values.ts';
import { readFresh } from '../core/embedded.ts';
import type { Services } from '../core/handler.ts';
import { Problem } from '../errors/problem.ts';
import type { BookPage, LinkTarget, UndrawnReason } from '../pdf/book.ts';
import { renderPdf } from '../pdf/render-pdf.ts';
import type { Target } from '../render/render-context.ts';
import { wordsOf } from '../render/words.ts';
import { blockDrawer } from '../resources/content/blocks/page-blocks.ts';
import { maxImageBytes, undrawnReasonOf } from '../resources/content/pdf/read-book.ts';
import { refOf } from '../richtext/references.ts';
import { readDescribed, readPageDocument } from './page-document.ts';
import { createTargets, namesInReferences, type OpenSpace } from './page-links.ts';
import type { ChosenPage } from './pdf-answer.ts';
import { readComputing } from './read-computing.ts';
import type { SiteView } from './site-view.ts';
import type { SitePage } from './space-pages.ts';

/** The content of a PDF. */
interface PdfContent {
  readonly open: OpenSpace;
  readonly chosen: readonly ChosenPage[];
}

/** Maximum bytes of text in a PDF that a reader can request: about 2,000 sheets, or half a minute of work. */
const maxTextBytes = 4 * 1024 * 1024;

/**
 * Makes a PDF of pages as a visitor sees them. Each page is read in a separate transaction when it is drawn. The revision of the
 * space is the one of the view.
 *
 * @throws Problem(too-large)
 */
export async function makePdf(
  services: Services,
  view: SiteView,
  { open, chosen }: PdfContent,
): Promise<Uint8Array> {
  const size = chosen.reduce((sum, { page }) => sum + (page.entry?.size ?? 0), 0);
  if (size > maxTextBytes)
    throw new Problem('too-large', 'The text of these pages is too long for one PDF. Print a part of them.');
  const { map, origin } = view;
  const { space, row } = open.shown;
  let others: ReadonlyMap<string, OpenSpace> = new Map();
  let targetOf = createTargets(open, others);
  let remaining = maxImageBytes;
  const documentOf = (page: SitePage): Promise<RichDocumentValue> =>
    readComputing(
      () => services,
      () =>
        readFresh(services, async (tx) => {
          const here = view.inTransaction(tx);
          const content = here.contentOf(open.shown);
          const text = await readDescribed(content, page);
          const document = await readPageDocument(here, content, page, text);
          others = await here.openSpaces(namesInReferences(document, 'space'));
          targetOf = createTargets(open, others);
          return { ...document, nodes: hideTargets(document.nodes, targetOf) };
        }),
    );
  const imageOf = async (address: string): Promise<Uint8Array | UndrawnReason> => {
    const ref = refOf(address);
    // A file of another space has an address with this space.
    const [, elsewhere = ''] = /\/~\/files\/([\w-]+)$/.exec(address) ?? [];
    const id = ref.kind === 'file' ? ref.file : elsewhere;
    const file = [open, ...others.values()].map(({ pages }) => pages.files.get(id)).find(Boolean);
    if (file === undefined) return ref.kind === 'url' && ref.url !== '' ? 'web' : 'absent';
    const reason = undrawnReasonOf(file) ?? (file.size > remaining ? 'large' : undefined);
    if (reason !== undefined) return reason;
    remaining -= file.size;
    return services.read((tx) => readBytes(tx, file.blob));
  };
  const linkTo = (ref: unknown): LinkTarget | undefined => {
    const target = targetOf(ref);
    if (target === undefined) return undefined;
    const { href, title: label } = target;
    const { page, space: other, anchor } = ref as { page?: unknown; space?: unknown; anchor?: unknown };
    const url = new URL(href, origin).href;
    return typeof page === 'string' && (other === undefined || other === space.id)
      ? { page, anchor: typeof anchor === 'string' ? anchor : undefined, label, elsewhere: url }
      : { url, label };
  };
  const draw = blockDrawer(services, { space });
  const { createdAt } = await services.read((tx) => readRevision(tx, space.revision));
  const pages = chosen.map(({ page, depth }): BookPage => ({
    id: page.id,
    title: page.storedTitle,
    linkTitle: page.entry?.linkTitle ?? page.storedTitle,
    depth,
    path: page.path,
    description: page.entry === undefined ? page.description : page.entry.description,
    emoji: page.emoji,
    document: page.type === 'document' ? async () => draw(await documentOf(page)) : undefined,
  }));
  const book = {
    title: view.storedTitleOf(open.shown),
    words: wordsOf(view.languageOf(open.shown)),
    subtitle: map.spaces.length > 1 ? (row.title ?? space.title) : undefined,
    createdAt,
    tags: open.pages.tags,
    pages,
    imageOf,
    linkTo,
  };
  return (await renderPdf(book)).bytes;
}

/** Replaces references that the visitor cannot follow, so that not even their IDs are shown. */
function hideTargets(
  nodes: RichDocumentValue['nodes'],
  targetOf: (ref: unknown) => Target | undefined,
): RichDocumentValue['nodes'] {
  const hide = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hide);
    // The data of integrations is not changed.
    if (!isRecord(value) || value['type'] === 'integration') return value;
    const { kind } = value;
    if (
      (kind === 'page' || kind === 'anchor' || kind === 'file' || kind === 'space') &&
      targetOf(value) === undefined
    )
      return { kind: 'url', url: '' };
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hide(inner)]));
  };
  return hide(nodes) as RichDocumentValue['nodes'];
}
