import { readFolderState } from '../files/folder-state.ts';
import { readFolder, type MarkdownFolder, type ReadOptions } from './read-folder.ts';

/** Reads folders like `readFolder`, but reuses the result if no file in the folder has changed. */
export class FolderReader {
  readonly #known = new Map<string, { readonly state: string; readonly folder: MarkdownFolder }>();

  /** Returns the current content of the folder. @throws Problem(invalid-input), Problem(too-large), Problem(interrupted) */
  async read(dir: string, options: Omit<ReadOptions, 'onPage'> = {}): Promise<MarkdownFolder> {
    const { unlisted = 'skip', mayLackPages = false } = options;
    const key = `${unlisted} ${String(mayLackPages)} ${dir}`;
    // Taken before the read, so that files that are written meanwhile count as changed.
    const state = await readFolderState(dir);
    const known = this.#known.get(key);
    if (known?.state === state) return known.folder;
    this.#known.delete(key);
    const folder = await readFolder(dir, options);
    this.#known.set(key, { state, folder });
    return folder;
  }
}
