import { createHash } from 'node:crypto';
import type { RichNode } from '../contract/shapes.ts';
import { Problem } from '../errors/problem.ts';
import { fragmentsOf } from '../richtext/nodes.ts';
import { addressOf } from '../richtext/references.ts';
import type { Book, BookPage, UndrawnReason } from './book.ts';
import { costs, type Budget } from './budget.ts';
import { openJpeg, type EmbeddedImage, type PdfDocument, type Picture } from './engine.ts';
import { PictureTooLargeError, readPng, type MemoryBudget } from './png.ts';
import { coversOf } from './table-data.ts';

/** The signatures of file formats that are not drawn. */
const signatures: readonly (readonly [RegExp, UndrawnReason])[] = [
  [/^GIF8/, 'GIF'],
  [/^RIFF[^]{4}WEBP/, 'WebP'],
  [/^BM/, 'BMP'],
  [/^[^]{4}ftyp(avif|avis|heic|mif1)/, 'AVIF'],
  [/^(II\*\0|MM\0\*)/, 'TIFF'],
  [/^(\xef\xbb\xbf)?\s*<(svg[\s>]|[?!][^]*<svg[\s>]|\?xml)/i, 'SVG'],
];

/** Loads the pictures of a book, page by page. Equal pictures are embedded once. */
export class PictureLoader {
  /** Number of pictures so far that are not drawn, by reason. */
  readonly undrawn: Partial<Record<UndrawnReason, number>> = {};
  readonly #doc: PdfDocument;
  readonly #imageOf: Book['imageOf'];
  readonly #budget: Budget;
  readonly #memory: MemoryBudget;
  /** The pictures by the hash of their files. */
  readonly #loaded = new Map<string, Picture | UndrawnReason>();

  constructor(doc: PdfDocument, imageOf: Book['imageOf'], budget: Budget) {
    this.#doc = doc;
    this.#imageOf = imageOf;
    this.#budget = budget;
    const { maxUnpackedBytes, maxPackedBytes } = budget.limits;
    this.#memory = { unpacked: maxUnpackedBytes, packed: maxPackedBytes };
  }

  /** Loads the pictures of a page, by address. */
  async load(nodes: readonly RichNode[], page: BookPage): Promise<ReadonlyMap<string, Picture>> {
    const pictures = new Map<string, Picture>();
    for (const address of await this.#findAddresses(nodes)) {
      const bytes = await this.#imageOf(address, page);
      const picture = typeof bytes === 'string' ? bytes : await this.#open(bytes);
      if (typeof picture === 'string') this.undrawn[picture] = (this.undrawn[picture] ?? 0) + 1;
      else pictures.set(address, picture);
      await this.#budget.pause(costs.image);
    }
    return pictures;
  }

  async #findAddresses(nodes: readonly RichNode[]): Promise<Set<string>> {
    const found = new Set<string>();
    const waiting = nodes.toReversed();
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      const { type, data, nodes: children = [] } = node;
      if (type === 'image' || type === 'inline-image') found.add(addressOf(data?.['ref']));
      if (type === 'table') for (const cover of coversOf(node)) found.add(addressOf(cover));
      for (const child of children) waiting.push(child);
      for (const child of fragmentsOf(node)) waiting.push(child);
      await this.#budget.pause(0.5);
    }
    return found;
  }

  async #open(bytes: Uint8Array): Promise<Picture | UndrawnReason> {
    const hash = createHash('sha256').update(bytes).digest('base64');
    const known = this.#loaded.get(hash);
    if (known !== undefined) return known;
    const image = await this.#decode(bytes, `P${this.#loaded.size + 1}`);
    const picture = typeof image === 'string' ? image : toPicture(image);
    this.#loaded.set(hash, picture);
    return picture;
  }

  async #decode(bytes: Uint8Array, label: string): Promise<EmbeddedImage | UndrawnReason> {
    const start = Buffer.from(bytes.subarray(0, 400)).toString('latin1');
    try {
      // pdfkit's PNG decoder is not used, because it ends the process for a broken file, and finishes a valid one at an
      // unknown time.
      if (start.startsWith('\x89PNG\r\n\x1a\n'))
        return (await readPng(bytes, label, { memory: this.#memory, budget: this.#budget })) ?? 'broken';
      // Parsing a broken picture takes up to 0.3 s for 10 MB.
      await this.#budget.pause(bytes.length / 1000);
      if (start.startsWith('\xff\xd8')) return openJpeg(this.#doc, bytes) ?? 'broken';
    } catch (error) {
      if (error instanceof Problem) throw error;
      return error instanceof PictureTooLargeError ? 'large' : 'broken';
    }
    return signatures.find(([pattern]) => pattern.test(start))?.[1] ?? 'other';
  }
}

function toPicture(image: EmbeddedImage): Picture {
  const isTurned = (image.orientation ?? 1) > 4;
  const [width, height] = isTurned ? [image.height, image.width] : [image.width, image.height];
  return {
    width: width * 0.75,
    height: height * 0.75,
    draw: (doc, x, y, w, h) => void doc.image(image as unknown as string, x, y, { width: w, height: h }),
  };
}
