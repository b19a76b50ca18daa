import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../errors/problem.ts';
import { whyUnwritable } from '../files/unreadable-file.ts';

/** The size of texts that are kept in memory, in bytes. Longer texts are in a temporary file. */
const maxInMemory = 4 * 1024 * 1024;
/** The number of bytes that are read ahead if texts are read in their order. */
const readAhead = 64 * 1024;

/** Texts that are written one after the other, and then read from any offset. */
export class TextSpool {
  /** The bytes that are not in the file. The system gives memory only to the part that is used. */
  readonly #tail = Buffer.allocUnsafe(maxInMemory);
  #tailSize = 0;
  #file: { readonly descriptor: number; readonly path: string } | undefined;
  #fileSize = 0;
  /** The bytes that were read last, and their offset. */
  #window: Buffer = Buffer.alloc(0);
  #windowStart = 0;

  /** The number of bytes of all texts. */
  get size(): number {
    return this.#fileSize + this.#tailSize;
  }

  /** Adds a text. @throws Problem(invalid-input) if the temporary file cannot be written */
  add(text: string): void {
    const length = Buffer.byteLength(text);
    if (this.#tailSize + length > maxInMemory) {
      this.#write(this.#tail.subarray(0, this.#tailSize));
      this.#tailSize = 0;
    }
    if (length > maxInMemory) this.#write(Buffer.from(text));
    else this.#tailSize += this.#tail.write(text, this.#tailSize);
  }

  /** Reads the text between two offsets. Reading in the order of the texts is fast. */
  read(from: number, to: number): string {
    if (from >= this.#fileSize)
      return this.#tail.toString('utf8', from - this.#fileSize, to - this.#fileSize);
    const windowEnd = this.#windowStart + this.#window.length;
    if (from < this.#windowStart || to > windowEnd) {
      const isNext = from >= this.#windowStart && from <= windowEnd;
      const size = Math.min(isNext ? Math.max(readAhead, to - from) : to - from, this.#fileSize - from);
      if (this.#window.buffer.byteLength < size)
        this.#window = Buffer.allocUnsafeSlow(Math.max(readAhead, size));
      this.#window = Buffer.from(this.#window.buffer, 0, size);
      readSync(this.#file!.descriptor, this.#window, 0, size, from);
      this.#windowStart = from;
    }
    return this.#window.toString('utf8', from - this.#windowStart, to - this.#windowStart);
  }

  /** Deletes the temporary file. */
  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file.descriptor);
    rmSync(this.#file.path, { force: true });
  }

  #write(bytes: Buffer): void {
    try {
      this.#file ??= openTemporary();
      for (let done = 0; done < bytes.length;)
        done += writeSync(this.#file.descriptor, bytes, done, bytes.length - done);
      this.#fileSize += bytes.length;
    } catch (cause) {
      const path = this.#file?.path ?? tmpdir();
      throw new Problem(
        'invalid-input',
        `The temporary file ${path} cannot be written: ${whyUnwritable(path, cause)}.`,
        {
          hint: 'Set TMPDIR to a folder with enough space.',
          cause,
        },
      );
    }
  }
}

/** Creates a file that only this user can read, and removes its name at once where the system allows it. */
function openTemporary() {
  const path = join(tmpdir(), `docsctl-${randomUUID()}`);
  const descriptor = openSync(path, 'wx+', 0o600);
  try {
    rmSync(path);
  } catch {
    // Windows may keep the name until the file is closed.
  }
  return { descriptor, path };
}
