import { describe, expect, it } from 'vitest';
import { checkUtf8 } from '../../src/ingest/utf8.ts';
import { Problem } from '../../src/errors/problem.ts';

/** Returns the text of the chunks, or the reason why they are refused. */
async function passed(chunks: readonly Buffer[], file = 'a.csv'): Promise<string> {
  const taken: Buffer[] = [];
  try {
    const stream = (async function* () {
      yield* chunks;
    })();
    for await (const chunk of checkUtf8(stream, file)) taken.push(chunk);
    return Buffer.concat(taken).toString();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return `${error.message} ${error.hint}`;
  }
}
/** All ways to split bytes into two chunks. */
const cuts = (bytes: Buffer) =>
  Array.from({ length: bytes.length + 1 }, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
const refusal =
  'a.csv is not UTF-8 text. If its encoding is Windows-1252, convert it first: `iconv -f WINDOWS-1252 -t UTF-8 a.csv > utf-8.csv`.';

describe('checking that text is UTF-8', () => {
  it.each(['', 'a', 'é', '漢', '😀', 'a é 漢 😀', 'é漢😀 end', '\ufeffa', '߿ࠀ\u{10000}'])(
    'accepts "%s" in chunks of any size',
    async (text) => {
      const bytes = Buffer.from(text);
      for (const chunks of cuts(bytes)) expect(await passed(chunks)).toBe(text);
      expect(await passed([...bytes].map((byte) => Buffer.from([byte])))).toBe(text);
    },
  );

  it.each([
    ['a character that ends too early', [0xc3]],
    ['three of four bytes', [0xf0, 0x9f, 0x98]],
    ['two of three bytes', [0xe6, 0xbc]],
    ['a byte of another encoding', [0x61, 0xe9, 0x61]],
    ['a continuation byte without a start', [0x61, 0x80]],
    ['four continuation bytes without a start', [0x80, 0x80, 0x80, 0x80]],
  ])('refuses %s in chunks of any size', async (_name, bytes) => {
    for (const chunks of cuts(Buffer.from(bytes))) expect(await passed(chunks)).toBe(refusal);
  });

  it('refuses UTF-16 without a byte order mark, although its bytes are valid UTF-8', async () => {
    for (const bytes of [
      [0x61, 0, 0x62, 0],
      [0, 0x61, 0, 0x62],
    ])
      expect(await passed([Buffer.from(bytes)], '-')).toContain('`iconv -f UTF-16 -t UTF-8`');
  });

  it('refuses compressed data', async () => {
    expect(await passed([Buffer.from([0x1f, 0x8b, 8])], '-')).toBe(
      'Standard input is compressed. Decompress it first with `gunzip`.',
    );
  });

  it('refuses UTF-16 with a byte order mark, and suggests a conversion', async () => {
    for (const mark of [
      [0xff, 0xfe],
      [0xfe, 0xff],
    ])
      expect(await passed([Buffer.from([...mark, 0x61, 0])], '-')).toBe(
        'Standard input is not UTF-8 text. Convert it first with `iconv -f UTF-16 -t UTF-8`.',
      );
    // It is a byte order mark only at the start.
    expect(await passed([Buffer.from('a'), Buffer.from([0xff, 0xfe])])).toBe(refusal);
  });
});
