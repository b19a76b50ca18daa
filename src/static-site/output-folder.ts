import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkFolder } from '../files/make-folders.ts';
import { removeInside, writeInside } from '../content-sync/write-folder.ts';
import { isRecord } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { readRegularBytes } from '../files/read-regular.ts';

/** A part of a static copy that is created as a unit, such as a page. */
interface MadePart {
  /** A short text that changes whenever the part changes. */
  readonly key: string;
  /** The hashes of its files, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** The paths of the site that it loads or links to. */
  readonly uses?: readonly string[];
}

/** The record file, which lists the parts of a copy and identifies the site. */
const recordFile = '.docsctl-site.json';
/** Larger files are not read for comparison, but always written. */
const maxRead = 256 * 1024 * 1024;

/** The changes to the files of a folder. */
interface Changes {
  written: number;
  unchanged: number;
  deleted: number;
  bytes: number;
}

/** A folder with a static copy of a site. Files that other programs created are never changed. */
export class OutputFolder {
  readonly dir: string;
  readonly #counted = new Set<string>();
  readonly changes: Changes = { written: 0, unchanged: 0, deleted: 0, bytes: 0 };
  /** Files that are no longer part of the copy, but were edited and therefore not deleted. */
  readonly kept: string[] = [];
  readonly #site: string;
  readonly #maker: string;
  readonly #randomBytes: (count: number) => Uint8Array;
  readonly #before: ReadonlyMap<string, MadePart>;
  readonly #hashesBefore: ReadonlyMap<string, string>;
  readonly #parts = new Map<string, MadePart>();

  /**
   * Opens a folder. If it is missing, it is created for its first file. Parts from another version of the program are created again.
   *
   * @throws Problem(guard-refused) for a folder with other files
   */
  constructor(
    folder: string,
    {
      name = folder,
      site,
      maker,
      randomBytes,
    }: {
      name?: string;
      site: string;
      maker: string;
      randomBytes: (count: number) => Uint8Array;
    },
  ) {
    this.dir = checkFolder(folder, name);
    this.#site = site;
    this.#maker = maker;
    this.#randomBytes = randomBytes;
    const record = readRecord(this.dir);
    if (
      record === undefined &&
      existsSync(this.dir) &&
      readdirSync(this.dir).some((entry) => entry !== '.git')
    )
      throw new Problem(
        'guard-refused',
        `The folder ${name} has files that are not from a build of a site.`,
        {
          hint: 'Choose an empty folder with -d, or a new one.',
        },
      );
    if (record !== undefined && record.site !== site)
      throw new Problem('guard-refused', `The folder ${name} has the site ${record.site}, not ${site}.`, {
        hint: 'Choose another folder with -d.',
      });
    const parts = record?.parts ?? {};
    this.#hashesBefore = new Map(Object.values(parts).flatMap(({ files }) => Object.entries(files)));
    this.#before = new Map(record?.maker === maker ? Object.entries(parts) : []);
  }

  /**
   * Keeps a part that need not be created again: its key and its files on the disk are unchanged. Returns undefined if they
   * changed.
   */
  keep(name: string, key: string): MadePart | undefined {
    const part = this.#before.get(name);
    if (part?.key !== key) return undefined;
    for (const [file, hash] of Object.entries(part.files)) if (this.#hashOf(file) !== hash) return undefined;
    this.#parts.set(name, part);
    for (const file of Object.keys(part.files)) this.#count(file, 'unchanged');
    return part;
  }

  /** Returns the paths that a new or kept part loads or links to. */
  usesOf(name: string): readonly string[] {
    return this.#parts.get(name)?.uses ?? [];
  }

  readText(file: string): string {
    return readFile(this.dir, file).toString();
  }

  /**
   * Adds a part. Writes those of its files that differ from the disk.
   *
   * @throws Problem(guard-refused) for an existing file that is not part of the copy
   */
  add(
    name: string,
    key: string,
    files: Iterable<readonly [file: string, content: string | Uint8Array]>,
    uses?: readonly string[],
  ): void {
    const hashes: Record<string, string> = {};
    for (const [file, content] of files) hashes[file] = this.write(file, content);
    this.addWritten(name, key, hashes, uses);
  }

  /** Adds a part whose files were already written, with their hashes. */
  addWritten(name: string, key: string, files: MadePart['files'], uses: readonly string[] = []): void {
    this.#parts.set(name, { key, files, ...(uses.length === 0 ? {} : { uses }) });
  }

  /**
   * Writes a file of a later part, if it differs from the disk. Returns its hash.
   *
   * @throws Problem(guard-refused) for an existing file that is not part of the copy
   */
  write(file: string, content: string | Uint8Array): string {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const hash = hashText(bytes);
    this.changes.bytes += bytes.length;
    const found = this.#hashOf(file);
    if (found === hash) {
      this.#count(file, 'unchanged');
      return hash;
    }
    if (found !== undefined && !this.#hashesBefore.has(file))
      throw new Problem('guard-refused', `${file} exists in the folder and is not from a build of a site.`, {
        hint: 'Move it away, or choose another folder with -d.',
      });
    writeInside(this.dir, file, bytes, this.#randomBytes);
    this.#count(file, 'written');
    return hash;
  }

  /** Counts a file once. Parts can share files, such as a picture in two versions of a space. */
  #count(file: string, change: 'written' | 'unchanged'): void {
    if (this.#counted.has(file)) return;
    this.#counted.add(file);
    this.changes[change]++;
  }

  /** Deletes the files that are no longer part of the copy, and writes the record file. */
  end(): void {
    const now = new Set([...this.#parts.values()].flatMap(({ files }) => Object.keys(files)));
    for (const [file, hash] of this.#hashesBefore) {
      if (now.has(file)) continue;
      const found = this.#hashOf(file);
      if (found === undefined) continue;
      if (found !== hash) this.kept.push(file);
      else {
        removeInside(this.dir, [file]);
        this.changes.deleted++;
      }
    }
    this.#record(Object.fromEntries(this.#parts));
  }

  /** Adds the files written so far to the existing record, so that an interrupted build can be continued. */
  interrupt(): void {
    const parts: Record<string, MadePart> = Object.fromEntries(this.#before);
    for (const [name, part] of this.#parts) parts[name] = part;
    const known = new Set(Object.values(parts).flatMap(({ files }) => Object.keys(files)));
    const others = [...this.#hashesBefore].filter(([file]) => !known.has(file));
    if (others.length > 0) parts['~before'] = { key: '', files: Object.fromEntries(others) };
    // If nothing was written, a new folder stays as it was: empty, or missing.
    if (Object.keys(parts).length > 0 || this.#counted.size > 0) this.#record(parts);
  }

  #record(parts: Readonly<Record<string, MadePart>>): void {
    // Sorted, so that the record does not depend on which parts were created again.
    const sorted = Object.entries(parts).sort(([one], [other]) => (one < other ? -1 : 1));
    const lines = sorted.map(([name, part]) => `${JSON.stringify(name)}:${JSON.stringify(part)}`);
    const head = JSON.stringify({ format: 1, site: this.#site, maker: this.#maker }).slice(0, -1);
    const text = `${head},"parts":{\n${lines.join(',\n')}\n}}\n`;
    if (existsSync(join(this.dir, recordFile)) && this.readText(recordFile) === text) return;
    writeInside(this.dir, recordFile, Buffer.from(text), this.#randomBytes);
  }

  /** Returns the hash of a file on the disk; undefined if it does not exist. */
  #hashOf(file: string): string | undefined {
    return existsSync(join(this.dir, file)) ? hashText(readFile(this.dir, file)) : undefined;
  }
}

interface BuildRecord {
  readonly site: string;
  readonly maker: string;
  readonly parts: Readonly<Record<string, MadePart>>;
}

function readRecord(dir: string): BuildRecord | undefined {
  if (!existsSync(join(dir, recordFile))) return undefined;
  try {
    const record: unknown = JSON.parse(readFile(dir, recordFile).toString());
    if (
      isRecord(record) &&
      record['format'] === 1 &&
      isRecord(record['parts']) &&
      Object.values(record['parts']).every(
        (part) => isRecord(part) && isRecord(part['files']) && Object.keys(part['files']).every(isInside),
      )
    )
      return record as unknown as BuildRecord;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Problem('guard-refused', `${recordFile} in the folder cannot be read.`, {
    hint: `Choose another folder with -d, or delete this folder and build again.`,
  });
}

/** Whether a path stays in its folder. A manipulated record must not affect other files. */
function isInside(path: string): boolean {
  return !path.split('/').some((name) => /^\.{0,2}$/.test(name)) && !/[\\\0]/.test(path);
}

/**
 * Reads a regular file.
 *
 * @throws Problem(guard-refused) for anything else
 */
function readFile(dir: string, file: string): Buffer {
  const read = readRegularBytes(join(dir, file), maxRead);
  if ('bytes' in read) return read.bytes;
  throw new Problem('guard-refused', `${file} in the folder ${read.refused}.`, {
    hint: 'Move it away, or choose another folder with -d.',
  });
}

/** A short hash of a text or of bytes. */
export function hashText(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}
