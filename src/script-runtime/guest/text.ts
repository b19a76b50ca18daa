import { bytesFromHost, encode, exactBuffer, isBytes, textFromHost } from './host.ts';

/** `TextEncoder` of the Encoding standard. */
export class TextEncoder {
  get encoding(): string {
    return 'utf-8';
  }
  encode(text = ''): Uint8Array<ArrayBuffer> {
    return encode(String(text));
  }
  encodeInto(text: string, into: Uint8Array): { read: number; written: number } {
    let [read, written] = [0, 0];
    for (const character of String(text)) {
      const bytes = encode(character);
      if (written + bytes.length > into.length) break;
      into.set(bytes, written);
      read += character.length;
      written += bytes.length;
    }
    return { read, written };
  }
}

/** `TextDecoder` of the Encoding standard. A stream is decoded only after its last piece. */
export class TextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  #held: Uint8Array[] = [];
  constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
    this.encoding = textFromHost('label', String(label));
    this.fatal = fatal;
    this.ignoreBOM = ignoreBOM;
  }
  decode(input?: ArrayBuffer | ArrayBufferView, { stream = false } = {}): string {
    if (input !== undefined && !isBytes(input)) throw new TypeError('The input is not a buffer.');
    if (input !== undefined) this.#held.push(new Uint8Array(exactBuffer(input).slice(0)));
    // A character may be split between pieces, so only complete streams are decoded.
    if (stream) return '';
    const bytes = joinBytes(this.#held);
    this.#held = [];
    const { encoding: label, fatal, ignoreBOM } = this;
    return textFromHost('decode', { label, fatal, ignoreBOM }, exactBuffer(bytes));
  }
}

/** Concatenates bytes. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

/** Decodes base64, like browsers. */
export function atob(text: string): string {
  return textFromHost('atob', String(text));
}

/** Encodes base64, like browsers. */
export function btoa(text: string): string {
  return textFromHost('btoa', String(text));
}

/** Returns random bytes from the host. */
export function randomBytes(count: number): Uint8Array {
  return bytesFromHost('random', count);
}
