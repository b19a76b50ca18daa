import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import { Problem } from '../errors/problem.ts';
import { documentToMarkdown, markdownToDocument } from '../richtext/markdown.ts';
import { keepAnchors } from './keep-anchors.ts';
import { mapSegments, skeletonOf } from './map-segments.ts';
import { hasWords, type Piece, type Protector } from './pieces.ts';
import { readWire, writeWire } from './wire.ts';

/** Returns the translation of a segment; undefined if it stays untranslated. */
export type FindAnswer = (wire: string) => string | undefined;

export interface SegmentedText {
  /** The distinct segments, in reading order. */
  readonly wires: readonly string[];
  /** Returns the text with the translations. Only words change. */
  readonly translate: (findAnswer: FindAnswer) => string;
}

/**
 * Splits Markdown into segments. A text that is too large or too deep for a document has no segments and is kept. Headings keep
 * the anchors in `linkedTo`.
 */
export function segmentMarkdown(
  markdown: string,
  protect: Protector,
  linkedTo: readonly string[] = [],
): SegmentedText {
  let document: RichDocumentValue;
  try {
    document = keepAnchors(markdownToDocument(markdown), markdown, linkedTo);
  } catch (error) {
    if (error instanceof Problem) return { wires: [], translate: () => markdown };
    throw error;
  }
  const wires = new Set<string>();
  const all = mapSegments(document, protect, (pieces) => {
    wires.add(writeWire(pieces));
    return pieces;
  });
  // Fixed translations of terms are inserted without a service.
  const isPlain = wires.size === 0 && JSON.stringify(all.nodes) === JSON.stringify(document.nodes);
  return {
    wires: [...wires],
    translate(findAnswer) {
      if (isPlain) return markdown;
      const translate = (part: RichDocumentValue) =>
        mapSegments(part, protect, (pieces) => applyAnswer(pieces, findAnswer));
      return keepFrame(markdown, writeTranslation(markdown, document, translate));
    },
  };
}

function textOfPieces(pieces: readonly Piece<string>[]): string {
  return pieces.map((piece) => ('text' in piece ? piece.text : 'keep' in piece ? piece.keep : '')).join('');
}

/** Splits a title or a description, which is one segment without marks. */
export function segmentText(text: string, protect: Protector): SegmentedText {
  const pieces = protect(text);
  if (!hasWords(pieces)) return { wires: [], translate: () => textOfPieces(pieces) };
  return {
    wires: [writeWire(pieces)],
    translate: (findAnswer) => textOfPieces(applyAnswer(pieces, findAnswer)),
  };
}

function applyAnswer<K>(pieces: readonly Piece<K>[], findAnswer: FindAnswer): readonly Piece<K>[] {
  const answer = findAnswer(writeWire(pieces));
  return answer === undefined ? pieces : readWire(answer, pieces);
}

/** Returns the translated text. If Markdown would parse a translated block as something else, the block stays untranslated. */
function writeTranslation(
  markdown: string,
  document: RichDocumentValue,
  translate: (part: RichDocumentValue) => RichDocumentValue,
): string {
  const whole = tryWrite(translate(document).nodes);
  if (whole !== undefined) return whole;
  const nodes = document.nodes.flatMap((node) => {
    const translated = translate({ ...document, nodes: [node] }).nodes;
    return tryWrite(translated) === undefined ? [node] : translated;
  });
  return tryWrite(nodes) ?? markdown;
}

/** Gives a translation the leading blank lines, the last line end and the kind of line ends of its source. */
function keepFrame(source: string, translation: string): string {
  if (translation === source) return source;
  const [top = ''] = /^\uFEFF?(?:[ \t]*\r?\n)*/.exec(source) ?? [];
  const text = top.replaceAll('\r\n', '\n') + translation.trimEnd() + (source.endsWith('\n') ? '\n' : '');
  return source.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
}

/** Returns blocks as Markdown; undefined if parsing it results in other blocks. */
function tryWrite(nodes: readonly RichNode[]): string | undefined {
  try {
    const markdown = documentToMarkdown({ object: 'document', data: {}, nodes });
    return skeletonOf(markdownToDocument(markdown).nodes) === skeletonOf(nodes) ? markdown : undefined;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
