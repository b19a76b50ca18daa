import type { FileAnswer } from '../../contract/file.ts';
import { readBlob } from '../../content/blobs.ts';
import type { IntegrationRow } from '../../core/rows/integrations.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { invalid, notFound } from '../../errors/problem.ts';

const maxImageBytes = 1024 * 1024;

/** Decodes an image from base64. @throws Problem(invalid-input) for another format, or more than 1 MiB. */
export function decodeImage(base64: string, at: string): Uint8Array {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > maxImageBytes)
    throw invalid(at, 'The image is larger than 1 MiB.', 'Use a smaller image.');
  if (imageTypeOf(bytes) === undefined)
    throw invalid(at, 'The file is not a PNG, JPEG, GIF, WebP or SVG image.', 'Export it as PNG or SVG.');
  return bytes;
}

/** Reads an icon or preview image of an integration by its ID. @throws Problem(not-found) */
export async function readIntegrationImage(
  view: ReadTransaction,
  { id, icon, previewImages }: IntegrationRow,
  imageId: string,
): Promise<FileAnswer> {
  if (imageId !== icon && !previewImages.includes(imageId)) throw notFound('image', imageId);
  const bytes = Buffer.from(await readBlob(view, imageId), 'base64');
  const type = imageTypeOf(bytes);
  if (type === undefined) throw notFound('image', imageId);
  return { name: `${id}.${type}`, contentType: type === 'svg' ? 'image/svg+xml' : `image/${type}`, bytes };
}

/** Returns the format of an image, detected from its first bytes. It is used in the media type and as the file extension. */
function imageTypeOf(bytes: Uint8Array): 'png' | 'jpeg' | 'gif' | 'webp' | 'svg' | undefined {
  const start = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (/^GIF8[79]a/.test(start)) return 'gif';
  if (/^RIFF.{4}WEBP/s.test(start)) return 'webp';
  return isSvg(start) ? 'svg' : undefined;
}

/** Whether a text starts like SVG: with the `svg` element, after an optional declaration, comments and a document type. */
function isSvg(start: string): boolean {
  let rest = start.replace(/^\xef\xbb\xbf/, '').trimStart();
  for (const [opening, closing] of [
    ['<?', '?>'],
    ['<!--', '-->'],
    ['<!doctype', '>'],
    ['<!--', '-->'],
  ] as const)
    while (rest.slice(0, opening.length).toLowerCase() === opening) {
      const end = rest.indexOf(closing, opening.length);
      if (end < 0) return false;
      rest = rest.slice(end + closing.length).trimStart();
    }
  return /^<svg[\s>/]/i.test(rest);
}
