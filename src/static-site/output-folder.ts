import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../files/make-folders.ts';
import { removeInside, writeInside } from '../content-sync/write-folder.ts';
import { isRecord } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { readRegularBytes } from '../files/read-regular.ts';

/** A part of a copy that is made at once, such as a page. */
interface MadePart {
  /** A short text that differs if the part would. */
  readonly key: string;
  /** The hashes of its files, by their paths. */
  readonly files: Readonly<Record<string, string>>;
  /** The paths of the site that it loads or links to. */
  readonly uses?: readonly string[];
}

/** The file that says what a copy consists of, and which site it is of. */
const recordFile = '.docsctl-site.json';
/** Files above this size are not read again; they are written. */
const maxRead = 256 * 1024 * 1024;

/** What was done to the files of a folder. */
interface Changes {
  written: number;
  unchanged: number;
  deleted: number;
  bytes: number;
}

/** A folder with a copy of a site. Files that it did not make are never touched. */
export class OutputFolder {
  readonly dir: string;
  readonly #counted = new Set<string>();
  readonly changes: Changes = { written: 0, unchanged: 0, deleted: 0, bytes: 0 };
  /** Files that were edited since, and are no longer part of the copy. */
  readonly kept: string[] = [];
  readonly #site: string;
  readonly #maker: string;
  readonly #randomBytes: (count: number) => Uint8Array;
  readonly #before: ReadonlyMap<string, MadePart>;
  readonly #hashesBefore: ReadonlyMap<string, string>;
  readonly #parts = new Map<string, MadePart>();

  /**
   * Opens a folder, which is created if there is none. Parts that another version of the program made are made again.
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
    this.dir = makeFolder(folder, name);
    this.#site = site;
    this.#maker = maker;
    this.#randomBytes = randomBytes;
    const record = readRecord(this.dir);
    if (record === undefined && readdirSync(this.dir).some((entry) => entry !== '.git'))
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

  /** A part that is as it would be made: its key is the same, and so are its files on the disk. It is kept. */
  keep(name: string, key: string): MadePart | undefined {
    const part = this.#before.get(name);
    if (part?.key !== key) return undefined;
    for (const [file, hash] of Object.entries(part.files)) if (this.#hashOf(file) !== hash) return undefined;
    this.#parts.set(name, part);
    for (const file of Object.keys(part.files)) this.#count(file, 'unchanged');
    return part;
  }

  /** What a part that was made or kept loads or links to. */
  usesOf(name: string): readonly string[] {
    return this.#parts.get(name)?.uses ?? [];
  }

  readText(file: string): string {
    return readFile(this.dir, file).toString();
  }

  /**
   * Adds a part; writes those of its files that differ from the disk.
   * @throws Problem(guard-refused) at a file that the copy did not make
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

  /** Adds a part whose files were written before, with their hashes. */
  addWritten(name: string, key: string, files: MadePart['files'], uses: readonly string[] = []): void {
    this.#parts.set(name, { key, files, ...(uses.length === 0 ? {} : { uses }) });
  }

  /**
   * Writes a file that a part will have, if it differs from the disk. Returns its hash.
   * @throws Problem(guard-refused) at a file that the copy did not make
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

  /** Counts a file once. Parts can share files, such as the same picture in two versions of a space. */
  #count(file: string, change: 'written' | 'unchanged'): void {
    if (this.#counted.has(file)) return;
    this.#counted.add(file);
    this.changes[change]++;
  }

  /** Deletes the files of the copy that are no longer part of it, and records what it has. */
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

  /** Records what was written so far beside what was there before, so that an interrupted build can be repeated. */
  interrupt(): void {
    const parts: Record<string, MadePart> = Object.fromEntries(this.#before);
    for (const [name, part] of this.#parts) parts[name] = part;
    const known = new Set(Object.values(parts).flatMap(({ files }) => Object.keys(files)));
    const others = [...this.#hashesBefore].filter(([file]) => !known.has(file));
    if (others.length > 0) parts['~before'] = { key: '', files: Object.fromEntries(others) };
    this.#record(parts);
  }

  #record(parts: Readonly<Record<string, MadePart>>): void {
    // The order does not depend on what was made anew.
    const sorted = Object.entries(parts).sort(([one], [other]) => (one < other ? -1 : 1));
    const lines = sorted.map(([name, part]) => `${JSON.stringify(name)}:${JSON.stringify(part)}`);
    const head = JSON.stringify({ format: 1, site: this.#site, maker: this.#maker }).slice(0, -1);
    const text = `${head},"parts":{\n${lines.join(',\n')}\n}}\n`;
    if (existsSync(join(this.dir, recordFile)) && this.readText(recordFile) === text) return;
    writeInside(this.dir, recordFile, Buffer.from(text), this.#randomBytes);
  }

  /** The hash of a file on the disk; undefined where there is none. */
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

/** Whether a path stays in its folder, so that what others wrote into the record harms no file elsewhere. */
function isInside(path: string): boolean {
  return !path.split('/').some((name) => /^\.{0,2}$/.test(name)) && !/[\\\0]/.test(path);
}

/** @throws Problem(guard-refused) for what is no regular file */
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
