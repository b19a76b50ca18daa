import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isFile, syncParentFolder, writeDurably } from './files.ts';
import { formatStore, parseStore, type Contents } from './json-format.ts';
import type { TableLayout } from './layout.ts';
import { MemoryRows } from './memory-rows.ts';

/** The content of the file, read again only after another process has written it. */
export class JsonState {
  readonly #path: string;
  readonly #layouts: ReadonlyMap<string, TableLayout>;
  #contents: Contents = { rows: new MemoryRows(), change: 0 };
  #mark = '';
  #cleaned = false;

  constructor(path: string, layouts: ReadonlyMap<string, TableLayout>) {
    this.#path = path;
    this.#layouts = layouts;
  }

  get rows(): MemoryRows {
    return this.#contents.rows;
  }

  /** A missing file is an empty store. */
  refresh(): void {
    if (!isFile(this.#path)) {
      if (this.#mark !== '') this.forget();
      return;
    }
    const file = openSync(this.#path, 'r');
    try {
      const mark = markOf(file);
      if (mark === this.#mark) return;
      this.forget();
      this.#contents = parseStore(this.#path, readFileSync(file), this.#layouts);
      this.#mark = mark;
    } finally {
      closeSync(file);
    }
  }

  /** Takes the file's place with a new one; only whoever holds the lock may call it. */
  save(): void {
    const temporary = `${this.#path}.${randomBytes(8).toString('hex')}.tmp`;
    const { rows, change } = this.#contents;
    try {
      writeDurably(temporary, formatStore(rows, change + 1));
      renameSync(temporary, this.#path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    syncParentFolder(this.#path);
    this.#contents = { rows, change: change + 1 };
    const file = openSync(this.#path, 'r');
    try {
      this.#mark = markOf(file);
    } finally {
      closeSync(file);
    }
  }

  /** Throws away what is in memory: it may be something that never reached the disk. */
  forget(): void {
    this.#contents = { rows: new MemoryRows(), change: 0 };
    this.#mark = '';
  }

  /** Removes what writers that were killed left; under the lock nobody else has a temporary file. */
  clean(): void {
    if (this.#cleaned) return;
    const start = `${basename(this.#path)}.`;
    for (const name of readdirSync(dirname(this.#path))) {
      if (name.startsWith(start) && /^[0-9a-f]{16}\.tmp$/.test(name.slice(start.length)))
        rmSync(join(dirname(this.#path), name), { force: true });
    }
    this.#cleaned = true;
  }
}

/** Tells two versions of the file apart: a new one can get the inode, size and coarse time of an old one, but not its change number. */
function markOf(file: number): string {
  const { ino, mtimeNs, size } = fstatSync(file, { bigint: true });
  const head = Buffer.alloc(100);
  const read = readSync(file, head, 0, head.length, 0);
  return `${ino} ${mtimeNs} ${size} ${head.toString('latin1', 0, read)}`;
}
