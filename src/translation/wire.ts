import { htmlEntities } from '../richtext/html.ts';
import type { Piece } from './pieces.ts';

/** A part of the text for a translator: `<x id="1"/>` represents a kept part, `<g id="2">…</g>` words in a link or mark. */
type Part = { readonly text: string } | { readonly id: number; readonly inner?: readonly Part[] };

const markPattern =
  /<(?:(\/)g(?:\s+id\s*=\s*["']?(\d{1,4})["']?)?\s*|([xg])\s+id\s*=\s*["']?(\d{1,4})["']?\s*(\/?)|(\/)x\s*)>/gi;

/** Returns a segment as the text for a translator, trimmed. */
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

/** An address, a tag or a formula. */
const machineText = /:\/\/|\bwww\.|\bjavascript:|\{%|\{\{|\$\$/i;

/**
 * Whether an answer contains every mark of the sent text exactly once, inside the same mark, and no new address, tag or formula.
 */
export function isValidAnswer(sent: string, answer: string): boolean {
  if (answer.length > 10 * sent.length + 1000 || answer.trim() === '') return false;
  const [one, other] = [readParts(sent), readParts(answer)];
  if (one === undefined || other === undefined || markPaths(one) !== markPaths(other)) return false;
  // Addresses of the source are marks, so the service must have added an address in the words.
  return !machineText.test(textOf(other)) || machineText.test(textOf(one));
}

/** Inserts the words of a valid answer into the pieces that were sent. */
export function readWire<K>(answer: string, pieces: readonly Piece<K>[]): Piece<K>[] {
  const sent: Exclude<Piece<K>, { text: string }>[] = [];
  const collect = (each: readonly Piece<K>[]): void => {
    for (const piece of each) {
      if ('text' in piece) continue;
      sent.push(piece);
      if ('inner' in piece) collect(piece.inner);
    }
  };
  collect(pieces);
  const build = (parts: readonly Part[]): Piece<K>[] =>
    parts.flatMap((part): Piece<K>[] => {
      if ('text' in part) return [part];
      const piece = sent[part.id - 1];
      if (piece === undefined) return [];
      return 'inner' in piece ? wrapPieces(piece, build(part.inner ?? [])) : [piece];
    });
  return trimLike(pieces, build(readParts(answer) ?? []));
}

/** Puts pieces into the mark of the source. Blanks at their ends that the source does not have are moved outside of the mark. */
function wrapPieces<K>(
  { around, inner }: { around: K; inner: readonly Piece<K>[] },
  pieces: readonly Piece<K>[],
): Piece<K>[] {
  const [before, after] = blanksAround(inner);
  const [start, end] = blanksAround(pieces);
  return [
    ...(start !== '' && before === '' ? [{ text: ' ' }] : []),
    { around, inner: trimLike(inner, pieces) },
    ...(end !== '' && after === '' ? [{ text: ' ' }] : []),
  ];
}

/** Gives pieces the same blanks at their ends as in the source. */
function trimLike<K>(source: readonly Piece<K>[], pieces: readonly Piece<K>[]): Piece<K>[] {
  const [before, after] = blanksAround(source);
  const trimmed = pieces.map((piece, index) => {
    if (!('text' in piece)) return piece;
    const text = index === 0 ? piece.text.trimStart() : piece.text;
    return { text: index === pieces.length - 1 ? text.trimEnd() : text };
  });
  return [{ text: before }, ...trimmed, { text: after }].filter(
    (piece) => !('text' in piece) || piece.text !== '',
  );
}

function blanksAround(pieces: readonly Piece<unknown>[]): [before: string, after: string] {
  const [first, last] = [textOfPiece(pieces.at(0)), textOfPiece(pieces.at(-1))];
  return [first.slice(0, first.length - first.trimStart().length), last.slice(last.trimEnd().length)];
}

function textOfPiece(piece: Piece<unknown> | undefined): string {
  return piece !== undefined && 'text' in piece ? piece.text : '';
}

/** Parses a text with marks; undefined if a mark is not closed, or another one is closed. */
function readParts(wire: string): readonly Part[] | undefined {
  const outer: { id: number; parts: Part[] }[] = [];
  let open: (typeof outer)[number] = { id: 0, parts: [] };
  const addText = (raw: string): void => {
    if (raw !== '') open.parts.push({ text: decodeText(raw) });
  };
  let at = 0;
  for (const match of wire.matchAll(markPattern)) {
    const [whole, closes, closedId, name = '', id, isClosed, isEndOfX] = match;
    addText(wire.slice(at, match.index));
    at = match.index + whole.length;
    if (isEndOfX !== undefined) continue;
    if (closes !== undefined) {
      const parent = outer.pop();
      if (parent === undefined || (closedId !== undefined && Number(closedId) !== open.id)) return undefined;
      parent.parts.push({ id: open.id, inner: open.parts });
      open = parent;
    } else if (name.toLowerCase() === 'x') open.parts.push({ id: Number(id) });
    else if (isClosed === '/') open.parts.push({ id: Number(id), inner: [] });
    else {
      outer.push(open);
      open = { id: Number(id), parts: [] };
    }
  }
  addText(wire.slice(at));
  return outer.length === 0 ? open.parts : undefined;
}

/**
 * Returns each mark with the mark around it, whether it has content, and whether that content has words. Equal if nothing is
 * lost.
 */
function markPaths(parts: readonly Part[]): string {
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

/** Returns the number of words in a text with marks. A Chinese or Japanese character counts as one. */
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

/** Decodes entities, joins lines and removes invisible characters. */
function decodeText(raw: string): string {
  return raw
    .replace(
      /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi,
      (all, decimal: string | undefined, hex = '', name: string | undefined) => {
        if (name !== undefined) return htmlEntities.get(name.toLowerCase()) ?? all;
        const code = decimal === undefined ? parseInt(hex, 16) : Number(decimal);
        return code > 0x10ffff ? all : String.fromCodePoint(code);
      },
    )
    .replace(/[\t\n\v\f\r\u2028\u2029 ]+/g, ' ')
    .replace(/[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g, '')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}
