import { createHash, type Hash } from 'node:crypto';
import { Problem } from '../errors/problem.ts';
import { streamOf } from '../files/open-stream.ts';
import { unreadableFile } from '../files/unreadable-file.ts';
import { matchCheckpoint, type Checkpoint } from './checkpoint.ts';
import { openSource, type Source } from './source.ts';

/** The environment of an ingest, from the process that runs it. */
export interface IngestHost {
  /** Aborted when the process stops. Records that were read before are still sent. */
  readonly signal: AbortSignal;
  readonly note: (message: string) => void;
  /** Opens standard input. @throws Problem(usage) if it is a terminal. */
  readonly openStdin: () => AsyncIterable<unknown>;
}

/** The bytes of one source, starting where an earlier run ended. */
export interface SourceStream {
  /** The bytes. They end early when a signal stops the command. */
  readonly chunks: AsyncIterable<Buffer>;
  /** The offset of the first chunk, and the number of lines before it. */
  readonly start: { readonly bytes: number; readonly line: number };
  /** Records that end at or before this offset are done. */
  readonly resumeFrom: number;
  /** The offset up to which the source has been read. */
  readonly position: number;
  /** Whether the data read so far ends with a line end. */
  readonly endsWithNewline: boolean;
  /** Returns the checkpoint for an offset that has been read; undefined if the source cannot be resumed. */
  checkpointAt(bytes: number, line: number): Checkpoint | undefined;
}

interface Fingerprint {
  readonly hash: Hash;
  printed: number;
}

/**
 * Opens a source at its checkpoint. `isSeekable` means that its format can be read from any record; other formats are read
 * from the beginning, and records before the checkpoint are skipped.
 *
 * @throws Problem(invalid-input) if the file cannot be read
 */
export function openSourceStream(
  host: IngestHost,
  source: Source,
  checkpoint: Checkpoint | undefined,
  isSeekable: boolean,
): SourceStream {
  if (source.path === '-') return new OpenSource(host, source, host.openStdin());
  const { descriptor, isFile } = openSource(source);
  const matched = isFile && checkpoint !== undefined ? matchCheckpoint(descriptor, checkpoint) : undefined;
  const valid = matched === undefined ? undefined : checkpoint;
  const start = valid !== undefined && isSeekable ? valid.bytes : 0;
  const stream = streamOf(descriptor, host.signal, start);
  const fingerprint = isFile
    ? { hash: matched ?? createHash('sha256'), printed: valid?.printed ?? 0 }
    : undefined;
  return new OpenSource(host, source, stream, fingerprint, valid, start);
}

class OpenSource implements SourceStream {
  readonly start: SourceStream['start'];
  readonly resumeFrom: number;
  readonly #host: IngestHost;
  readonly #source: Source;
  readonly #stream: AsyncIterable<unknown>;
  readonly #fingerprint: Fingerprint | undefined;
  #position: number;
  #lastByte: number | undefined = 0x0a;

  constructor(
    host: IngestHost,
    source: Source,
    stream: AsyncIterable<unknown>,
    fingerprint?: Fingerprint,
    checkpoint?: Checkpoint,
    start = 0,
  ) {
    this.#host = host;
    this.#source = source;
    this.#stream = stream;
    this.#fingerprint = fingerprint;
    this.resumeFrom = checkpoint?.bytes ?? 0;
    this.start = { bytes: start, line: start > 0 ? (checkpoint?.line ?? 0) : 0 };
    this.#position = start;
  }

  get position(): number {
    return this.#position;
  }

  get endsWithNewline(): boolean {
    return this.#lastByte === 0x0a || this.#lastByte === 0x0d;
  }

  get chunks(): AsyncIterable<Buffer> {
    return this.#read();
  }

  checkpointAt(bytes: number, line: number): Checkpoint | undefined {
    if (this.#fingerprint === undefined) return undefined;
    const { printed, hash } = this.#fingerprint;
    return { bytes, line, printed, print: hash.copy().digest('hex') };
  }

  async *#read(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of this.#stream) {
        const bytes = chunk as Buffer;
        if (bytes.length === 0) continue;
        this.#position += bytes.length;
        this.#lastByte = bytes.at(-1);
        if (this.#fingerprint !== undefined) this.#extend(this.#fingerprint, bytes);
        yield bytes;
      }
    } catch (error) {
      if (error instanceof Problem || !this.#host.signal.aborted)
        throw unreadableFile(this.#source.path === '-' ? '-' : this.#source.name, error);
    }
  }

  /** Adds the bytes that were just read to the fingerprint, unless it contains them already. */
  #extend(fingerprint: Fingerprint, bytes: Buffer): void {
    const newBytes = this.#position - fingerprint.printed;
    if (newBytes <= 0) return;
    fingerprint.hash.update(newBytes < bytes.length ? bytes.subarray(bytes.length - newBytes) : bytes);
    fingerprint.printed = this.#position;
  }
}
