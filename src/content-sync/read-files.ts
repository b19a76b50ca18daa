import { posix } from 'node:path';
import { gitOid } from '../content/hashing.ts';
import { maxFileSize } from '../content/limits.ts';
import { isMarkdown } from './contents.ts';
import type { Folder, Warning } from './folder.ts';
import { warnOfPointer } from './lfs-pointer.ts';
import { belowRoot, type FolderSettings } from './settings.ts';

/** A file of a folder that is not a page. Its bytes are read when they are sent. */
export interface FolderFile {
  readonly path: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  readonly oid: string;
  readonly read: () => Uint8Array;
}

/** The folder of images and files, below the root of the documentation. */
export const assetsFolder = '.gitbook/assets';

/** Reads the files that texts link to, and all assets, except files in `taken`, which are texts. */
export function readFiles(
  folder: Folder,
  settings: FolderSettings,
  links: Iterable<string>,
  taken: ReadonlySet<string>,
): { readonly files: readonly FolderFile[]; readonly warnings: readonly Warning[] } {
  const assets = `${posix.join(settings.root, assetsFolder)}/`;
  const used = new Set([...links].filter((path) => !isMarkdown(path)));
  const files: FolderFile[] = [];
  const warnings: Warning[] = [];
  for (const path of folder.paths) {
    if ((!used.has(path) && !path.startsWith(assets)) || taken.has(path)) continue;
    const read = () => folder.read(path, maxFileSize);
    try {
      const bytes = read();
      warnings.push(...warnOfPointer(path, bytes));
      files.push({
        path: belowRoot(settings, path),
        name: fileName(path),
        contentType: guessContentType(path),
        size: bytes.length,
        oid: gitOid(bytes),
        read,
      });
    } catch (error) {
      warnings.push({
        file: path,
        line: 0,
        rule: 'skipped-file',
        message: `is skipped: ${(error as Error).message}`,
      });
    }
  }
  return { files, warnings };
}

/** Returns the last 256 UTF-16 units of a name, so that its extension is kept. */
function fileName(path: string): string {
  return posix
    .basename(path)
    .slice(-256)
    .replace(/^[\uDC00-\uDFFF]/, '');
}

const contentTypes = new Map(
  Object.entries({
    png: 'image/png',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    gif: 'image/gif',
    svg: 'image/svg+xml',
    webp: 'image/webp',
    avif: 'image/avif',
    ico: 'image/x-icon',
    pdf: 'application/pdf',
    json: 'application/json',
    yaml: 'application/yaml',
    yml: 'application/yaml',
    txt: 'text/plain',
    csv: 'text/csv',
    mp4: 'video/mp4',
    webm: 'video/webm',
    mp3: 'audio/mpeg',
    zip: 'application/zip',
  }),
);

/** Returns the content type of a file by its extension; application/octet-stream for an unknown one. */
export function guessContentType(path: string): string {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return contentTypes.get(extension) ?? 'application/octet-stream';
}
