import type { ReadTransaction } from '../../../core/store.ts';
import type { UndrawnReason } from '../../../pdf/book.ts';
import { scanLinks } from '../../../richtext/scan-links.ts';
import { blobs, type FileEntry } from '../../../content/rows.ts';

/** The most bytes of images in one PDF; those over it are left out. */
const mostImages = 64 * 1024 * 1024;

/** The bytes of the images that texts show, by the ids of their files; of those that are too large, that they are. */
export async function readImages(
  view: ReadTransaction,
  texts: ReadonlyMap<string, string>,
  fileOf: (page: string, href: string) => FileEntry | undefined,
): Promise<ReadonlyMap<string, Uint8Array | 'large'>> {
  const images = new Map<string, Uint8Array | 'large'>();
  let left = mostImages;
  for (const [page, text] of texts) {
    for (const { href } of scanLinks(text)) {
      const file = fileOf(page, href);
      if (file === undefined || images.has(file.id) || undrawable(file) !== undefined) continue;
      if (file.size > left) {
        images.set(file.id, 'large');
        continue;
      }
      left -= file.size;
      const { encoding, data } = (await view.get(blobs, file.blob))!;
      images.set(file.id, Buffer.from(data, encoding === 'text' ? 'utf8' : 'base64'));
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

/** The format of a file that is not drawn; undefined for one that is. */
export function undrawable({ contentType }: Pick<FileEntry, 'contentType'>): UndrawnReason | undefined {
  if (/^image\/(?:png|jpe?g)\b/i.test(contentType)) return undefined;
  return formats.find(([pattern]) => pattern.test(contentType))?.[1] ?? 'other';
}
