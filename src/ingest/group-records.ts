import { ConversationInput } from '../resources/conversations/contract.ts';
import { NumbersByText } from './numbers-by-text.ts';
import { maxRecordBytes, maxRecordText, type SourceRecord } from './source-record.ts';
import { TextSpool } from './text-spool.ts';

/** Maximum number of messages in a conversation. */
const maxMessages = ConversationInput.properties.parts.maxItems!;
/** The size of the conversations that are yielded together, in bytes. */
const yieldBytes = 256 * 1024;

/**
 * Joins the records with the same ID, which can be in any order. Yields one record for each ID, when the whole file has been
 * read, in the order of their last records: so a checkpoint after a conversation is also after all its records. Each message
 * takes about 13 bytes of memory, and each ID 24; their texts are in a temporary file.
 *
 * Records without an ID, and those that could not be read, are yielded as they are.
 *
 * @throws Problem(invalid-input) if the temporary file cannot be written
 */
export async function* groupRecords(
  groups: AsyncIterable<SourceRecord[]>,
  file: string,
  idOf: (value: unknown) => string | undefined,
): AsyncGenerator<SourceRecord[]> {
  const spool = new TextSpool();
  const chains = new Chains();
  const lastOf = new NumbersByText();
  const read = (number: number): SourceRecord => {
    const text = spool.read(chains.start(number), chains.start(number + 1));
    return { file, ...(JSON.parse(text) as Omit<SourceRecord, 'file'>) };
  };
  try {
    for await (const records of groups)
      for (const { file: _, ...record } of records) {
        const id = record.problem === undefined ? idOf(record.value) : undefined;
        const number = chains.add(spool.size);
        if (id !== undefined) chains.link(number, lastOf.set(id, number));
        spool.add(JSON.stringify(record));
      }
    chains.end(spool.size);
    let joined: SourceRecord[] = [];
    let size = 0;
    for (let last = 0; last < chains.length; last++) {
      if (!chains.isLast(last)) continue;
      const { numbers, bytes } = chains.numbersTo(last);
      if (numbers.length > maxMessages || bytes > maxRecordBytes)
        joined.push(tooLarge(read(numbers[0]!), read(last), numbers.length));
      else joined.push(...join(numbers.map(read), bytes, idOf));
      size += bytes;
      if (size >= yieldBytes) {
        yield joined;
        [joined, size] = [[], 0];
      }
    }
    if (joined.length > 0) yield joined;
  } finally {
    spool.close();
  }
}

/** Returns a record for each ID of some records. This is one, unless two IDs have the same hash. */
function join(
  records: readonly SourceRecord[],
  size: number,
  idOf: (value: unknown) => string | undefined,
): readonly SourceRecord[] {
  const ids = records.map(({ problem, value }) => (problem === undefined ? idOf(value) : undefined));
  if (ids[0] === undefined) return records;
  return [...new Set(ids)].map((id): SourceRecord => {
    const rows = records.filter((_, at) => ids[at] === id);
    const { end, hasMore } = rows.at(-1)!;
    return {
      ...rows[0]!,
      value: rows.map(({ value }) => value),
      rows,
      size,
      end,
      ...(hasMore && { hasMore }),
    };
  });
}

function tooLarge(first: SourceRecord, { end }: SourceRecord, count: number): SourceRecord {
  const what =
    count > maxMessages ? `${count} messages; the limit is ${maxMessages}` : `more than ${maxRecordText}`;
  return {
    ...first,
    end,
    problem: `the conversation has ${what}; check that the field with its ID is the right one`,
  };
}

/** Lists of numbers, each from 0 up, in which every number is linked to the one before it in its list. */
class Chains {
  #starts = new Float64Array(1024);
  /** The previous number of the list plus 1; 0 for the first one. */
  #previous = new Uint32Array(1024);
  #isLast = new Uint8Array(1024);
  length = 0;

  /** Adds the next number, whose text starts at an offset. */
  add(start: number): number {
    if (this.length + 1 >= this.#starts.length) this.#grow();
    this.#starts[this.length] = start;
    this.#isLast[this.length] = 1;
    return this.length++;
  }

  link(number: number, previous: number | undefined): void {
    if (previous === undefined) return;
    this.#previous[number] = previous + 1;
    this.#isLast[previous] = 0;
  }

  end(start: number): void {
    this.#starts[this.length] = start;
  }

  start(number: number): number {
    return this.#starts[number]!;
  }

  isLast(number: number): boolean {
    return this.#isLast[number] === 1;
  }

  /** Returns a list in order, and the size of its texts in bytes. */
  numbersTo(last: number): { numbers: number[]; bytes: number } {
    const numbers: number[] = [];
    let bytes = 0;
    for (let next = last + 1; next > 0; next = this.#previous[next - 1]!) {
      numbers.push(next - 1);
      bytes += this.start(next) - this.start(next - 1);
    }
    return { numbers: numbers.reverse(), bytes };
  }

  #grow(): void {
    const size = this.#starts.length * 2;
    const copy = <T extends Float64Array | Uint32Array | Uint8Array>(to: T, from: T): T => (to.set(from), to);
    this.#starts = copy(new Float64Array(size), this.#starts);
    this.#previous = copy(new Uint32Array(size), this.#previous);
    this.#isLast = copy(new Uint8Array(size), this.#isLast);
  }
}
