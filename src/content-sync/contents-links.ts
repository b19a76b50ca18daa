import { posix } from 'node:path';
import { isWebAddress } from './resolve-link.ts';
import type { FolderSettings } from './settings.ts';

/** The root of the documentation and the table of contents of a folder. */
type ContentsPlace = Pick<FolderSettings, 'root' | 'summary'>;

/** Returns the target of a link in the table of contents as a path from the root of the documentation. */
export function fromRoot(target: string, place: ContentsPlace): string {
  return isPath(target) ? posix.join(folderOf(place), target) : target;
}

/** Converts a path from the root of the documentation to a link in the table of contents. */
export function fromContents(target: string, place: ContentsPlace): string {
  return isPath(target) ? posix.relative(folderOf(place), target) : target;
}

function folderOf({ root, summary }: ContentsPlace): string {
  return posix.relative(root, posix.dirname(summary));
}

function isPath(target: string): boolean {
  return !/^(?:[/?#]|$)/.test(target) && !isWebAddress(target);
}
