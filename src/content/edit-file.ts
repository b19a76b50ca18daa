import { imageSize } from 'image-size';
import { defined } from '../contract/values.ts';
import type { WriteTransaction } from '../core/store.ts';
import { invalid, notFound } from '../errors/problem.ts';
import { putBytes } from './blobs.ts';
import type { Draft } from './draft.ts';
import { gitOid } from './hashing.ts';
import { maxFileSize } from './limits.ts';
import type { FileEntry } from './rows.ts';
import type { NewFileBody } from './changes.ts';

/** Adds a file to a draft. With `replaces`, it gets the ID and the path of another file. */
export async function insertFile(
  draft: Draft,
  tx: WriteTransaction,
  id: string,
  file: NewFileBody,
  path: string,
): Promise<FileEntry> {
  const bytes = Buffer.from(file.base64, 'base64');
  if (bytes.length > maxFileSize)
    throw invalid(
      `${path}/base64`,
      'A file can be at most 10 MiB in size.',
      'Make the file smaller, or link to it.',
    );
  const before = file.replaces === undefined ? undefined : draft.files.get(file.replaces);
  if (file.replaces !== undefined && before === undefined) throw notFound('file', file.replaces);
  const dimensions = readDimensions(bytes, file.contentType);
  const place = file.git?.path ?? before?.git?.path;
  const entry: FileEntry = {
    kind: 'file',
    id: before?.id ?? id,
    name: file.name,
    contentType: file.contentType,
    size: bytes.length,
    ...defined({ dimensions }),
    blob: await putBytes(tx, bytes),
    ...(place === undefined ? {} : { git: { oid: gitOid(bytes), path: place } }),
  };
  draft.put(entry);
  return entry;
}

/** Reads the width and height of an image; undefined for other files and for images that cannot be read. */
function readDimensions(
  bytes: Uint8Array,
  contentType: string,
): { width: number; height: number } | undefined {
  if (!contentType.startsWith('image/')) return undefined;
  try {
    // For a short file, image-size would read beyond its end, where there may be other data.
    const { width, height } = imageSize(new Uint8Array(bytes));
    return width > 0 && height > 0 ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}
