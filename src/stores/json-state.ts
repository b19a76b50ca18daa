import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { replacedProblem } from './failures.ts';
import { isFile, syncParentFolder, writeDurably } from './files.ts';
import { formatStore, parseStore, type Contents } from './json-format.ts';
import type { TableLayout } from './layout.ts';
import { MemoryRows } from './memory-rows.ts';

/** Milliseconds after which a further change of a file is certain to change its attributes. */
const settlingTime = 2000;

/** The contents of the file in memory. They are read again only if another process has written the file. */
export class JsonState {
  readonly #path: string;
  readonly #layouts: ReadonlyMap<string, TableLayout>;
  #contents: Contents = { rows: new MemoryRows(), change: 0 };
  /** Identifies the version of the file that `#contents` was read from; empty if it was not read. */
  #version = '';
  /**
   * The highest change number so far; -1 before the file was read. If the file has a lower one, it was replaced by an older
   * store.
   */
  #lastChange = -1;
  #isClean = false;
  /** The stamp of a version that a write with `keepsStamp` has made. It is the stamp of the version before. */
  #sameAs: { readonly version: string; readonly stamp: string } | undefined;
  /** The version of a file with certain attributes, if the file is old enough to be recognized by them. */
  #settled: { readonly look: string; readonly version: string } | undefined;

  constructor(path: string, layouts: ReadonlyMap<string, TableLayout>) {
    this.#path = path;
    this.#layouts = layouts;
  }

  get rows(): MemoryRows {
    return this.#contents.rows;
  }

  /**
   * Reads the file if it has changed. A missing file is an empty store, unless it existed before.
   *
   * @throws Problem(store-failed) if it was removed, or replaced by an older one
   */
  refresh(): void {
    if (!isFile(this.#path)) {
      if (this.#lastChange >= 0) throw replacedProblem(this.#path, 'removed');
      return;
    }
    const file = openSync(this.#path, 'r');
    try {
      const version = versionOf(file);
      if (version === this.#version) return;
      this.forget();
      const contents = parseStore(this.#path, readFileSync(file), this.#layouts);
      if (contents.change < this.#lastChange) throw replacedProblem(this.#path, 'replaced');
      this.#contents = contents;
      this.#lastChange = contents.change;
      this.#version = version;
    } finally {
      closeSync(file);
    }
  }

  /**
   * Returns a text that differs between two versions of the file, except after writes of this process with `keepsStamp`.
   * Undefined if the file cannot be read.
   */
  stamp(): string | undefined {
    const version = this.#lookAtVersion();
    return version === undefined ? undefined : this.#stampOf(version);
  }

  #stampOf(version: string): string {
    return version === this.#sameAs?.version ? this.#sameAs.stamp : version;
  }

  #lookAtVersion(): string | undefined {
    try {
      const stats = lstatSync(this.#path, { bigint: true, throwIfNoEntry: false });
      if (stats === undefined) return '';
      const { ino, size, mtimeNs, ctimeNs, mtimeMs } = stats;
      const look = `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
      if (look === this.#settled?.look) return this.#settled.version;
      const file = openSync(this.#path, 'r');
      try {
        const version = versionOf(file);
        // Two changes within one tick of the file system's clock may have the same attributes.
        const isSettled = Date.now() - Number(mtimeMs) > settlingTime;
        this.#settled = isSettled ? { look, version } : undefined;
        return version;
      } finally {
        closeSync(file);
      }
    } catch {
      return undefined;
    }
  }

  /**
   * Replaces the file by a new one with the rows in memory. With `keepsStamp`, the stamp stays the same. The caller must hold the
   * lock.
   */
  save(keepsStamp = false): void {
    const stamp = this.#stampOf(this.#version);
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
    this.#lastChange = change + 1;
    const file = openSync(this.#path, 'r');
    try {
      this.#version = versionOf(file);
      this.#sameAs = keepsStamp ? { version: this.#version, stamp } : undefined;
    } finally {
      closeSync(file);
    }
  }

  /**
   * Drops the contents in memory, which may differ from the file after a failed save. The next `refresh` reads the
   * file.
   */
  forget(): void {
    this.#contents = { rows: new MemoryRows(), change: 0 };
    this.#version = '';
  }

  /** Removes temporary files of killed processes, once. The caller must hold the lock, so no other process has one. */
  clean(): void {
    if (this.#isClean) return;
    const start = `${basename(this.#path)}.`;
    for (const name of readdirSync(dirname(this.#path))) {
      if (name.startsWith(start) && /^[0-9a-f]{16}\.tmp$/.test(name.slice(start.length)))
        rmSync(join(dirname(this.#path), name), { force: true });
    }
    this.#isClean = true;
  }
}

/**
 * Returns a text that differs between two versions of the file. It includes the first bytes, which contain the change number,
 * because a new file may get the inode, size and time of an old one.
 */
function versionOf(file: number): string {
  const { ino, mtimeNs, size } = fstatSync(file, { bigint: true });
  const head = Buffer.alloc(100);
  const read = readSync(file, head, 0, head.length, 0);
  return `${ino} ${mtimeNs} ${size} ${head.toString('latin1', 0, read)}`;
}
