import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Problem } from '../errors/problem.ts';
import { matchCheckpoint, type Checkpoint } from './checkpoint.ts';
import { openSource, type Source } from './source.ts';
import { unreadableFile } from '../files/unreadable-file.ts';

/** What an ingest takes from the process that runs it. */
export interface IngestHost {
  /** Aborted when the process is to stop: what was read until then is still sent. */
  readonly signal: AbortSignal;
  readonly note: (message: string) => void;
  /** Opens standard input. Throws Problem(usage) when it is a terminal. */
  readonly openStdin: () => AsyncIterable<unknown>;
}

/** The bytes of one source, from where an earlier run got. */
export interface SourceStream {
  readonly chunks: AsyncIterable<Buffer>;
  /** Where the chunks begin, and how many lines are before that. */
  readonly start: { readonly bytes: number; readonly line: number };
  /** Records that end here or before are done. */
  readonly resumeFrom: number;
  /** Bytes up to what has been read. */
  readonly position: number;
  /** Whether what has been read ends with the end of a line. */
  readonly endsWithNewline: boolean;
  /** The mark for a place that has been read; undefined where there is nothing to come back to. */
  checkpointAt(bytes: number, line: number): Checkpoint | undefined;
}

/** Opens a source; `seeks` says that its records can be read from any place, not only from the begin. */
export function openSourceStream(
  host: IngestHost,
  source: Source,
  mark: Checkpoint | undefined,
  seeks: boolean,
): SourceStream {
  if (source.path === '-') return new OpenReading(host, source, host.openStdin(), undefined, undefined);
  const { descriptor, isFile } = openSource(source);
  const known = isFile && mark !== undefined ? matchCheckpoint(descriptor, mark) : undefined;
  const start = known !== undefined && seeks ? mark!.bytes : 0;
  const stream = createReadStream('', {
    fd: descriptor,
    highWaterMark: 64 * 1024,
    signal: host.signal,
    ...(start > 0 ? { start } : {}),
  });
  if (known === undefined)
    return new OpenReading(
      host,
      source,
      stream,
      undefined,
      isFile ? { hash: createHash('sha256'), printed: 0 } : undefined,
    );
  return new OpenReading(
    host,
    source,
    stream,
    { mark: mark!, start },
    { hash: known, printed: mark!.printed },
  );
}

class OpenReading implements SourceStream {
  readonly start: SourceStream['start'];
  readonly resumeFrom: number;
  readonly #host: IngestHost;
  readonly #source: Source;
  readonly #stream: AsyncIterable<unknown>;
  readonly #print: { readonly hash: ReturnType<typeof createHash>; printed: number } | undefined;
  #position: number;
  #last = 0x0a;

  constructor(
    host: IngestHost,
    source: Source,
    stream: AsyncIterable<unknown>,
    before: { readonly mark: Checkpoint; readonly start: number } | undefined,
    print: { readonly hash: ReturnType<typeof createHash>; printed: number } | undefined,
  ) {
    this.#host = host;
    this.#source = source;
    this.#stream = stream;
    this.#print = print;
    this.resumeFrom = before?.mark.bytes ?? 0;
    this.start =
      before !== undefined && before.start > 0
        ? { bytes: before.start, line: before.mark.line }
        : { bytes: 0, line: 0 };
    this.#position = this.start.bytes;
  }

  get position(): number {
    return this.#position;
  }

  get endsWithNewline(): boolean {
    return this.#last === 0x0a || this.#last === 0x0d;
  }

  /** Ends early, as if the input did, when a signal stops the command: what was read is still sent and counted. */
  get chunks(): AsyncIterable<Buffer> {
    return this.#read();
  }

  checkpointAt(bytes: number, line: number): Checkpoint | undefined {
    if (this.#print === undefined) return undefined;
    return { bytes, line, printed: this.#print.printed, print: this.#print.hash.copy().digest('hex') };
  }

  async *#read(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of this.#stream) {
        const bytes = chunk as Buffer;
        if (bytes.length === 0) continue;
        this.#position += bytes.length;
        this.#last = bytes.at(-1)!;
        const fresh = this.#print === undefined ? 0 : this.#position - this.#print.printed;
        if (fresh > 0) {
          this.#print!.hash.update(fresh < bytes.length ? bytes.subarray(bytes.length - fresh) : bytes);
          this.#print!.printed = this.#position;
        }
        yield bytes;
      }
    } catch (error) {
      if (error instanceof Problem || !this.#host.signal.aborted)
        throw unreadableFile(this.#source.path === '-' ? '-' : this.#source.name, error);
    }
  }
}
