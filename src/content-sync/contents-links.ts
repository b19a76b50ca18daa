import { posix } from 'node:path';
import { isWebAddress } from './resolve-link.ts';
import type { FolderSettings } from './settings.ts';

/** The folders that a table of contents is in. */
type ContentsPlace = Pick<FolderSettings, 'root' | 'summary'>;

/** Returns where a link of the table of contents leads from the root of the documentation. */
export function fromRoot(target: string, place: ContentsPlace): string {
  return isPath(target) ? posix.join(folderOf(place), target) : target;
}

/** Reverses `fromRoot`. */
export function fromContents(target: string, place: ContentsPlace): string {
  return isPath(target) ? posix.relative(folderOf(place), target) : target;
}

function folderOf({ root, summary }: ContentsPlace): string {
  return posix.relative(root, posix.dirname(summary));
}

function isPath(target: string): boolean {
  return !/^(?:[/?#]|$)/.test(target) && !isWebAddress(target);
}
