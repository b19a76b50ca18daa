import { Problem } from '../errors/problem.ts';
import { maxRecordBytes, maxRecordText } from './source-record.ts';

/** The fields in which a file, or an answer of the API of Zendesk or HubSpot, has its list. */
export const listKeys: readonly string[] = ['conversations', 'items', 'tickets', 'results'];

interface JsonItem {
  /** Only the beginning of an item above `maxRecordBytes`. */
  readonly text: string;
  readonly isTooLong?: true;
  /** The line in which it starts, from 1. */
  readonly line: number;
  /** The offset of its end, in bytes. */
  readonly end: number;
  /** Set if the item is the top-level object itself. */
  readonly isWhole?: true;
}

/** The expected kind of the next bytes between values. */
type Mode = 'start' | 'item' | 'item end' | 'key' | 'colon' | 'member' | 'member end' | 'end';

const quote = 0x22;
const comma = 0x2c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Splits a JSON text into the items of its list, without keeping the whole text in memory. The list is the top-level array,
 * or the array under one of the `listKeys` of the top-level object. An object without these keys is one item.
 * Only brackets, quotes and commas are checked; the caller parses each item.
 */
export class JsonItemSplitter {
  readonly #name: string;
  #mode: Mode = 'start';
  #isWrapped = false;
  /** Whether the top-level object is a ticket of Freshdesk, whose messages are in its list "conversations". */
  #isTicket = false;
  /** The bytes of a top-level object, until a list is found in it. */
  #whole: Buffer[] | undefined;
  #wholeLine = 1;
  #value: Buffer[] = [];
  #valueLine = 1;
  #depth = 0;
  #kind: 'none' | 'string' | 'nested' | 'plain' = 'none';
  #inString = false;
  #isEscaped = false;
  #key = '';
  #size = 0;
  #line = 1;
  #position = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /**
   * Reads a chunk and returns the items that end in it.
   *
   * @throws Problem(invalid-input) for a text that is not JSON; Problem(too-large) for more than `maxRecordBytes` in front
   * of the list
   */
  push(chunk: Buffer): JsonItem[] {
    const items: JsonItem[] = [];
    let wholeFrom = 0;
    const before = this.#position;
    for (let at = 0; at < chunk.length;) {
      if (this.#isOpen()) {
        const stop = this.#skipValue(chunk, at);
        if (this.#isKept()) this.#keep(chunk.subarray(at, stop));
        at = stop;
        if (this.#isOpen()) break;
        this.#position = before + at;
        this.#endValue(items);
        continue;
      }
      const byte = chunk[at]!;
      this.#position = before + at;
      if (byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a) {
        if (byte === 0x0a) this.#line++;
        at++;
        continue;
      }
      if (this.#mode === 'start' && this.#position < 3 && (byte === 0xef || byte === 0xbb || byte === 0xbf)) {
        at++;
        continue;
      }
      const hadWhole = this.#whole !== undefined;
      if (this.#readStructure(byte)) at++;
      if (!hadWhole && this.#whole !== undefined) wholeFrom = at - 1;
      if (this.#mode === 'end' && this.#whole !== undefined) {
        this.#whole.push(chunk.subarray(wholeFrom, at));
        items.push({
          text: Buffer.concat(this.#whole).toString('utf8'),
          line: this.#wholeLine,
          end: before + at,
          isWhole: true,
        });
        this.#whole = undefined;
      }
    }
    this.#position = before + chunk.length;
    if (this.#whole !== undefined) {
      this.#whole.push(Buffer.from(chunk.subarray(wholeFrom)));
      this.#size += chunk.length - wholeFrom;
      if (this.#size > maxRecordBytes)
        throw new Problem(
          'too-large',
          `${this.#name} has more than ${maxRecordText} before its list of conversations.`,
          { hint: 'Put the list first, or use NDJSON.' },
        );
    }
    return items;
  }

  /** Ends the text. @throws Problem(invalid-input) if it is empty or incomplete */
  finish(): void {
    if (this.#mode === 'start') throw new Problem('invalid-input', `${this.#name} is empty.`);
    if (this.#mode !== 'end')
      throw new Problem(
        'invalid-input',
        `${this.#name} ends in the middle of a value (line ${this.#line}).`,
        { hint: 'Check whether the file is complete.' },
      );
  }

  /** Reads one byte between values. Returns false if the byte begins a value and is not consumed. */
  #readStructure(byte: number): boolean {
    switch (this.#mode) {
      case 'start':
        if (byte === openList) this.#mode = 'item';
        else if (byte === openObject) [this.#mode, this.#whole, this.#wholeLine] = ['key', [], this.#line];
        else throw this.#broken();
        return true;
      case 'item':
        if (byte === closeList) return this.#closeList();
        return this.#begin(byte);
      case 'item end':
        if (byte === closeList) return this.#closeList();
        if (byte !== comma) throw this.#broken();
        this.#mode = 'item';
        return true;
      case 'key':
        if (byte === closeObject) return this.#to('end');
        if (byte !== quote) throw this.#broken();
        return this.#begin(byte);
      case 'colon':
        if (byte !== 0x3a) throw this.#broken();
        return this.#to('member');
      case 'member':
        if (byte === openList && listKeys.includes(this.#key) && !this.#isTicket) {
          if (this.#isWrapped)
            throw new Problem(
              'invalid-input',
              `${this.#name}:${this.#line}: "${this.#key}" is a second list.`,
              { hint: 'Put all conversations in one list.' },
            );
          [this.#isWrapped, this.#whole] = [true, undefined];
          return this.#to('item');
        }
        return this.#begin(byte);
      case 'member end':
        if (byte !== comma && byte !== closeObject) throw this.#broken();
        return this.#to(byte === comma ? 'key' : 'end');
      default:
        throw this.#broken();
    }
  }

  #to(mode: Mode): true {
    this.#mode = mode;
    return true;
  }

  #closeList(): true {
    return this.#to(this.#isWrapped ? 'member end' : 'end');
  }

  #begin(byte: number): false {
    if (byte === comma || byte === 0x3a || byte === closeList || byte === closeObject) throw this.#broken();
    this.#kind = byte === quote ? 'string' : byte === openList || byte === openObject ? 'nested' : 'plain';
    this.#size = this.#whole === undefined ? 0 : this.#size;
    this.#valueLine = this.#line;
    return false;
  }

  #isOpen(): boolean {
    return this.#kind !== 'none';
  }

  #isKept(): boolean {
    return this.#mode === 'item' || this.#mode === 'key';
  }

  /** Keeps bytes of a value. Of one that is too long, only the beginning stays. */
  #keep(bytes: Buffer): void {
    if (this.#whole === undefined) this.#size += bytes.length;
    if (this.#size <= maxRecordBytes) this.#value.push(Buffer.from(bytes));
    else this.#value = [Buffer.concat([...this.#value, bytes.subarray(0, 1000)]).subarray(0, 1000)];
  }

  #endValue(items: JsonItem[]): void {
    const text = this.#isKept() ? Buffer.concat(this.#value).toString('utf8') : '';
    this.#value = [];
    if (this.#mode === 'item') {
      const item = { text, line: this.#valueLine, end: this.#position };
      items.push(this.#size > maxRecordBytes ? { ...item, isTooLong: true } : item);
      this.#mode = 'item end';
    } else if (this.#mode === 'key') {
      [this.#key, this.#mode] = [text.slice(1, -1), 'colon'];
      this.#isTicket ||= this.#key === 'description_text';
    } else this.#mode = 'member end';
  }

  /** Returns the index after the value, or the length of the chunk if the value does not end in it. */
  #skipValue(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === 0x5c) this.#isEscaped = true;
        else if (byte === quote) {
          this.#inString = false;
          if (this.#kind === 'string') return this.#done(at + 1);
        }
      } else if (this.#kind === 'plain') {
        if (byte <= 0x20 || byte === comma || byte === closeList || byte === closeObject)
          return this.#done(at);
      } else if (byte === quote) this.#inString = true;
      else if (byte === openList || byte === openObject) this.#depth++;
      else if (byte === closeList || byte === closeObject) {
        if (--this.#depth === 0) return this.#done(at + 1);
      } else if (byte === 0x0a) this.#line++;
    }
    return chunk.length;
  }

  #done(at: number): number {
    this.#kind = 'none';
    return at;
  }

  #broken(): Problem {
    return new Problem(
      'invalid-input',
      `${this.#name}:${this.#line}: this is not valid JSON (byte ${this.#position + 1}).`,
    );
  }
}
