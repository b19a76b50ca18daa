import { relative } from 'node:path';
import { confine } from '../../files/confine.ts';
import { limits } from './limits.ts';
import { readRegular } from '../../files/read-regular.ts';

/** The folder that relative paths in a file start from, and the folder that they may not leave. */
export interface Folders {
  readonly root: string;
  readonly folder: string;
}

/** Reads the files that a manifest names, each once, with a limit on their total size. */
export class FileTexts {
  readonly #cwd: string;
  readonly #texts = new Map<string, string>();
  #left: number = limits.filesBytes;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** Reads the text of a file, and returns it with its printed name, or returns why it cannot be read. */
  read(path: string, { root, folder }: Folders): { name: string; text: string } | { refused: string } {
    const target = confine(root, folder, path);
    if ('refused' in target) return target;
    const name = relative(this.#cwd, target.path).replaceAll('\\', '/');
    const known = this.#texts.get(target.path);
    if (known !== undefined) return { name, text: known };
    const read = readRegular(target.path, Math.min(limits.fileBytes, this.#left));
    if ('refused' in read) {
      const isTooMuch = this.#left < limits.fileBytes && read.refused.startsWith('is larger');
      const why = isTooMuch
        ? `makes the files of this manifest exceed ${limits.filesBytes >> 20} MiB in total`
        : read.refused;
      return { refused: `${JSON.stringify(path.slice(0, 200))} ${why}` };
    }
    const text = read.text.startsWith('\ufeff') ? read.text.slice(1) : read.text;
    this.#left -= read.bytes;
    this.#texts.set(target.path, text);
    return { name, text };
  }
}
