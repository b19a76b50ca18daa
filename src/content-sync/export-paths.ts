import { posix, sep } from 'node:path';
import { isHiddenPath } from '../files/hidden.ts';
import { isInside } from './resolve-link.ts';

/** Device names of Windows, with any extension. */
const device = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)\s*(\.|$)/i;
/**
 * Images, videos, sounds and PDFs in a hidden folder, such as `.github/logo.png`. No tool runs them or reads settings from them.
 */
const media = /^[^.].*\.(png|jpe?g|gif|svg|webp|avif|ico|mp4|webm|mp3|pdf)$/i;
/** Folders of version control systems. Nothing is written in them. */
const repository = /^\.(git(?!(book|hub|lab)$)|hg|svn|bzr|jj)/i;
/** Characters that generated names do not contain, so that they are valid on all systems. */
const unportable = /[\p{C}\p{Zl}\p{Zp}\s/\\<>:"|?*]+/gu;

/**
 * Whether a path is safe to write: it stays in its folder on all systems, and is not a hidden file from which tools may run code.
 * GitBook's hidden names are allowed, and media in other hidden folders.
 */
export function isSafePath(path: string): boolean {
  if (path === '' || path.length > 2048 || !isInside(path)) return false;
  const names = path.split('/');
  return names.every(isSafeName) && (!isHiddenPath(path) || isHiddenMedia(names));
}

function isHiddenMedia(names: readonly string[]): boolean {
  const isInRepository = names.some((name) => {
    const visible = name.replace(/\p{Cf}/gu, '');
    return repository.test(visible) || /^git~\d/i.test(visible);
  });
  return !isInRepository && media.test(names.at(-1) ?? '');
}

function isSafeName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || Buffer.byteLength(name) > 255) return false;
  if (/[\p{Cc}\\\ufffd]/u.test(name) || !name.isWellFormed() || device.test(name)) return false;
  // docsctl uses such names for temporary files.
  if (name.startsWith('.docsctl-')) return false;
  return sep === '/' || !/[<>:"|?*]|[. ]$/.test(name);
}

/** Returns a file name for a title that is valid on all systems. */
export function safeName(name: string): string {
  const clean = name
    .toWellFormed()
    .replace(unportable, '-')
    .replace(/^[-. ]+|[-. ]+$/g, '');
  const short =
    [...clean]
      .slice(0, 60)
      .join('')
      .replace(/[-. ]+$/, '') || 'page';
  return device.test(short) ? `_${short}` : short;
}

/** Allocates paths in a folder. No path is allocated twice, and none is both a file and a folder. */
export class PathAllocator {
  readonly #files = new Set<string>();
  /** Files and folders in folded case, as case-insensitive file systems see them. */
  readonly #folded = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #next = new Map<string, number>();

  /** Allocates a path. Returns false if it is unsafe or taken. */
  claim(path: string): boolean {
    if (!isSafePath(path) || this.#files.has(path) || this.#folders.has(path)) return false;
    const folders = foldersOf(path);
    if (folders.some((folder) => this.#files.has(folder))) return false;
    this.#files.add(path);
    this.#folded.add(fold(path));
    for (const folder of folders) {
      this.#folders.add(folder);
      this.#folded.add(fold(folder));
    }
    return true;
  }

  reserve(folder: string): void {
    for (const each of foldersOf(`${folder}/x`)) {
      this.#folders.add(each);
      this.#folded.add(fold(each));
    }
  }

  /** Allocates a path below a reserved folder. If another path differs only in case, the name gets the first free number. */
  allocate(folder: string, below: string): string {
    const isBlocked = foldersOf(posix.join(folder, below)).some((each) => this.#files.has(each));
    const path = posix.join(folder, isBlocked ? below.replaceAll('/', '-') : below);
    const ending = posix.extname(path);
    const stem = path.slice(0, path.length - ending.length);
    for (let number = this.#next.get(path) ?? 0; ; number++) {
      const candidate = number === 0 ? path : `${stem}-${number}${ending}`;
      if (this.#folded.has(fold(candidate)) || !this.claim(candidate)) continue;
      this.#next.set(path, number + 1);
      return candidate;
    }
  }
}

/** Returns the folders above a path, the outermost first. */
export function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
