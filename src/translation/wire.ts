import type { Piece } from './pieces.ts';

/** What of a segment goes out and comes back: a text with `<x id="1"/>` for what stays and `<g id="2">…</g>` round words. */
type Part = { readonly text: string } | { readonly id: number; readonly inner?: readonly Part[] };

const mark =
  /<(?:(\/)g(?:\s+id\s*=\s*["']?(\d{1,4})["']?)?\s*|([xg])\s+id\s*=\s*["']?(\d{1,4})["']?\s*(\/?)|(\/)x\s*)>/gi;

/** A segment as a translator gets it; the blanks at its ends stay here. */
export function writeWire(pieces: readonly Piece<unknown>[]): string {
  return writePieces(pieces, { next: 1 }).trim();
}

function writePieces(pieces: readonly Piece<unknown>[], count: { next: number }): string {
  return pieces
    .map((piece) => {
      if ('text' in piece) return escapeText(piece.text);
      const id = count.next++;
      return 'inner' in piece ? `<g id="${id}">${writePieces(piece.inner, count)}</g>` : `<x id="${id}"/>`;
    })
    .join('');
}

/** Whether an answer has every mark of what was sent exactly once, in the same mark as there, and nothing that was not to come. */
export function isSound(sent: string, answer: string): boolean {
  if (answer.length > 10 * sent.length + 1000 || answer.trim() === '') return false;
  const [one, other] = [readParts(sent), readParts(answer)];
  if (one === undefined || other === undefined || placesOf(one) !== placesOf(other)) return false;
  // Addresses are marks: one in the words was put there by somebody else.
  return (
    !/:\/\/|\bwww\.|\bjavascript:|\{%|\{\{|\$\$/i.test(textOf(other)) ||
    /:\/\/|\bwww\.|\bjavascript:|\{%|\{\{|\$\$/i.test(textOf(one))
  );
}

/** The pieces with the words of a sound answer. */
export function readWire<K>(answer: string, pieces: readonly Piece<K>[]): Piece<K>[] {
  const known = new Map<number, Exclude<Piece<K>, { text: string }>>();
  const number = (each: readonly Piece<K>[]): void => {
    for (const piece of each) {
      if ('text' in piece) continue;
      known.set(known.size + 1, piece);
      if ('inner' in piece) number(piece.inner);
    }
  };
  number(pieces);
  const built = (parts: readonly Part[]): Piece<K>[] =>
    parts.flatMap((part): Piece<K>[] => {
      if ('text' in part) return [part];
      const piece = known.get(part.id)!;
      if (!('inner' in piece)) return [piece];
      return within(piece, built(part.inner ?? []));
    });
  return within({ around: undefined as K, inner: pieces }, built(readParts(answer)!), true);
}

/** Blanks at the ends of marked words as the source has them: those that are new stand outside. */
function within<K>(
  source: { readonly around: K; readonly inner: readonly Piece<K>[] },
  inner: readonly Piece<K>[],
  isWhole = false,
): Piece<K>[] {
  const [before, after] = [
    /^\s*/.exec(edge(source.inner.at(0)))![0],
    /\s*$/.exec(edge(source.inner.at(-1)))![0],
  ];
  const [start, end] = [/^\s*/.exec(edge(inner.at(0)))![0], /\s*$/.exec(edge(inner.at(-1)))![0]];
  const trimmed = inner.map((piece, index) => {
    if (!('text' in piece)) return piece;
    const text = index === 0 ? piece.text.trimStart() : piece.text;
    return { text: index === inner.length - 1 ? text.trimEnd() : text };
  });
  const content: Piece<K>[] = [{ text: before }, ...trimmed, { text: after }].filter(
    (piece) => !('text' in piece) || piece.text !== '',
  );
  if (isWhole) return content;
  return [
    ...(start !== '' && before === '' ? [{ text: ' ' }] : []),
    { around: source.around, inner: content },
    ...(end !== '' && after === '' ? [{ text: ' ' }] : []),
  ];
}

function edge(piece: Piece<unknown> | undefined): string {
  return piece !== undefined && 'text' in piece ? piece.text : '';
}

/** The parts of a text with marks; nothing where marks do not fit each other. */
function readParts(wire: string): readonly Part[] | undefined {
  const open: { id: number; parts: Part[] }[] = [{ id: 0, parts: [] }];
  const addText = (raw: string): void => {
    if (raw !== '') open.at(-1)!.parts.push({ text: readText(raw) });
  };
  let at = 0;
  for (const match of wire.matchAll(mark)) {
    const [whole, closes, closedId, name, id, isClosed, isEndOfX] = match;
    addText(wire.slice(at, match.index));
    at = match.index + whole.length;
    if (isEndOfX !== undefined) continue;
    if (closes !== undefined) {
      const last = open.pop()!;
      if (open.length === 0 || (closedId !== undefined && Number(closedId) !== last.id)) return undefined;
      open.at(-1)!.parts.push({ id: last.id, inner: last.parts });
    } else if (name!.toLowerCase() === 'x' || isClosed === '/')
      open.at(-1)!.parts.push({ id: Number(id), ...(name!.toLowerCase() === 'x' ? {} : { inner: [] }) });
    else open.push({ id: Number(id), parts: [] });
  }
  addText(wire.slice(at));
  return open.length === 1 ? open[0]!.parts : undefined;
}

/** Which marks there are, each with the one it stands in, whether it holds something and whether that is words: equal where nothing is lost. */
function placesOf(parts: readonly Part[]): string {
  const places: string[] = [];
  const walk = (each: readonly Part[], parent: number): void => {
    for (const part of each) {
      if ('text' in part) continue;
      places.push(
        `${part.id}<${parent}${part.inner === undefined ? 'x' : `g${Number(textOf(part.inner).trim() !== '')}`}`,
      );
      if (part.inner !== undefined) walk(part.inner, part.id);
    }
  };
  walk(parts, 0);
  return places.sort().join(' ');
}

function textOf(parts: readonly Part[]): string {
  return parts.map((part) => ('text' in part ? part.text : textOf(part.inner ?? []))).join('');
}

/** How many words a text with marks has; a character of Chinese or Japanese counts as one. */
export function countWords(wire: string): number {
  const text = textOf(readParts(wire) ?? []);
  return (
    text.match(
      /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{M}\p{N}'’])+/gu,
    )?.length ?? 0
  );
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const names: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
};

/** Words on one line, without characters that nobody sees. */
function readText(raw: string): string {
  return raw
    .replace(
      /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi,
      (all, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return names[name.toLowerCase()]!;
        const code = decimal === undefined ? parseInt(hex!, 16) : Number(decimal);
        return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? all : String.fromCodePoint(code);
      },
    )
    .replace(/[\t\n\v\f\r\u2028\u2029 ]+/g, ' ')
    .replace(/[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g, '')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}
