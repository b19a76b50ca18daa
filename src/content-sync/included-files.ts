import { isUtf8 } from 'node:buffer';
import { posix } from 'node:path';
import { endOfFrontMatter } from '../richtext/front-matter.ts';
import {
  findFileIncludes,
  IncludedPaths,
  takeIncluded,
  type FileInclude,
} from '../richtext/file-includes.ts';
import { isSafePath } from './export-paths.ts';
import type { Folder, Warning } from './folder.ts';
import { warnOfPointer } from './lfs-pointer.ts';
import { isInside, isWebAddress } from './resolve-link.ts';
import { belowRoot, type FolderSettings } from './settings.ts';

const maxFileBytes = 1_000_000;
/** Maximum total size of included files, in bytes. */
const maxBytes = 20_000_000;
/** Maximum total length of files that are searched for named parts, in characters. */
const maxSearchLength = 20_000_000;

/** Reads the files of a folder that its pages include with the syntax of other tools, and the files that these include. */
export class IncludedFiles {
  /** The texts by their path in the folder; undefined for files that could not be read. */
  readonly texts = new Map<string, string | undefined>();
  readonly warnings: Warning[] = [];
  readonly #folder: Folder;
  readonly #settings: FolderSettings;
  /** Finds files by their path below the root of the documentation. Files that an export would not write are left out. */
  #paths: IncludedPaths | undefined;
  #left = maxBytes;
  #unsearched = maxSearchLength;

  constructor(folder: Folder, settings: FolderSettings) {
    this.#folder = folder;
    this.#settings = settings;
  }

  /** Reads the files that a page includes. `above` is the number of lines before its text. */
  add(page: string, includes: readonly FileInclude[], above: number): void {
    const open = [{ file: page, includes, above }];
    for (let next = open.pop(); next !== undefined; next = open.pop())
      for (const include of next.includes) {
        const path = include.target === undefined ? undefined : this.#find(include, next.file);
        const isNew = path !== undefined && !this.texts.has(path);
        const text = path === undefined ? undefined : this.#read(path);
        const problem =
          include.target === undefined ? undefined : this.#problemOf(include, next.file, path, text);
        if (problem !== undefined)
          this.warnings.push({
            file: next.file,
            line: next.above + include.line,
            rule: 'missing-include',
            message: `includes ${quoted(include.target)}, ${problem}`,
          });
        if (!isNew || text === undefined || include.isCode) continue;
        const end = endOfFrontMatter(text);
        const nested = findFileIncludes(text.slice(end));
        if (nested.length > 0)
          open.push({ file: path, includes: nested, above: text.slice(0, end).split('\n').length - 1 });
      }
  }

  #find(include: FileInclude, file: string): string | undefined {
    const { root } = this.#settings;
    this.#paths ??= new IncludedPaths(
      [...this.#folder.paths].filter(isSafePath).map((path) => belowRoot(this.#settings, path)),
    );
    const found = this.#paths.find(include, belowRoot(this.#settings, file));
    return found === undefined ? undefined : posix.join(root, found);
  }

  #problemOf(
    include: FileInclude,
    file: string,
    path: string | undefined,
    text: string | undefined,
  ): string | undefined {
    const { target = '' } = include;
    if (path !== undefined) {
      this.#unsearched -= text?.length ?? 0;
      return text !== undefined && this.#unsearched > 0 && takeIncluded(include, text) === undefined
        ? `but the file does not have the part ${quoted(include.part)}; correct the include, or the file`
        : undefined;
    }
    if (isWebAddress(target)) return 'which is on another site; copy the text into the page';
    const full = posix.join(posix.dirname(file), target);
    if (!isInside(full) && !include.isLoose)
      return 'which is outside the folder; import the folder that contains both, and name the folder of the pages as root in a .gitbook.yaml';
    return this.#folder.paths.has(full)
      ? 'which is a hidden file; give it a name that does not start with a dot'
      : 'which does not exist; add the file, or remove the include';
  }

  #read(path: string): string | undefined {
    if (this.texts.has(path)) return this.texts.get(path);
    const skip = (rule: Warning['rule'], message: string) =>
      this.warnings.push({ file: path, line: 0, rule, message });
    let text: string | undefined;
    try {
      const bytes = this.#folder.read(path, Math.min(maxFileBytes, this.#left));
      this.warnings.push(...warnOfPointer(path, bytes));
      if (isUtf8(bytes)) {
        text = bytes.toString();
        this.#left -= bytes.length;
      } else skip('encoding', 'is skipped: it is not UTF-8');
    } catch (error) {
      skip('skipped-file', `is skipped: ${(error as Error).message}`);
    }
    this.texts.set(path, text);
    return text;
  }
}

function quoted(text = ''): string {
  return JSON.stringify(text.slice(0, 200));
}
