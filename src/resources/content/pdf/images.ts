import { blobs, type FileEntry } from '../../../core/rows/revisions.ts';
import type { Reading } from '../../../core/store.ts';
import { scanLinks } from '../../../richtext/scan-links.ts';

/** The most bytes of images in one PDF; those over it are left out. */
const mostImages = 64 * 1024 * 1024;

/** The bytes of the images that texts show, by the ids of their files. */
export async function readImages(
  view: Reading,
  texts: ReadonlyMap<string, string>,
  fileOf: (page: string, href: string) => FileEntry | undefined,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const images = new Map<string, Uint8Array>();
  let left = mostImages;
  for (const [page, text] of texts) {
    for (const { href } of scanLinks(text)) {
      const file = fileOf(page, href);
      if (file === undefined || images.has(file.id) || !/^image\/(?:png|jpe?g)\b/i.test(file.contentType) || file.size > left) continue;
      left -= file.size;
      const { encoding, data } = (await view.get(blobs, file.blob))!;
      images.set(file.id, Buffer.from(data, encoding === 'text' ? 'utf8' : 'base64'));
    }
  }
  return images;
}
