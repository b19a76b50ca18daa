import { mayBeConditional } from '../content/hide-undecided.ts';
import { getOrInsert } from '../contract/values.ts';
import {
  findFileIncludes,
  IncludedPaths,
  maxIncludeDepth,
  mayIncludeFiles,
  takeIncluded,
  type FileInclude,
} from '../richtext/file-includes.ts';
import { rebaseLinks } from '../richtext/rebase-links.ts';

/** Maximum length of the texts that are read for the includes of one page, in characters. A text counts each time. */
const maxLength = 4_000_000;

/** The texts of a space by their paths in the folder. */
export interface FolderTexts {
  /** The texts that are not pages. */
  readonly texts: () => Promise<ReadonlyMap<string, string>>;
  /** Reads the page of a file, if the page has no conditions. */
  readonly readPage: (path: string) => Promise<string | undefined>;
}

/**
 * Inserts the files that pages include, because copies of the pages are not in the folder of these files. Files with conditions
 * are not inserted: the conditions have no effect in code, and the copy may need only a part of the file.
 */
export class CopiedIncludes {
  readonly #folder: FolderTexts;
  readonly #read = new Map<string, Promise<string | undefined>>();
  #paths: IncludedPaths | undefined;
  #left = maxLength;

  constructor(folder: FolderTexts) {
    this.#folder = folder;
  }

  /** Returns the text of the page in the file `page`, with the files that it includes. */
  async insertInto(page: string, text: string): Promise<string> {
    if (!mayIncludeFiles(text)) return text;
    this.#left = maxLength;
    return this.#insert(page, page, text, 0);
  }

  async #insert(page: string, from: string, text: string, depth: number): Promise<string> {
    let [result, end] = ['', 0];
    for (const include of depth < maxIncludeDepth ? findFileIncludes(text) : []) {
      const part = await this.#take(page, from, include, depth);
      if (part === undefined) continue;
      result += text.slice(end, include.start) + part.replaceAll('\n', `\n${include.prefix}`);
      end = include.end;
    }
    return result + text.slice(end);
  }

  async #take(page: string, from: string, include: FileInclude, depth: number): Promise<string | undefined> {
    if (include.target === undefined) return takeIncluded(include, '');
    const texts = await this.#folder.texts();
    this.#paths ??= new IncludedPaths(texts.keys());
    const path = this.#paths.resolve(include, from);
    const text = texts.get(path) ?? (await getOrInsert(this.#read, path, () => this.#folder.readPage(path)));
    this.#left -= text?.length ?? 0;
    if (text === undefined || this.#left < 0 || mayBeConditional(text)) return undefined;
    const part = takeIncluded(include, text);
    if (part === undefined || include.isCode) return part;
    return this.#insert(page, path, rebaseLinks(part, path, page), depth + 1);
  }
}
